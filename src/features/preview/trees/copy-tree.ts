import { constants } from "node:fs";
import type { Stats } from "node:fs";
import { chmod, copyFile, lchown, mkdir, symlink, writeFile } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import { withFolder, type OpenFolder } from "../../../workspace/open-folder.ts";
import { walkTree, type SkippedEntry, type WalkOptions } from "../../../workspace/trees/walk-tree.ts";

export interface CopyOptions extends WalkOptions {
  /** Root gives each copy to the owner of the original; anyone else owns all of it already. */
  readonly keepOwner: boolean;
}

/** Twins share their blocks where the file system can (btrfs, XFS, bcachefs); elsewhere the kernel copies. */
const copyMode = constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE;

/**
 * Copies what is below `from` into the empty folder `to`: files with their content, folders, and links as links,
 * whatever their target. No copy is the same file as its original, not even of a hard link. Pipes, sockets and devices
 * are left out and named. Throws TreeTooLarge; then `to` holds a part.
 */
export async function copyTree(from: string, to: string, options: CopyOptions): Promise<readonly SkippedEntry[]> {
  const own = (path: string, stats: Stats) =>
    options.keepOwner ? lchown(path, stats.uid, stats.gid) : Promise.resolve();
  const inFolder = { anchoring: options.anchoring, create: false, owner: undefined };
  return withFolder(to, [], inFolder, (target) =>
    walkTree<OpenFolder>(from, target, options, {
      async folder({ name, stats }, place, inside) {
        const path = place.child(name);
        await mkdir(path, { mode: 0o700 });
        await withFolder(path, [], inFolder, inside);
        await own(path, stats);
        await chmod(path, stats.mode & 0o777);
      },
      async file({ name, stats }, place, handle) {
        const path = place.child(name);
        // By the descriptor, not by the name, which may be another file's by now.
        if (options.anchoring === "descriptor") await copyFile(`/proc/self/fd/${handle.fd}`, path, copyMode);
        else await copyContent(handle, stats.size, path);
        await own(path, stats);
        await chmod(path, stats.mode & 0o777);
      },
      async link({ name, stats }, place, destination) {
        await symlink(destination, place.child(name));
        await own(place.child(name), stats);
      },
    }),
  );
}

/** Without /proc there is no second way to an open file. No more than it had at first: it may grow as fast as it is read. */
async function copyContent(handle: FileHandle, bytes: number, path: string): Promise<void> {
  const content = bytes === 0 ? "" : handle.createReadStream({ autoClose: false, start: 0, end: bytes - 1 });
  await writeFile(path, content, { flag: "wx" });
}
