import { randomBytes } from "node:crypto";
import { finished } from "node:stream/promises";
import { StringDecoder } from "node:string_decoder";
import { sleep } from "../../core/abort.ts";
import type { Taint } from "../../core/conversation.ts";
import type { OpenProgram, Sandbox } from "../../sandbox/types.ts";
import type { FolderStay } from "../../workspace/known-contents.ts";
import { createNewestOutput, type NewestOutput } from "../../kernel/tools/newest-output.ts";

/**
 * Commands that go on after the call that began them, each in a separate container. They live as long as the process at
 * most.
 */
export interface FollowedCommands {
  /** Begins one, and answers after a short while or at its end. */
  start(wanted: FollowedStart): Promise<FollowedLook | { readonly kind: "refused"; readonly error: string }>;
  /** The output since the last look; undefined = the session has no such command. */
  look(session: string, id: string, how: FollowedHow): Promise<FollowedLook | undefined>;
  /** false = nothing went on in it. */
  endSession(session: string): boolean;
  endAll(why: "all-work" | "switched-off"): void;
}

interface FollowedStart {
  readonly command: string;
  /** Relative to the workspace. */
  readonly cwd: string;
  readonly zone: string;
  /** Absolute folder on the engine's host. */
  readonly workspace: string;
  readonly session: string;
  /** As of a sandbox command. */
  readonly image?: string;
  readonly limitMs: number;
  /** The caller who begins it, and what its turn had read. */
  readonly origin: FollowedOrigin;
  /** Its time in the workspace, which is ended with it. */
  readonly stay?: FolderStay;
  /** Ends it while the call runs. */
  readonly signal: AbortSignal;
}

interface FollowedOrigin {
  readonly person: string;
  readonly taint: Taint;
  readonly sources: readonly string[];
}

interface FollowedHow {
  readonly stop: boolean;
  readonly waitMs: number;
  readonly signal: AbortSignal;
}

export interface FollowedLook {
  readonly kind: "seen";
  readonly id: string;
  readonly output: string;
  /** Characters of older output that were left out. */
  readonly cut: number;
  readonly running: boolean;
  /** As bash reports it; absent = it runs, or was ended. */
  readonly exitCode?: number;
  /** Why it was ended. */
  readonly ended?: string;
  readonly origin: FollowedOrigin;
  readonly stay?: FolderStay;
}

interface Followed {
  readonly id: string;
  readonly session: string;
  readonly origin: FollowedOrigin;
  readonly output: NewestOutput;
  readonly stay?: FolderStay;
  /** Fires with the reason as a sentence. */
  readonly ending: AbortController;
  isRunning: boolean;
  exitCode?: number;
}

const limits = {
  session: 3,
  all: 8,
  /** Bytes it may write in all. */
  outputBytes: 64 * 1024 * 1024,
  /** Ended commands of a session whose output can still be read. */
  kept: 8,
};
const endings = {
  "all-work": "It was stopped with all work.",
  "switched-off": "It was stopped: the sandbox was switched off.",
};
const firstLookMs = 2_000;
const workspaceLookMs = 5_000;

/**
 * Both streams become standard output; standard error carries the exit code alone. Closing its input ends everything,
 * so that nothing outlives the gateway.
 */
const script = `exec 3>&2 4<&0 2>&1
cd -- "$0" || { printf 1 >&3; exit 1; }
bash --noprofile --norc -c -- "$1" </dev/null 3>&- 4<&- &
command=$!
{ cat <&4 >/dev/null; kill -KILL -1; } 3>&- 2>/dev/null &
wait "$command"
printf %d "$?" >&3`;

