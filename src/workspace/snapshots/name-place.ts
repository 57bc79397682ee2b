import { randomUUID } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

/**
 * The name of a data folder's workspaces, kept in a file of it: two machines may have it under one path, and a machine that
 * lost its disk is another one.
 */
export async function namePlace(home: string): Promise<string> {
  const file = join(home, "workspaces.place");
  try {
    await writeFile(file, randomUUID(), { flag: "wx", mode: 0o600, flush: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  const name = await readFile(file, "utf8");
  if (name !== "") return name;
  // The disk was full when it was written.
  await writeFile(file, randomUUID(), { mode: 0o600, flush: true });
  return readFile(file, "utf8");
}
