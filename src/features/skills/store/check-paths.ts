/** Checks the names of a skill's files. A name that file systems could read differently is refused, not repaired. */

const maxPathLength = 300;
const maxDepth = 8;
/** Letters and digits of any script and a few marks: no control, separator, colon, tilde, look-alike dot or hidden character. */
const segment = /^[\p{L}\p{M}\p{N}_.()+@=, -]+$/u;
/** Names that have a meaning for other programs; a skill has no business with them. */
const reserved = /^(?:\.git|\.gitmodules|\.ssh|\.env(?:\..*)?|con|prn|aux|nul|com\d|lpt\d)$/i;

/** Returns undefined if the path is fine. */
export function whyNoPath(path: string): string | undefined {
  const shown = JSON.stringify(path.length > 80 ? `${path.slice(0, 80)}…` : path);
  if (path === "" || path.length > maxPathLength) return `the name ${shown} is empty or too long`;
  if (path.startsWith("/") || path.includes("\\") || path.includes("\0")) return `the name ${shown} is not relative`;
  if (path.normalize("NFC") !== path) return `the name ${shown} is not in its composed form`;
  const parts = path.split("/");
  if (parts.length > maxDepth) return `${shown} lies too deep`;
  for (const part of parts) {
    if (part === "" || part === "." || part === "..") return `the name ${shown} leaves its folder or is not plain`;
    if (!segment.test(part) || /^[ -]|[ .]$/.test(part)) return `the name ${shown} has characters that are not taken`;
    if (reserved.test(part)) return `files named ${JSON.stringify(part)} are not taken`;
  }
  return undefined;
}

/** Faults of a set of names: single ones, and two that are the same on another file system. */
export function whyNoPaths(paths: readonly string[]): string | undefined {
  const seen = new Map<string, string>();
  for (const path of paths) {
    const wrong = whyNoPath(path);
    if (wrong !== undefined) return wrong;
    const folded = foldCase(path);
    const other = seen.get(folded);
    if (other !== undefined) return `${JSON.stringify(other)} and ${JSON.stringify(path)} are one name on some systems`;
    seen.set(folded, path);
  }
  // A folder is not a file, and has one spelling.
  const folders = new Map<string, string>();
  for (const path of paths) {
    for (let at = path.indexOf("/"); at > 0; at = path.indexOf("/", at + 1)) {
      const folder = path.slice(0, at);
      const folded = foldCase(folder);
      const other = seen.get(folded) ?? folders.get(folded);
      if (other !== undefined && (other !== folder || seen.has(folded)))
        return `${JSON.stringify(other)} and the folder ${JSON.stringify(folder)} are one name on some systems`;
      folders.set(folded, folder);
    }
  }
  return undefined;
}

/** Both ways, since some letters have two small forms. */
function foldCase(path: string): string {
  return path.normalize("NFKC").toUpperCase().toLowerCase();
}
