import { createHash } from "node:crypto";
import { join } from "node:path";
import { measureWorkspace } from "../sandbox/measure-workspace.ts";
import type { WorkspaceLimits } from "../sandbox/types.ts";

/** A person's part of a group's disk: the files that they send, and the long results of what they ask for, together. */
export interface PersonShare {
  /** Name of their folder in `inbox/` and in `results/`. */
  readonly tag: string;
  readonly limits: WorkspaceLimits;
}

interface ShareHolder {
  readonly id: string;
  /** The same for all their accounts. */
  readonly human?: string;
  readonly role: string;
}

/** In a group only an owner gets more than this fraction of the disk. */
const shares = 4;
const tagLength = 8;
const folders = ["inbox", "results"] as const;

/** Undefined means no limit but the free space. A person whose chat is not known counts as one in a group. */
export function findShare(
  { human, id, role }: ShareHolder,
  chatKind: "private" | "group" | undefined,
  { bytes, files }: WorkspaceLimits,
): PersonShare | undefined {
  if (chatKind === "private" || role === "owner") return undefined;
  const hash = createHash("sha256").update(human ?? id);
  const limits = { bytes: Math.floor(bytes / shares), files: Math.floor(files / shares) };
  return { tag: hash.digest("hex").slice(0, tagLength), limits };
}

/** Whether `bytes` more fit. Files that the person deletes no longer count. `root`: the session's folder. */
export async function fitsShare(root: string, { limits, tag }: PersonShare, bytes: number): Promise<boolean> {
  let [used, files] = [bytes, 0];
  for (const folder of folders) {
    const size = await measureWorkspace(join(root, folder, tag), limits);
    // The person has no files there so far.
    if (size.kind === "unknown" && size.reason === "ENOENT") continue;
    if (size.kind !== "fine") return false;
    used += size.bytes;
    files += size.files;
  }
  return used <= limits.bytes && files < limits.files;
}
