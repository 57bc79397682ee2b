import type { TurnResult } from "../agent/types.ts";
import type { Scrub } from "../tools/key-argument.ts";

/**
 * Removes known secrets from the model's own words. Calls keep their arguments; those are scrubbed where they are
 * shown.
 */
export function scrubSaid<Result extends TurnResult>(result: Result, scrub: Scrub): Result {
  switch (result.kind) {
    case "replied": {
      const messages = result.messages.map((message) =>
        message.role === "assistant" ? { ...message, text: scrub(message.text) } : message,
      );
      return { ...result, text: scrub(result.text), messages };
    }
    case "awaitingApproval":
    case "awaitingTasks":
      return { ...result, shown: scrub(result.shown) };
    case "reported":
      return { ...result, text: scrub(result.text) };
    case "failed":
    case "outage":
      return { ...result, message: scrub(result.message) };
  }
}
