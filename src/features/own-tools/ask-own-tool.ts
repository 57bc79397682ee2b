import { execFile, spawn } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import type { JsonValue } from "../../core/canonical-json.ts";
import type { OwnToolFile } from "./read-own-tools.ts";

/** The result of one start of a tool's code. `place` = line and column in its file, where that is known. */
type OwnToolAnswer =
  | { readonly ok: true; readonly value: JsonValue }
  | { readonly ok: false; readonly error: string; readonly place?: string };

/** Asks the code of a file what it is, or (with `input`) to do it. */
export type AskOwnTool = (
  file: Pick<OwnToolFile, "source">,
  ask: { readonly input?: unknown; readonly signal: AbortSignal },
) => Promise<OwnToolAnswer>;

const program = fileURLToPath(new URL("own-tool-process.ts", import.meta.url));
const maxBytes = 1024 * 1024;
const heapMegabytes = 64;
const probeMs = 10_000;
/** Characters of a stack that are searched for the place; each frame repeats the code. */
const maxStackLength = 100_000;

const answerSchema = z.discriminatedUnion("ok", [
  z.object({ ok: z.literal(true), value: z.json() }),
  z.object({ ok: z.literal(false), error: z.string(), stack: z.string() }),
]);

/**
 * A process for each call: no environment, no files, no programs, no threads, a small heap, killed when the signal
 * fires or when it writes too much. If the kernel allows it, the process gets new namespaces: no network, and no other
 * process.
 */
export function createAskOwnTool(find: () => Promise<readonly string[]> = findIsolation): AskOwnTool {
  let isolation: readonly string[] | undefined;
  return async ({ source }, { input, signal }) => {
    try {
      // Probed once: if isolation disappears later, the call fails instead of running without it.
      isolation ??= await find();
    } catch (error) {
      return { ok: false, error: `It was not started: ${String(error)}` };
    }
    const prefix = isolation;
    const node = [
      process.execPath,
      "--permission",
      `--allow-fs-read=${program}`,
      "--disallow-code-generation-from-strings",
      // Getters on Object.prototype would be handed the insides of Node.
      "--frozen-intrinsics",
      "--disable-warning=ExperimentalWarning",
      `--max-old-space-size=${heapMegabytes}`,
      program,
    ];
    const [command = "", ...given] = [...prefix, ...node];
    const child = spawn(command, given, {
      env: {},
      cwd: "/",
      stdio: ["pipe", "pipe", "ignore"],
      signal,
      killSignal: "SIGKILL",
    });
    return new Promise((resolve) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      child.on("error", (error) => resolve({ ok: false, error: signal.aborted ? "It was stopped." : error.message }));
      child.stdin.on("error", () => undefined);
      child.stdout.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > maxBytes) child.kill("SIGKILL");
        else chunks.push(chunk);
      });
      child.on("close", () => resolve(bytes > maxBytes ? tooLong : readAnswer(Buffer.concat(chunks).toString())));
      child.stdin.end(JSON.stringify({ source, ...(input !== undefined && { input }) }));
    });
  };
}

const tooLong: OwnToolAnswer = { ok: false, error: `It answered more than ${maxBytes} bytes.` };

/**
 * The command line that gives a process new namespaces, the best that works here; empty = only the process itself
 * isolates. Throws when that cannot be determined: a probe that timed out proves nothing about the kernel.
 */
export async function findIsolation(): Promise<readonly string[]> {
  const unshare = process.platform === "linux" ? findProgram("unshare") : undefined;
  if (unshare === undefined) return [];
  const apart = [unshare, "--user", "--map-current-user", "--net", "--ipc", "--pid", "--fork", "--kill-child=SIGKILL"];
  // In a container that hides parts of its /proc, no other /proc can be mounted.
  for (const prefix of [
    [...apart, "--mount-proc", "--"],
    [...apart, "--"],
  ])
    if (await worksHere([...prefix, unshare, "--version"])) return prefix;
  return [];
}

/** In the folders that only root writes to: by PATH the name could be another program. */
function findProgram(name: string): string | undefined {
  return ["/usr/bin", "/bin", "/usr/sbin", "/sbin", "/run/current-system/sw/bin"]
    .map((folder) => join(folder, name))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}

async function worksHere([command = "", ...given]: readonly string[]): Promise<boolean> {
  return new Promise((resolve, reject) => {
    execFile(command, given, { timeout: probeMs, killSignal: "SIGKILL" }, (error) => {
      if (error?.killed === true) reject(new Error("no namespace could be made in time; try again"));
      else resolve(error === null);
    });
  });
}

function readAnswer(text: string): OwnToolAnswer {
  let parsed;
  try {
    parsed = answerSchema.safeParse(JSON.parse(text));
  } catch {
    return { ok: false, error: "It ended without an answer: no memory, or it ended itself." };
  }
  if (!parsed.success) return { ok: false, error: "Its answer is no JSON." };
  if (parsed.data.ok) return { ok: true, value: parsed.data.value as JsonValue };
  const { error, stack } = parsed.data;
  // The address holds the code, followed by the position in the file.
  const frame = /data:text\/javascript;base64,[^\s:)]*:(\d+):(\d+)/.exec(stack.slice(0, maxStackLength)) ?? undefined;
  return { ok: false, error, ...(frame && { place: `${frame[1]}:${frame[2]}` }) };
}
