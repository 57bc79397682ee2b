import type { Logger } from "pino";
import { describeError } from "../../core/errors.ts";
import type { Question } from "../../store/queries/questions.ts";
import { parseArguments } from "../gate/parse-arguments.ts";
import type { ToolRegistry } from "./registry.ts";

/**
 * Prepares resources for the calls of a question. Returns at once and never fails: without preparation a call is only
 * slower.
 */
export type WarmUpCalls = (question: Pick<Question, "session" | "calls">) => void;

export function createWarmUpCalls(parts: {
  readonly registry: ToolRegistry;
  readonly log: Pick<Logger, "warn">;
}): WarmUpCalls {
  const { registry, log } = parts;

  async function warmUp({ session, calls }: Parameters<WarmUpCalls>[0]): Promise<void> {
    for (const call of calls) {
      // A call with hosts gets a container of its own.
      if (call.network.length > 0) continue;
      const tool = registry.find(call.tool);
      const parsed = tool && parseArguments(tool, call.arguments);
      if (tool?.availability?.().ok !== false && parsed?.ok === true) await tool?.prepare?.(parsed.input, session);
    }
  }

  return (question) => {
    warmUp(question).catch((error: unknown) =>
      log.warn({ reason: describeError(error) }, "nothing could be made ready for a question"),
    );
  };
}
