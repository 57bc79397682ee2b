import { randomUUID } from "node:crypto";
import {
  closeSync,
  fchmodSync,
  fsyncSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";

/** Replaces the file at once or not at all; its mode stays, and so does a link to it. `mode` is that of a new file. */
export function writeConfigFile(file: string, text: string, mode = 0o644): void {
  const found = statSync(file, { throwIfNoEntry: false });
  const target = found ? realpathSync(file) : file;
  mkdirSync(dirname(target), { recursive: true });
  // A name with a dot is no file of the configuration, whenever it is looked at.
  const beside = `${dirname(target)}/.new-${randomUUID()}`;
  try {
    const descriptor = openSync(beside, "wx", mode);
    try {
      if (found) fchmodSync(descriptor, found.mode & 0o777);
      writeFileSync(descriptor, text);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(beside, target);
  } finally {
    rmSync(beside, { force: true });
  }
}
