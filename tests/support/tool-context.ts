import type { ToolContext } from "../../src/kernel/tools/types.ts";

/** What a tool is told of its turn: the owner in the terminal, in Shanghai, on 2026-11-22 at 12:05:06 there. */
export function createToolContext(changes: Partial<ToolContext> = {}): ToolContext {
  return {
    session: "cli:main",
    turn: "turn_1",
    call: "1.1",
    person: { id: "cli:owner", name: "Okabe", role: "owner" },
    language: "zh",
    zone: "Asia/Shanghai",
    now: Date.UTC(2026, 10, 22, 4, 5, 6),
    taint: "owner",
    signal: new AbortController().signal,
    progress: () => undefined,
    ...changes,
  };
}
