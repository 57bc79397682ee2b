import { createOutagePause } from "../outage-pause.ts";
import type { Delivery } from "../types.ts";
import type { ApiAnswer, ApiFailure } from "./api-answer.ts";

/** The state of a sent message. */
export type SentMessage = Pick<Extract<Delivery, { kind: "sent" }>, "messageId" | "sentAt">;

/** The token was refused; the message waits for a new one. */
const unauthorizedRetryMs = 60_000;

/** The meaning of a server's answer for the outbox. */
export function createDeliveryJudge(): (answer: ApiAnswer<SentMessage>) => Delivery {
  const outage = createOutagePause();

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
        return { kind: "later", afterMs: unauthorizedRetryMs, reason: failure.reason, outage: true };
      case "stopped":
        return { kind: "later", afterMs: 0, reason: "the channel is stopping" };
      case "unreachable":
        break;
    }
    const later = { kind: "later", afterMs: outage.next(), reason: failure.reason } as const;
    return failure.silent ? { ...later, outage: true } : later;
  }

  return (answer) => {
    if (answer.kind !== "ok") return judgeFailure(answer);
    outage.over();
    return { kind: "sent", ...answer.value };
  };
}
