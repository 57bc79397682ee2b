import { mkdir } from "node:fs/promises";
import { join } from "node:path";

/** Makes the folder that a server's process works in: one for each server, below the data folder. */
export function createWorkFolders(home: string): (server: string) => Promise<string> {
  return async (server) => {
    const folder = join(home, "mcp", server);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return folder;
  };
}
