import type { FileAnswer } from "./types.ts";

const maxPathLength = 1024;
const containerRoot = "/workspace";
const refusedNames = new Set([".env", ".git", ".ssh"]);

/** A path of the workspace in parts. No parts = the workspace folder itself. */
export interface WorkspacePath {
  readonly parts: readonly string[];
  /** The parts joined by "/", or "." for the workspace itself. */
  readonly relative: string;
}

/**
 * The first half of the one path resolver: what may be asked for at all, by its text alone. The second half (open-folder.ts)
 * walks the parts without following a link. `..` is refused rather than resolved: with links about, a/b/.. need not be a.
 */
export function parseWorkspacePath(path: string): FileAnswer<WorkspacePath> {
  const refuse = (reason: string): FileAnswer<WorkspacePath> => ({
    ok: false,
    error: `The path ${reason}. Use a path relative to the workspace, such as notes/today.md.`,
  });
  if (path === "") return refuse("is empty");
  if (path.length > maxPathLength) return refuse(`is longer than ${maxPathLength} characters`);
  if (/[\p{Cc}\p{Cs}\u2028\u2029]/u.test(path)) return refuse("contains control characters");
  if (/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u.test(path))
    return refuse("contains marks that hide its real order");
  if (/[\\:]/.test(path)) return refuse("contains a backslash or a colon");
  if (/%(?:2e|2f|5c|00)/i.test(path)) return refuse("contains an encoded dot or slash");
  if (countSeparators(path) !== countSeparators(path.normalize("NFKC"))) {
    return refuse("contains characters that look like dots or slashes");
  }
  const inside =
    path === containerRoot || path.startsWith(`${containerRoot}/`) ? path.slice(containerRoot.length + 1) : path;
  if (inside.startsWith("/")) return refuse("is absolute");
  const parts = inside.split("/").filter((part) => part !== "" && part !== ".");
  if (parts[0]?.startsWith("~")) return refuse("begins with a tilde");
  if (parts.includes("..")) return refuse('contains ".."');
  if (parts.some((part) => Buffer.byteLength(part) > 255)) return refuse("has a name longer than 255 bytes");
  const refused = parts.find(isLeftAlone);
  if (refused !== undefined) return refuse(`leads to ${refused}, which file tools leave alone`);
  return { ok: true, parts, relative: parts.length === 0 ? "." : parts.join("/") };
}

/** Names that file tools leave alone, also where a file system takes letters of another case or shape for the same. */
export function isLeftAlone(name: string): boolean {
  return refusedNames.has(
    name
      .normalize("NFKC")
      .replaceAll(/\p{Cf}/gu, "")
      .toLowerCase(),
  );
}

function countSeparators(text: string): string {
  return ([".", "/", "\\"] as const).map((separator) => text.split(separator).length).join();
}
