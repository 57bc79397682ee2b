import { measureWorkspace, type WorkspaceSize } from "./measure-workspace.ts";
import type { SandboxCommand, SandboxOutcome, WorkspaceLimits } from "./types.ts";

/**
 * Holds workspaces to a size. Not every file system has a quota, so the size is measured after each command; above the
 * limit, commands may read, move and delete, but not write into a file, until it is smaller.
 */
export interface WorkspaceLimit {
  /** Runs a command, kept from writing if need be. Not two at a time on one workspace. */
  hold(command: SandboxCommand, run: (command: SandboxCommand) => Promise<SandboxOutcome>): Promise<SandboxOutcome>;
  /** A sentence that says what to do when it exceeds the limit; undefined when it does not. */
  check(workspace: string): Promise<string | undefined>;
}

export function createWorkspaceLimit(limits: () => WorkspaceLimits): WorkspaceLimit {
  /** Workspaces that were fine when last looked at. The others are looked at before a command as well. */
  const fine = new Set<string>();

  async function look(workspace: string): Promise<WorkspaceSize> {
    const size = await measureWorkspace(workspace, limits());
    if (size.kind === "fine") fine.add(workspace);
    else fine.delete(workspace);
    return size;
  }

  return {
    async check(workspace) {
      const size = await look(workspace);
      return isFree(size) || size.kind === "fine" ? undefined : describeSize(size, limits());
    },
    async hold(command, run) {
      const { workspace } = command;
      if (command.measured === false) return run(command);
      const isFine = fine.has(workspace) || isFree(await look(workspace));
      const outcome = await run(isFine ? command : { ...command, command: withoutWriting(command.command) });
      const after = await look(workspace);
      return outcome.kind !== "finished" || after.kind === "fine"
        ? outcome
        : { ...outcome, workspaceFull: describeSize(after, limits()) };
    },
  };
}

/** A folder that is not there is the engine's to complain about. */
function isFree(size: WorkspaceSize): boolean {
  return size.kind === "fine" || (size.kind === "unknown" && size.reason === "ENOENT");
}

/** The hard limit of the largest file is 0 before the command begins; the command's user cannot raise it. */
function withoutWriting(command: string): string {
  const quoted = `'${command.replaceAll("'", "'\\''")}'`;
  return `ulimit -f 0; exec bash --noprofile --norc -c -- ${quoted}`;
}

function describeSize(size: Exclude<WorkspaceSize, { kind: "fine" }>, limits: WorkspaceLimits): string {
  const until = "until then commands can read, move and delete, but write no file.";
  if (size.kind === "unknown") {
    return `The size of the workspace cannot be told (${size.reason}). Make every folder in it readable and less deep; ${until}`;
  }
  const most = size.what === "files" ? `${limits.files} files` : `${Math.floor(limits.bytes / 1024 ** 2)} MiB`;
  return `The workspace is over its limit of ${most}. Delete what is not needed; ${until}`;
}
