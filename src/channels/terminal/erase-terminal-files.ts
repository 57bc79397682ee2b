import { readdir, rm } from "node:fs/promises";
import { basename, join } from "node:path";

/** In the data folder, apart from the files of the conversations. */
const sharedFolders = ["folded", "received", "handed-in"] as const;

/**
 * Removes what terminals keep of these people: the lines that they typed, and, where no one else uses this command line
 * (`alone`), long answers and files that came or went. Answers how many files that were.
 */
export async function eraseTerminalFiles(home: string, users: readonly string[], alone: boolean): Promise<number> {
  const names = users.filter((user) => user !== "" && basename(user) === user).map((user) => `${user}.txt`);
  let count = await removeFrom(join(home, "history"), (name) => names.includes(name));
  if (alone) for (const folder of sharedFolders) count += await removeFrom(join(home, folder), () => true);
  return count;
}

async function removeFrom(folder: string, isMeant: (name: string) => boolean): Promise<number> {
  const found = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  const meant = found.filter(isMeant);
  for (const name of meant) await rm(join(folder, name), { force: true, recursive: true });
  return meant.length;
}
