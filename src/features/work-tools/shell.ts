import { z } from "zod";
import type { JsonValue } from "../../core/canonical-json.ts";
import type { Sandbox, SandboxOutcome } from "../../sandbox/types.ts";
import { defineTool } from "../../kernel/tools/define-tool.ts";
import { describeLook, firstSignal } from "./describe-look.ts";
import type { FollowedCommands } from "./followed-commands.ts";
import type { Tool, ToolContext, ToolResult } from "../../kernel/tools/types.ts";
import type { FolderStay, KnownContents } from "../../workspace/known-contents.ts";
import { parseWorkspacePath } from "../../workspace/parse-workspace-path.ts";
import type { Workspace } from "../../workspace/types.ts";
import { workspacePath } from "../../workspace/workspace-path.ts";

/** Waiting for the container, and for a place behind commands of other chats as long as commands may be, comes on top. */
const overheadMs = 330_000;

/** `maximum` and `usual` are seconds. */
const shellInput = (maximum: number, usual: number) =>
  z.strictObject({
    command: z
      .string()
      .min(1)
      .max(32_768)
      .refine((command) => command.trim() !== "" && !command.includes("\0"), {
        error: "must be a command, without NUL",
      })
      .describe("The command for bash -c."),
    timeout: z.number().min(1).max(maximum).default(usual).describe(`Seconds it may run, 1 to ${maximum}.`),
    cwd: workspacePath.default(".").describe("Folder to start in, relative to the workspace."),
    follow: z
      .boolean()
      .exactOptional()
      .describe(
        "true = for what takes long: answers soon with an id and lets the command go on; shell_output reads on. timeout does not count then.",
      ),
    fresh: z.boolean().default(false).describe("Run in a new container, more slowly. Files in the workspace stay."),
  });

export type ShellInput = z.infer<ReturnType<typeof shellInput>>;

