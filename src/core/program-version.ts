import { readFileSync } from "node:fs";
import { join } from "node:path";
import { projectFolder } from "./project-folder.ts";

/** The version in package.json. */
export function readProgramVersion(): string {
  return (JSON.parse(readFileSync(join(projectFolder, "package.json"), "utf8")) as { version: string }).version;
}
