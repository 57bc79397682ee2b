import { measureWorkspace } from "../sandbox/measure-workspace.ts";
import type { WorkspaceLimits } from "../sandbox/types.ts";
import { describeSize, FileRefused } from "./file-faults.ts";

/** Refuses what would bring a workspace over its limit, the one that commands are held to (sandbox/workspace-limit.ts). */
export async function requireRoom(folder: string, limits: WorkspaceLimits, added: number): Promise<void> {
  const size = await measureWorkspace(folder, limits);
  if (size.kind === "unknown") {
    const remedy = "make every folder in it readable and less deep in the shell; until then no file is written.";
    throw new FileRefused(`The size of the workspace cannot be told (${size.reason}); ${remedy}`);
  }
  const [most, full] =
    size.kind === "over"
      ? [size.what === "files" ? `${limits.files} files` : describeSize(limits.bytes), true]
      : size.files >= limits.files
        ? [`${limits.files} files`, true]
        : [describeSize(limits.bytes), size.bytes + added > limits.bytes];
  if (full)
    throw new FileRefused(`The workspace has no room for this: its limit is ${most}. Delete what is not needed.`);
}
