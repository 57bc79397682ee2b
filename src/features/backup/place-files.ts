import { mkdir, readdir, rename, rm, rmdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { AppError, describeError } from "../../core/errors.ts";
import { databaseFiles } from "../../store/backup/copy-sqlite.ts";
import { restoreMark } from "../../store/backup/refuse-damaged.ts";
import { isLeftOut } from "./left-out.ts";
import { syncFolder } from "./sync-folder.ts";

/** The entries of a data folder that a restore would take the place of. */
export async function listPresentData(home: string): Promise<readonly string[]> {
  const names = await readdir(home);
  return names.filter((name) => !isLeftOut(name) || databaseFiles.some((file) => name.startsWith(file)));
}

/**
 * Moves what is there aside, and the contents of `folders` to its place, by renames alone. A start between the first and
 * the last of them is refused, by a mark. What goes wrong is taken back. `settle` is called between the two.
 */
export async function placeFiles(
  home: string,
  given: {
    readonly folders: readonly string[];
    readonly present: readonly string[];
    /** A new folder in the data folder. */
    readonly aside: string;
    readonly settle: () => Promise<void>;
  },
): Promise<void> {
  const mark = join(home, restoreMark);
  const moved: { readonly from: string; readonly to: string }[] = [];
  const move = async (from: string, to: string): Promise<void> => {
    await rename(from, to);
    moved.push({ from, to });
  };
  await writeFile(mark, "", { mode: 0o600 });
  await syncFolder(home);
  try {
    if (given.present.length > 0) await mkdir(given.aside, { mode: 0o700 });
    for (const name of given.present) await move(join(home, name), join(given.aside, name));
    for (const folder of given.folders)
      for (const name of await readdir(folder).catch(() => [])) await move(join(folder, name), join(home, name));
    await syncFolder(home);
    await given.settle();
  } catch (error) {
    for (const { from, to } of moved.toReversed()) await rename(to, from);
    if (given.present.length > 0) await rmdir(given.aside).catch(() => undefined);
    await rm(mark);
    if (error instanceof AppError) throw error;
    const remedy = "All is as it was. A folder that is a disk of its own has to be emptied by hand first.";
    throw new AppError("RESTORE_REFUSED", `The data cannot be put in its place: ${describeError(error)}. ${remedy}`, {
      cause: error,
    });
  }
  await rm(mark);
  await syncFolder(home);
}
