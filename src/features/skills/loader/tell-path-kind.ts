import { lstatSync } from "node:fs";

/** The kind of a path, no link followed; "nothing" also if it cannot be read. */
export function tellPathKind(path: string): "folder" | "link" | "other" | "nothing" {
  try {
    const found = lstatSync(path);
    if (found.isDirectory()) return "folder";
    return found.isSymbolicLink() ? "link" : "other";
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return "nothing";
  }
}
