import { execFileSync } from "node:child_process";
import { join } from "node:path";

/** Once before all tests, so that no two files build the program that they start. */
export function setup(): void {
  execFileSync(process.execPath, [join(import.meta.dirname, "..", "..", "scripts", "bundle.mjs")]);
}
