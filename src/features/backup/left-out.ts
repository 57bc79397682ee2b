import { databaseFiles } from "../../store/backup/copy-sqlite.ts";

/**
 * Entries of the data folder that no backup holds: databases are copied apart, and the rest is created again or lasts only as
 * long as the process. Everything else is in it, so that what a later version keeps there is not forgotten.
 */
const leftOut: readonly string[] = [
  "backups",
  "trash",
  "quarantine",
  "cache",
  "browser",
  "egress",
  "folded",
  "seccomp.json",
  "kurisu.lock",
  "kurisu.pid",
  "kurisu.sock",
  "kurisu.log",
  "at-work.log",
  "stalled.json",
  "moved-to-postgres.json",
  // A restored data folder is another place.
  "workspaces.place",
];
/** Names that may have any ending: journals of databases, and what a restore leaves beside. */
const leftOutStarts: readonly string[] = [
  ...databaseFiles,
  "kurisu.lock-",
  "kurisu.log.",
  "before-restore-",
  "restoring-",
  "restore-",
];

/** `name` is that of an entry right in the data folder. */
export function isLeftOut(name: string): boolean {
  return leftOut.includes(name) || leftOutStarts.some((start) => name.startsWith(start));
}
