import { execFile, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import type { JsonValue } from "../../core/canonical-json.ts";
import type { OwnToolFile } from "./read-own-tools.ts";

/** What came of one start of a tool's code. `place` = line and column in its file, where that is known. */
type OwnToolAnswer =
  | { readonly ok: true; readonly value: JsonValue }
  | { readonly ok: false; readonly error: string; readonly place?: string };

/** Asks the code of a file what it is, or (with `input`) to do it. */
export type AskOwnTool = (
  file: Pick<OwnToolFile, "code">,
  ask: { readonly input?: unknown; readonly signal: AbortSignal },
) => Promise<OwnToolAnswer>;

const program = fileURLToPath(new URL("own-tool-process.ts", import.meta.url));
const mostBytes = 1024 * 1024;
const heapMegabytes = 64;
/** Characters of a stack in which the place is looked for; each frame repeats the code. */
const longestStack = 100_000;

const answerSchema = z.discriminatedUnion("ok", [
  z.object({ ok: z.literal(true), value: z.json() }),
  z.object({ ok: z.literal(false), error: z.string(), stack: z.string() }),
]);

/**
 * A process for each call: no environment, no files, no programs, no threads, a small heap, killed when the signal says so
 * or when it writes too much. Where the kernel lets us it has a network namespace of its own with nothing in it.
 */
export function createAskOwnTool(): AskOwnTool {
  let isolation: Promise<readonly string[]> | undefined;
  return async ({ code }, { input, signal }) => {
    isolation ??= findIsolation();
    const prefix = await isolation;
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
        if (bytes > mostBytes) child.kill("SIGKILL");
        else chunks.push(chunk);
      });
      child.on("close", () => resolve(bytes > mostBytes ? tooLong : readAnswer(Buffer.concat(chunks).toString())));
      child.stdin.end(JSON.stringify({ code, ...(input !== undefined && { input }) }));
    });
  };
}

const tooLong: OwnToolAnswer = { ok: false, error: `It answered more than ${mostBytes} bytes.` };

/** The command line that gives a process a network of its own, if there is one. Without it the process itself is all there is. */
async function findIsolation(): Promise<readonly string[]> {
  if (process.platform !== "linux") return [];
  const prefix = ["unshare", "--user", "--map-current-user", "--net", "--"];
  return new Promise((resolve) => {
    const [command = "", ...given] = prefix;
    execFile(command, [...given, "true"], { timeout: 5_000 }, (error) => resolve(error ? [] : prefix));
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
  // The address holds the code; the place in the file stands behind it.
  const frame = /data:text\/javascript;base64,[^\s:)]*:(\d+):(\d+)/.exec(stack.slice(0, longestStack)) ?? undefined;
  return { ok: false, error, ...(frame && { place: `${frame[1]}:${frame[2]}` }) };
}
