import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { withFolder, type Anchoring, type OpenFolder } from "../../../workspace/open-folder.ts";
import type { TreeEntry } from "../../../workspace/trees/describe-tree.ts";

const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** The content that a description names, if the file still has it. Reads no more than the described size. */
export async function readDescribedFile(
  root: string,
  path: string,
  file: Extract<TreeEntry, { kind: "file" }>,
  anchoring: Anchoring,
): Promise<Buffer | undefined> {
  const parts = path.split("/");
  const name = parts.pop() ?? "";
  try {
    return await withFolder(root, parts, { anchoring, create: false, owner: undefined }, (folder) =>
      readIfSame(folder, name, file),
    );
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (["ENOENT", "ENOTDIR", "ELOOP", "ENXIO", "EACCES", "EISDIR"].includes(code)) return undefined;
    throw error;
  }
}

async function readIfSame(
  folder: OpenFolder,
  name: string,
  file: Extract<TreeEntry, { kind: "file" }>,
): Promise<Buffer | undefined> {
  const handle = await open(folder.child(name), flags);
  try {
    await folder.verify();
    const { size } = await handle.stat();
    if (size !== file.size) return undefined;
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(size), 0, size, 0);
    const content = buffer.subarray(0, bytesRead);
    return createHash("sha256").update(content).digest("hex") === file.digest ? content : undefined;
  } finally {
    await handle.close();
  }
}
