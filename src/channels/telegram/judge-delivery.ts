import type { Delivery } from "../types.ts";
import type { ApiAnswer, ApiFailure } from "./api-answer.ts";

/** The state of a sent message. */
export type SentMessage = Pick<Extract<Delivery, { kind: "sent" }>, "messageId" | "sentAt">;

/** Waiting times after requests without an answer, one after another. */
const retrySteps = [2_000, 5_000, 10_000, 30_000, 60_000];
/** The token was refused; the message waits for a new one. */
const unauthorizedRetryMs = 60_000;

/** What an answer of the server means for the outbox. */
export function createDeliveryJudge(): (answer: ApiAnswer<SentMessage>) => Delivery {
  let unanswered = 0;

  function judgeFailure(failure: ApiFailure): Delivery {
    switch (failure.kind) {
      case "refused":
        return { kind: "refused", reason: failure.reason };
      case "migrated":
        // A supergroup that moved on while it was written to: the next try goes there.
        return { kind: "later", afterMs: 1_000, reason: failure.reason };
      case "flood": {
        const later = { kind: "later", afterMs: failure.retryAfterMs, reason: failure.reason } as const;
        return failure.unsent ? { ...later, untried: true } : later;
      }
      case "unauthorized":
      case "conflict":
        return { kind: "later", afterMs: unauthorizedRetryMs, reason: failure.reason };
      case "stopped":
        return { kind: "later", afterMs: 0, reason: "the channel is stopping" };
      case "unreachable":
        break;
    }
    const afterMs = retrySteps[Math.min(unanswered, retrySteps.length - 1)] ?? unauthorizedRetryMs;
    unanswered += 1;
    return { kind: "later", afterMs, reason: failure.reason };
  }

  return (answer) => {
    if (answer.kind !== "ok") return judgeFailure(answer);
    unanswered = 0;
    return { kind: "sent", ...answer.value };
  };
}
