import { open } from "node:fs/promises";

/** Resolves when the names in a folder are on the disk. */
export async function syncFolder(path: string): Promise<void> {
  const handle = await open(path);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
