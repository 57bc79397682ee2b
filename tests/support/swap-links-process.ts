// A worker thread that does what a command in a container can do to the workspace while the gateway works in it:
// `sub` is by turns a link to the outside, a folder with a file, and a folder with a link to an outside file.
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { workerData } from "node:worker_threads";

/** `control` is shared with the test: [stop when 1, swaps so far]. */
const { folder, outside, control } = workerData as { folder: string; outside: string; control: Int32Array };
const next = join(folder, "next");

const states = [
  () => symlinkSync(outside, next),
  () => {
    mkdirSync(next);
    writeFileSync(join(next, "file.txt"), "inside");
  },
  () => {
    mkdirSync(next);
    symlinkSync(join(outside, "file.txt"), join(next, "file.txt"));
  },
];

let swaps = 0;

function swap(): void {
  try {
    rmSync(next, { recursive: true, force: true });
    states[swaps % states.length]?.();
    rmSync(join(folder, "sub"), { recursive: true, force: true });
    renameSync(next, join(folder, "sub"));
  } catch (error) {
    // The gateway has just made `sub` itself; the next round removes it.
    if (!["EISDIR", "ENOTEMPTY", "EEXIST", "ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? ""))
      throw error;
  }
  swaps += 1;
}

while (Atomics.load(control, 0) === 0) {
  swap();
  Atomics.store(control, 1, swaps);
}
