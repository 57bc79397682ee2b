import { cpSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { asidePrefix } from "../../core/persona/cards/install-card.ts";
import { writeConfigFile } from "../../core/write-config-file.ts";

/** Copies a persona into the folder of the operator's own, with one file changed. It comes there whole or not at all. */
export function copyPersona(
  folder: string,
  own: string,
  { id, name, text }: { readonly id: string; readonly name: string; readonly text: string },
): void {
  mkdirSync(own, { recursive: true });
  // The next import of a card sweeps a folder that a stop left behind.
  const aside = mkdtempSync(join(own, asidePrefix));
  try {
    cpSync(folder, join(aside, id), { recursive: true });
    writeConfigFile(join(aside, id, name), text);
    renameSync(join(aside, id), join(own, id));
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
}
