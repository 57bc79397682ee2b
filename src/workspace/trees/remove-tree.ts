import { randomBytes } from "node:crypto";
import { chmod, opendir, rename, rmdir, unlink } from "node:fs/promises";
import { withFolder, type Anchoring, type OpenFolder } from "../open-folder.ts";
import { isThere } from "../is-there.ts";

/**
 * Removes a folder and all that is in it, following no link. Inner folders are moved up and emptied there, so that a
 * tree as deep as a program liked to make it needs neither a long path nor many descriptors. A missing folder is no
 * fault.
 */
export async function removeTree(path: string, anchoring: Anchoring): Promise<void> {
  if (!(await isThere(path))) return;
  await emptyTree(path, anchoring);
  await rmdir(path);
}

/** The same, but the folder itself stays. */
export async function emptyTree(path: string, anchoring: Anchoring): Promise<void> {
  const options = { anchoring, create: false, owner: undefined };
  const prefix = `.${randomBytes(8).toString("hex")}-`;
  await withFolder(path, [], options, async (root) => {
    let moved = 0;
    const moveUp = async (folder: Buffer): Promise<void> => {
      await withRights(folder, () => rename(folder, root.child(`${prefix}${moved + 1}`)));
      moved += 1;
    };
    await emptyFolder(root, prefix, moveUp);
    for (let next = 1; next <= moved; next += 1) {
      const child = root.child(`${prefix}${next}`);
      await withRights(child, () => withFolder(child, [], options, (folder) => emptyFolder(folder, "", moveUp)));
      await rmdir(child);
    }
  });
}

/** Names are bytes here: a program may have made some that are no text. What begins with `except` stays. */
async function emptyFolder(
  folder: OpenFolder,
  except: string,
  moveUp: (folder: Buffer) => Promise<void>,
): Promise<void> {
  await folder.handle.chmod(0o700);
  const entries = await opendir(folder.child("."), { encoding: "buffer" as BufferEncoding });
  for await (const entry of entries) {
    const name = entry.name as unknown as Buffer;
    if (except !== "" && name.toString("latin1").startsWith(except)) continue;
    const child = Buffer.concat([Buffer.from(folder.child("./")), name]);
    if (entry.isDirectory()) await moveUp(child);
    else await unlink(child);
  }
}

/** A folder without rights gets them when they are missed. Root misses none. */
async function withRights<Result>(folder: string | Buffer, use: () => Promise<Result>): Promise<Result> {
  try {
    return await use();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EACCES") throw error;
    await chmod(folder, 0o700);
    return use();
  }
}
