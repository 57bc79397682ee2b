import type { Logger } from "pino";
import { describeError } from "../../core/errors.ts";
import { openSealedTool, type SealedTool } from "./sealed-tool.ts";
import type { ToolContext, ToolResult } from "./types.ts";

/** `cut` is what ended the call early. */
interface ToolRun {
  readonly result: ToolResult;
  readonly cut?: "timeout" | "stopped";
}

/**
 * Runs a tool within its time limit and turns exceptions into a failed result. It asks for no approval: only the
 * executor may call it, and the previewer with a tool that acts on a copy (tests/architecture.test.ts).
 */
export async function runTool(
  tool: SealedTool,
  input: unknown,
  context: ToolContext,
  log: Pick<Logger, "warn">,
): Promise<ToolRun> {
  // An abort that has happened already would reach neither the tool nor the timer below.
  if (context.signal.aborted)
    return { result: { ok: false, error: "Stopped before it began; nothing ran." }, cut: "stopped" };
  const limit = tool.timeoutMs(input);
  const expired = AbortSignal.timeout(limit);
  const signal = AbortSignal.any([context.signal, expired]);
  let giveUp: () => void = () => undefined;
  const aborted = new Promise<ToolResult>((resolve) => {
    giveUp = () =>
      resolve({ ok: false, error: expired.aborted ? `Took longer than ${limit} ms and was stopped.` : "Stopped." });
    // A tool that ignores its signal gets this long to end before it is abandoned.
    signal.addEventListener("abort", () => setTimeout(giveUp, 5_000).unref(), { once: true });
  });
  try {
    return end(await Promise.race([openSealedTool(tool).run(input, { ...context, signal }), aborted]));
  } catch (error) {
    log.warn({ err: error, tool: tool.name, turn: context.turn, call: context.call }, "a tool threw");
    return end({ ok: false, error: `${tool.name} failed: ${describeError(error)}` });
  }

  function end(result: ToolResult): ToolRun {
    if (result.ok || !signal.aborted) return { result };
    return { result, cut: context.signal.aborted ? "stopped" : "timeout" };
  }
}