/** Runs a command in the sandbox and nowhere else. */
export function createShellTool(parts: {
  readonly sandbox: Sandbox;
  readonly workspace: Workspace;
  /** The owners of contents; absent on copies, which are shown to people alone. */
  readonly contents?: KnownContents;
  /** Absent on copies, where a command that is to be followed runs as any other. */
  readonly followed?: FollowedCommands;
  /** Milliseconds that such a command may go on, 10 minutes unless set, an hour at most. */
  readonly followMs?: number;
  /** true = every command runs in a fresh container, for a workspace other than the conversation's. */
  readonly alwaysFresh?: boolean;
  /** true = it never reaches the network, whatever the call asks for. */
  readonly neverNetwork?: boolean;
  readonly defaultTimeoutSeconds?: number;
  readonly maximumTimeoutSeconds?: number;
}): Tool<ShellInput> {
  const { sandbox, workspace } = parts;
  const { contents: _, followed, ...onCopies } = parts;
  const limitMs = Math.min(3_600_000, Math.max(1000, parts.followMs ?? 600_000));
  const maximum = Math.min(300, Math.max(1, parts.maximumTimeoutSeconds ?? 300));
  const usual = Math.min(maximum, Math.max(1, parts.defaultTimeoutSeconds ?? 30));
  return defineTool({
    name: "shell",
    kind: "shell",
    description: {
      zh:
        "在锁住的容器里用 bash 运行一条命令,用于计算、处理文件、跑脚本。没有网络(除非这一轮写明能访问哪些主机),没有后台进程(要跑很久的用 follow);只有当前目录(工作区)里的文件会保留," +
        "file_read 和 file_write 看到的是同一批文件。有 bash、curl、jq 和常用文本工具。",
      en:
        "Run a bash command in a locked container: to compute, work on files, run scripts. No network, unless this turn names hosts it can reach; no background processes (follow is for what takes long); only " +
        "files in the current folder (the workspace) stay, the same ones that file_read and file_write see. Has bash, curl, jq and text tools.",
    },
    input: shellInput(maximum, usual),
    level: "confirm",
    alwaysAsks: true,
    readOnly: false,
    idempotent: false,
    place: "sandbox",
    reachesHosts: true,
    timeoutMs: (input) => input.timeout * 1000 + overheadMs,
    ...(followed && { goesOnFor: ({ follow }: ShellInput) => (follow === true ? limitMs : undefined) }),
    detail: describeCommand,
    summarize: ({ command, cwd }) => (cwd === "." ? command : `${command}\n[in ${cwd}]`),
    availability: () => {
      const status = sandbox.lastStatus();
      return status.state === "ready" ? { ok: true } : { ok: false, reason: `${status.detail} ${status.remedy}` };
    },
    binding: async ({ follow, fresh }, { session, network }) => {
      const alone = follow === true || fresh || parts.alwaysFresh === true || network.length > 0;
      return { image: (await sandbox.findImage(alone ? undefined : session)) ?? null };
    },
    onCopy: (copy) => createShellTool({ ...onCopies, workspace: copy, alwaysFresh: true, neverNetwork: true }),
    async prepare({ follow, fresh }, session) {
      if (!fresh && follow !== true) await sandbox.warm({ session, workspace: await workspace.folderFor(session) });
    },
    async run(input, context) {
      const { binding } = context;
      const cwd = parseWorkspacePath(input.cwd);
      if (!cwd.ok) return { ok: false, error: cwd.error };
      const folder = await workspace.folderFor(context.session);
      const stay = await parts.contents?.enterFolder(context, folder, context.signal);
      if (input.follow === true && followed) {
        const place = { cwd: `./${cwd.relative}`, workspace: folder, limitMs, ...readImage(binding) };
        return startFollowed(followed, input.command, { ...place, ...(stay && { stay }) }, context);
      }
      return runOnce(input, context, { cwd: cwd.relative, folder, ...(stay && { stay }) });
    },
  });

  /** In the foreground, to its end. */
  async function runOnce(
    input: ShellInput,
    context: ToolContext,
    { cwd, folder, stay }: { readonly cwd: string; readonly folder: string; readonly stay?: FolderStay },
  ): Promise<ToolResult> {
    const { binding, network = [], signal } = context;
    const newestLine = createNewestLine();
    // A container that was lost may go on until its own time limit.
    let lingersMs = input.timeout * 1000 + 60_000;
    try {
      const outcome = await sandbox.run({
        command: input.command,
        // "./" so that a folder called -L is a folder and no option.
        cwd: `./${cwd}`,
        timeoutMs: input.timeout * 1000,
        environment: { TZ: context.zone },
        workspace: folder,
        session: context.session,
        fresh: input.fresh || parts.alwaysFresh === true,
        ...readImage(binding),
        ...(parts.neverNetwork !== true && network.length > 0 && { network }),
        signal,
        onOutput: ({ text }) => context.progress(newestLine(text)),
      });
      if (outcome.kind !== "unavailable" || !outcome.started) lingersMs = 0;
      const result = describeOutcome(outcome, input, network);
      if (outcome.kind !== "finished" || outcome.network !== undefined) return result;
      const seen = (await stay?.label(context, signal)) ?? {};
      if (network.length === 0 && cameToItsEnd(outcome)) await stay?.keep(context, signal);
      return { ...result, ...seen };
    } finally {
      stay?.end(lingersMs);
    }
  }
}

/** Whether it ended without being killed: the files of a half-finished command have no owner. */
function cameToItsEnd(outcome: Extract<SandboxOutcome, { readonly kind: "finished" }>): boolean {
  const { exitCode, outOfMemory, timedOut, truncated, workspaceFull } = outcome;
  return exitCode < firstSignal && !timedOut && !truncated && !outOfMemory && workspaceFull === undefined;
}

