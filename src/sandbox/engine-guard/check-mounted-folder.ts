import { lstat } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * Why this folder may not be mounted, or undefined. The engine follows links when it mounts; the gateway owns the folder
 * above and could leave a link in the place of a workspace or of a socket's folder. (It could also be faster than we: see
 * the decision.)
 */
export async function checkMountedFolder(folder: string): Promise<string | undefined> {
  for (const part of [dirname(folder), folder]) {
    try {
      if (!(await lstat(part)).isDirectory()) return `${part} is no folder of its own`;
    } catch (error) {
      return `${part} cannot be seen by the guard (${(error as NodeJS.ErrnoException).code ?? "unknown"})`;
    }
  }
  return undefined;
}
