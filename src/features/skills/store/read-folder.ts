import { closeSync, constants, fstatSync, lstatSync, openSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describeError } from "../../../core/errors.ts";
import {
  isInFolder,
  refuseFiles,
  skillLimits,
  tooLarge,
  tooMany,
  type SkillFile,
  type SkillFilesRead,
} from "./skill-files.ts";

/** Git's own folder in a working copy is no part of the skill. */
const leftOut = new Set([".git"]);

/** Every file below a folder, or of `only` inside of it. Links, pipes and devices are refused, not followed. */
export function readFolder(folder: string, only = ""): SkillFilesRead {
  const files: SkillFile[] = [];
  let bytes = 0;
  try {
    const isDirect = only !== "" && isPlainFolder(folder, only);
    const problem = isDirect ? walk(only, 0) : walk("", 0);
    return problem === undefined ? { ok: true, files } : refuseFiles(problem);
  } catch (error) {
    return refuseFiles(`the folder cannot be read: ${describeError(error)}`);
  }

  function walk(below: string, depth: number): string | undefined {
    if (depth > 16) return isInFolder(`${below}/`, only) ? "its folders lie too deep" : undefined;
    for (const name of readdirSync(join(folder, below)).sort()) {
      if (below === "" && leftOut.has(name)) continue;
      const path = below === "" ? name : `${below}/${name}`;
      const entry = lstatSync(join(folder, path));
      if (entry.isDirectory()) {
        const problem = walk(path, depth + 1);
        if (problem !== undefined) return problem;
        continue;
      }
      if (!isInFolder(path, only)) continue;
      if (!entry.isFile()) return `${JSON.stringify(path)} is a link or no regular file`;
      if (files.length >= skillLimits.files) return tooMany;
      if (bytes + entry.size > skillLimits.bytes) return tooLarge;
      const content = readRegularFile(join(folder, path));
      if (content === undefined) return `${JSON.stringify(path)} is a link or no regular file`;
      bytes += content.length;
      files.push({ path, bytes: content });
    }
    return undefined;
  }
}

/** Whether every part of the path is a folder and none a link. */
function isPlainFolder(folder: string, path: string): boolean {
  const parts = path.split("/");
  return parts.every((_, index) => {
    const entry = lstatSync(join(folder, ...parts.slice(0, index + 1)), { throwIfNoEntry: false });
    return entry?.isDirectory() === true;
  });
}

/** Returns undefined if it is no regular file (any more). */
function readRegularFile(path: string): Buffer | undefined {
  // A pipe that has replaced the file in the meantime must not block us.
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const entry = fstatSync(file);
    return entry.isFile() && entry.size <= skillLimits.bytes ? readFileSync(file) : undefined;
  } finally {
    closeSync(file);
  }
}
