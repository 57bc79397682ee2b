import { lstatSync } from "node:fs";

/** What a path is by itself, no link followed; "nothing" also where it cannot be looked at. */
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
