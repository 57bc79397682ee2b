import { access, mkdir, open, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";

/** Outgoing files, each as it was when its message was queued: later changes in the workspace do not affect it. */
export interface OutgoingFiles {
  /** Stores the content under a message's id; on disk before it resolves. */
  keep(id: string, content: Uint8Array): Promise<void>;
  /** A host path of the stored content, there until it is dropped. */
  pathOf(id: string): Promise<string>;
  has(id: string): Promise<boolean>;
  drop(id: string): Promise<void>;
  /** Removes content that no row will send. */
  sweep(isWanted: (id: string) => Promise<boolean>): Promise<void>;
}

const half = ".half";

/** Files of this machine. `folder` is created on the first write, accessible to this user only. */
export function createOutgoingFiles(folder: string): OutgoingFiles {
  const pathOf = (id: string): string => join(folder, encodeURIComponent(id));
  const drop = (id: string): Promise<void> => rm(pathOf(id), { force: true });

  return {
    pathOf: async (id) => pathOf(id),
    drop,
    async keep(id, content) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const file = await open(`${pathOf(id)}${half}`, "w", 0o600);
      try {
        await file.writeFile(content);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(`${pathOf(id)}${half}`, pathOf(id));
    },
    async has(id) {
      try {
        await access(pathOf(id));
        return true;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
        throw error;
      }
    },
    async sweep(isWanted) {
      for (const name of await listNames(folder)) {
        if (name.endsWith(half)) await rm(join(folder, name), { force: true });
        else if (!(await isWanted(decodeURIComponent(name)))) await rm(join(folder, name), { force: true });
      }
    },
  };
}

async function listNames(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}