async function startFollowed(
  followed: FollowedCommands,
  command: string,
  place: Pick<Parameters<FollowedCommands["start"]>[0], "cwd" | "workspace" | "limitMs" | "image" | "stay">,
  context: ToolContext,
): Promise<ToolResult> {
  const { agent, network = [], person, session, signal, zone } = context;
  const refuse = (error: string): ToolResult => {
    place.stay?.end();
    return { ok: false, error };
  };
  if (network.length > 0) return refuse("A command that may reach hosts cannot be followed. Run it without follow.");
  // It would outlive the sub-agent, which alone could look at it.
  if (agent) return refuse("A sub-agent cannot follow a command. Run it without follow.");
  const seen = (await place.stay?.label(context, signal)) ?? {};
  const taint = context.taint === "untrusted" ? context.taint : (seen.taint ?? context.taint);
  const origin = { person: person.id, taint, sources: [...(context.sources ?? []), ...(seen.sources ?? [])] };
  const look = await followed.start({ ...place, command, zone, session, origin, signal });
  return look.kind === "refused" ? { ok: false, error: look.error } : describeLook(look, context);
}

/** A line of ours comes first where there is something to say, or where the command pretends that there is. */
function describeCommand({ command, cwd, follow, fresh }: ShellInput): string {
  const terms = [
    ...(cwd === "." ? [] : [`in ${cwd}`]),
    ...(fresh ? ["in a new container"] : []),
    ...(follow === true ? ["goes on in the background"] : []),
  ];
  if (terms.length > 0) return `[${terms.join(", ")}]\n${command}`;
  return /^\[(?:in|goes) /.test(command) ? `[in .]\n${command}` : command;
}

/** The image that the hash of the call holds. */
function readImage(binding: JsonValue | undefined): { readonly image?: string } {
  const image = typeof binding === "object" && binding !== null && "image" in binding ? binding.image : undefined;
  return typeof image === "string" ? { image } : {};
}

function describeOutcome(outcome: SandboxOutcome, input: ShellInput, network: readonly string[]): ToolResult {
  if (outcome.kind === "stopped") {
    const error = outcome.started
      ? "The command was stopped before it ended; part of it may have happened in the workspace."
      : "The command was stopped before it began.";
    return { ok: false, error };
  }
  if (outcome.kind === "unavailable") {
    const error = outcome.started
      ? `${outcome.reason} Part of the command may have happened; look at the workspace before running it again.`
      : `${outcome.reason} The command did not run. ${outcome.remedy}`;
    return { ok: false, error };
  }
  const output = {
    exit_code: outcome.exitCode,
    stdout: outcome.stdout,
    stderr: outcome.stderr,
    timed_out: outcome.timedOut,
    truncated: outcome.truncated,
    ...(outcome.outOfMemory ? { out_of_memory: true } : {}),
    ...(outcome.workspaceFull === undefined ? {} : { workspace: outcome.workspaceFull }),
    ...(outcome.network === undefined ? {} : { network: { ...outcome.network } }),
  };
  // The output can hold words of a host.
  const taint = outcome.network === undefined ? {} : { taint: "untrusted" as const, sources: network };
  return { ok: true, output, message: describeEnd(outcome, input), ...taint };
}

function describeEnd(outcome: SandboxOutcome & { kind: "finished" }, input: ShellInput): string {
  if (outcome.timedOut) return `killed after ${input.timeout} s`;
  if (outcome.outOfMemory) return `exit ${outcome.exitCode}, out of memory`;
  return outcome.truncated ? "killed at the output cap" : `exit ${outcome.exitCode}`;
}

/** Follows output as it comes and answers its newest line that says something, as a progress bar that rewrites its line does too. */
export function createNewestLine(): (text: string) => string {
  let line = "";
  let open = "";
  return (text) => {
    const pieces = (open + text.slice(-maxTailLength)).split(/[\r\n]/);
    open = (pieces.at(-1) ?? "").slice(-maxTailLength);
    line = pieces.findLast((piece) => piece.trim() !== "")?.trim() ?? line;
    return line;
  };
}

/** Characters; a line that is longer is shown in part anyway. */
const maxTailLength = 4_000;
