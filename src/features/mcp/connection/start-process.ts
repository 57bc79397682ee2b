import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import type { McpServer } from "../servers/types.ts";
import { findHalfInstalled, findTellingLine } from "./find-telling-line.ts";
import type { ServerStreams } from "./types.ts";

/** Milliseconds a server gets to end after its input was closed, and again after SIGTERM. */
const politeMs = 1_000;
const keptErrors = 16_000;

/** Process groups that are alive. They end before this process does. */
export interface ProcessGroups {
  add(leader: number): void;
  delete(leader: number): void;
}

/**
 * Starts a server in a new process group, so that its children end with it and a Ctrl-C in the terminal is ours to
 * handle. No shell: nothing in the arguments can become a command. Throws when the program cannot be started.
 */
export async function startProcess(
  transport: Extract<McpServer["transport"], { kind: "stdio" }>,
  parts: {
    /** The part of our environment that it gets in addition to its own. */
    readonly inherited: Readonly<Record<string, string>>;
    readonly groups: ProcessGroups;
    readonly onErrorOutput: (text: string) => void;
  },
): Promise<ServerStreams> {
  const child = spawn(transport.command, transport.args, {
    env: { ...parts.inherited, ...transport.env },
    ...(transport.cwd !== undefined && { cwd: transport.cwd }),
    stdio: ["pipe", "pipe", "pipe"],
    detached: true,
    shell: false,
  });
  await once(child, "spawn");
  const leader = child.pid ?? 0;
  parts.groups.add(leader);
  let lastErrors = "";
  child.stderr.on("data", (piece: Buffer) => {
    const text = piece.toString("utf8");
    lastErrors = `${lastErrors}${text}`.slice(-keptErrors);
    parts.onErrorOutput(text);
  });
  child.stderr.on("error", () => child.stderr.destroy());
  child.on("error", () => undefined);

  const exited = new Promise<string>((resolve) => {
    child.once("exit", (code, signal) =>
      resolve(signal === null ? `ended with code ${code}` : `was ended by ${signal}`),
    );
  });
  const drained = new Promise<void>((resolve) => child.stdout.once("close", () => resolve()));
  const ended = exited.then(async (how) => {
    // Reads its last output, then ends its children.
    await Promise.race([drained, pause(500, undefined, { ref: false })]);
    signalGroup(leader, "SIGKILL");
    parts.groups.delete(leader);
    child.stdout.destroy();
    const said = findTellingLine(lastErrors);
    const broken = findHalfInstalled(lastErrors);
    const remedy = broken === undefined ? "" : `; npx has not finished installing it: delete the folder ${broken}`;
    return said === "" ? `it ${how}` : `it ${how} (${said.slice(0, 300)})${remedy}`;
  });

  return {
    input: child.stdin,
    output: child.stdout,
    ended,
    async close() {
      child.stdin.end();
      for (const signal of ["SIGTERM", "SIGKILL"] as const) {
        const gone = await Promise.race([exited, pause(politeMs, undefined, { ref: false })]);
        if (gone !== undefined) break;
        signalGroup(leader, signal);
      }
      await ended;
    },
  };
}

/** A group that is gone already needs no signal. */
export function signalGroup(leader: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-leader, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
