import { posix } from "node:path";

const maxPathLength = 4096;

/** Whether a path of the database stays in the folder it is put into. Unlike file tools, commands may make any name. */
export function isPathInside(path: string): boolean {
  if (path === "" || path.length > maxPathLength || path.includes("\0")) return false;
  return path.split("/").every((part) => part !== "" && part !== "." && part !== "..");
}

/** Whether a link leads to a place in the same folder, by its text alone. */
export function isLinkInside(path: string, target: string): boolean {
  if (target === "" || target.length > maxPathLength || target.includes("\0") || posix.isAbsolute(target)) return false;
  const end = posix.join(posix.dirname(path), target);
  return end !== ".." && !end.startsWith("../");
}
