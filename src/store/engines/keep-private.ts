import { chmodSync, closeSync, lstatSync, openSync, readdirSync } from "node:fs";
import { join } from "node:path";

/**
 * Our files in the data folder, by the prefixes of their names. A folder of such a name is closed to others as a whole.
 */
const ours = [
  "kurisu.",
  "checkpoints.db",
  "audit-anchor",
  "mcp-logins.json",
  "seccomp.json",
  "skills.lock",
  "backup",
  "workspaces",
  "trash",
  "received",
  "outgoing",
  "console-files",
  "quarantine",
  "skills",
  "egress",
  "browser",
];
const forOthers = 0o077;

/** Makes a file that is not there yet, for its owner only; SQLite gives the files next to a database the same mode. */
export function createPrivately(file: string): void {
  try {
    closeSync(openSync(file, "wx", 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    narrow(file);
  }
}

/**
 * Removes the permissions of other users from our files in the data folder, such as those of an earlier version or of a
 * wider umask. Answers the paths where that was not possible. What is not ours, and links, stay as they are.
 */
export function narrowDataFolder(home: string): readonly string[] {
  const paths = readdirSync(home).flatMap((name) => (isOurs(name) ? [join(home, name)] : []));
  const inside = ["received", "outgoing", "console-files"].flatMap((name) => listFiles(join(home, name)));
  return [...paths, ...inside].filter((path) => !narrow(path));
}

function isOurs(name: string): boolean {
  return ours.some((start) => name.startsWith(start)) || name.endsWith(".db") || name.includes(".db-");
}

function listFiles(folder: string): readonly string[] {
  try {
    return readdirSync(folder).map((name) => join(folder, name));
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (["ENOENT", "ENOTDIR"].includes(code)) return [];
    throw error;
  }
}

/**
 * By its path and not by a descriptor: closing a descriptor of an open database would release the locks on it. False
 * when it is another user's.
 */
function narrow(path: string): boolean {
  try {
    const stats = lstatSync(path);
    const wide = (stats.isFile() || stats.isDirectory()) && (stats.mode & forOthers) !== 0;
    // Windows has no such modes, and reports that every user may read.
    if (wide && process.platform !== "win32") chmodSync(path, stats.mode & 0o7700);
    return true;
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    // Removed in the meantime, such as the write-ahead log of a process that ended.
    if (code === "ENOENT") return true;
    if (code === "EPERM" || code === "EROFS") return false;
    throw error;
  }
}
