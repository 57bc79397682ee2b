import { spawnKurisu, type SpawnOptions } from "./spawn-kurisu.ts";

/** A line of `chat --once --json`, as scripts read it. */
type JsonLine =
  | { readonly type: "delta"; readonly text: string }
  | { readonly type: "tool"; readonly id: string; readonly name: string; readonly status: string; readonly ms?: number }
  | {
      readonly type: "approval";
      readonly id: string;
      readonly code: string;
      readonly calls: readonly { readonly tool: string; readonly summary: string }[];
      readonly expiresAt: string;
    }
  | { readonly type: "reply"; readonly text: string; readonly turn: string | null }
  | { readonly type: "error"; readonly code: string; readonly message: string };

export interface OnceResult {
  readonly lines: readonly JsonLine[];
  readonly code: number | null;
  readonly stderr: string;
  /** Text of the last reply, or "". */
  readonly reply: string;
  /** The question, if there was one. */
  readonly approval: Extract<JsonLine, { type: "approval" }> | undefined;
}

/** `kurisu chat --once TEXT --json`; `more` are further arguments such as `--session`. */
export async function runOnce(
  text: string,
  options: SpawnOptions & { readonly more?: readonly string[] },
): Promise<OnceResult> {
  const child = spawnKurisu(["chat", "--once", text, "--json", ...(options.more ?? [])], options);
  const { code } = await child.ended();
  return readOnce(code, child.stdout(), child.stderr());
}

export function readOnce(code: number | null, out: string, stderr: string): OnceResult {
  const lines = out
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as JsonLine);
  return {
    lines,
    code,
    stderr,
    reply: lines.findLast((line) => line.type === "reply")?.text ?? "",
    approval: lines.findLast((line) => line.type === "approval"),
  };
}
