import { z } from "zod";
import type { Delivery } from "../types.ts";
import type { ActionAnswer } from "./action-answer.ts";
import { readId } from "./wire-id.ts";

/** The meaning of an answer to a send. doubtful = it may be out or not. */
export type SendVerdict =
  | Extract<Delivery, { kind: "sent" | "refused" | "later" }>
  | { readonly kind: "doubtful"; readonly reason: string };

/** NapCat's and LLBot's catch-alls (QQ swallowed it, or only its acknowledgement was lost), and an answer without a code. */
const doubtful = new Set([1200, 200, -1]);
const tokenRefused = new Set([401, 403, 1401, 1403]);
const tokenMs = 60_000;
const reconnectMs = 2_000;

const sent = z.object({ message_id: z.unknown().optional() });

export function judgeSend(answer: ActionAnswer): SendVerdict {
  switch (answer.kind) {
    case "ok":
      // An asynchronous answer (retcode 1) has no id.
      return { kind: "sent", messageId: readId(sent.safeParse(answer.data).data?.message_id) ?? "" };
    case "unsent":
      return { kind: "later", afterMs: reconnectMs, reason: answer.reason, outage: true };
    case "unanswered":
      return { kind: "doubtful", reason: answer.reason };
    case "failed":
      break;
  }
  if (doubtful.has(answer.retcode)) return { kind: "doubtful", reason: answer.reason };
  if (tokenRefused.has(answer.retcode)) return { kind: "later", afterMs: tokenMs, reason: answer.reason, outage: true };
  return { kind: "refused", reason: answer.reason };
}