export function createFollowedCommands({ sandbox }: { readonly sandbox: Sandbox }): FollowedCommands {
  const commands = new Map<string, Followed>();
  const listOf = (session: string) => [...commands.values()].filter((one) => one.session === session);

  function findRefusal(session: string): string | undefined {
    const running = [...commands.values()].filter(({ isRunning }) => isRunning);
    const mine = running.filter((one) => one.session === session).length;
    if (mine >= limits.session) return `${mine} commands of this chat go on already. End one with shell_output first.`;
    if (running.length >= limits.all)
      return `${running.length} commands of all chats go on already. Wait until one has ended.`;
    return undefined;
  }

  function add({ session, origin, stay }: FollowedStart): Followed {
    const id = `cmd_${randomBytes(4).toString("hex")}`;
    const output = createNewestOutput();
    const one: Followed = {
      id,
      session,
      origin,
      output,
      ending: new AbortController(),
      isRunning: true,
      ...(stay && { stay }),
    };
    commands.set(id, one);
    const ended = listOf(session).filter(({ isRunning }) => !isRunning);
    for (const old of ended.slice(0, Math.max(0, ended.length - limits.kept))) commands.delete(old.id);
    return one;
  }

  /** Resolves once it has ended, for whatever reason, and its container is gone. */
  async function watch(one: Followed, program: OpenProgram, wanted: FollowedStart): Promise<void> {
    const { ending, output } = one;
    const decoder = new StringDecoder("utf8");
    let bytes = 0;
    program.output.on("data", (piece: Buffer) => {
      bytes += piece.length;
      output.add(decoder.write(piece));
      if (bytes > limits.outputBytes) ending.abort("It was ended: it had written too much.");
    });
    const close = (): void => void program.close();
    ending.signal.addEventListener("abort", close, { once: true });
    if (ending.signal.aborted) close();
    const seconds = Math.round(wanted.limitMs / 1000);
    const timer = setTimeout(() => ending.abort(`It was ended after ${seconds} s, its time limit.`), wanted.limitMs);
    const looking = setInterval(() => {
      void sandbox.checkWorkspace(wanted.workspace).then((full) => full !== undefined && ending.abort(full));
    }, workspaceLookMs);
    timer.unref();
    looking.unref();
    await program.ended;
    clearTimeout(timer);
    clearInterval(looking);
    // Output from before may not have been read yet.
    await finished(program.output);
    output.add(decoder.end());
  }

  /** Why it did not begin; undefined = it did. */
  async function begin(one: Followed, wanted: FollowedStart): Promise<string | undefined> {
    const { command, cwd, zone, workspace, session, image } = wanted;
    const full = await sandbox.checkWorkspace(workspace);
    if (full !== undefined) return `${full} The command did not run.`;
    if (one.ending.signal.aborted) return "The command was stopped before it began.";
    let status = "";
    const opening = await sandbox.open({
      argv: ["bash", "--noprofile", "--norc", "-c", script, cwd, command],
      environment: { TZ: zone },
      workspace,
      session,
      ...(image !== undefined && { imageId: image }),
      onErrorOutput: (text) => void (status = `${status}${text}`.slice(-16)),
      // A stop in the meantime ends it as soon as it is there.
      signal: new AbortController().signal,
    });
    if (opening.kind === "unavailable") return `${opening.reason} The command did not run. ${opening.remedy}`;
    void watch(one, opening.streams, wanted).finally(() => {
      const [code] = /\d{1,3}$/.exec(status) ?? [];
      if (code !== undefined && !one.ending.signal.aborted) one.exitCode = Number(code);
      if (code === undefined) one.ending.abort("It was ended from outside: its container is gone.");
      one.isRunning = false;
      one.stay?.end();
    });
    return undefined;
  }

  function show(one: Followed): FollowedLook {
    const { id, origin, ending, exitCode, isRunning, stay } = one;
    const reason: unknown = ending.signal.reason;
    return {
      kind: "seen",
      id,
      origin,
      ...(stay && { stay }),
      running: isRunning,
      ...one.output.take(!isRunning),
      ...(exitCode !== undefined && { exitCode }),
      ...(!isRunning && exitCode === undefined && typeof reason === "string" && { ended: reason }),
    };
  }

  /** As soon as it has ended, and after this time at the latest. */
  async function pause(one: Followed, milliseconds: number, signal: AbortSignal): Promise<void> {
    const until = performance.now() + milliseconds;
    while (one.isRunning && performance.now() < until) {
      if (!(await sleep(Math.min(50, milliseconds), signal, { ref: false }))) return;
    }
  }

  function end(ones: readonly Followed[], reason: string): boolean {
    const running = ones.filter(({ isRunning }) => isRunning);
    for (const { ending } of running) ending.abort(reason);
    return running.length > 0;
  }

  return {
    async start(wanted) {
      const refused = findRefusal(wanted.session);
      if (refused !== undefined) {
        wanted.stay?.end();
        return { kind: "refused", error: refused };
      }
      const one = add(wanted);
      const stop = (): void => one.ending.abort("It was stopped.");
      wanted.signal.addEventListener("abort", stop, { once: true });
      if (wanted.signal.aborted) stop();
      try {
        const error = await begin(one, wanted);
        if (error !== undefined) {
          wanted.stay?.end();
          commands.delete(one.id);
          return { kind: "refused", error };
        }
        await pause(one, firstLookMs, wanted.signal);
        return show(one);
      } catch (error) {
        wanted.stay?.end();
        commands.delete(one.id);
        throw error;
      } finally {
        wanted.signal.removeEventListener("abort", stop);
      }
    },
    async look(session, id, { stop, waitMs, signal }) {
      const one = commands.get(id);
      if (one?.session !== session) return undefined;
      if (stop) one.ending.abort("It was stopped.");
      await pause(one, stop ? 20_000 : waitMs, signal);
      return show(one);
    },
    endSession: (session) => end(listOf(session), "It was stopped with the chat's work."),
    endAll: (why) => void end([...commands.values()], endings[why]),
  };
}
