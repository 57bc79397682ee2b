import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

/** The builder of the sandbox's image; undefined where only the program was copied. */
export function findImageBuilder(projectFolder: string): string | undefined {
  const script = join(projectFolder, "scripts", "sandbox-image.mjs");
  return existsSync(script) ? script : undefined;
}

/** Runs it in this terminal: Ctrl-C ends it, and its own words say what went wrong. Answers whether the image is there. */
export function buildImage(script: string, environment: Readonly<Record<string, string | undefined>>): boolean {
  return spawnSync(process.execPath, [script], { stdio: "inherit", env: { ...environment } }).status === 0;
}
