import { z } from "zod";
import type { Account } from "./accounts.ts";
import { toChat, type QqChat } from "./chat.ts";
import { readHistory } from "./history.ts";
import { readSegments } from "./read-segments.ts";
import { joinText } from "./segment.ts";
import { readId } from "./wire-id.ts";

/** Whether a message whose sending got no clear answer is out. */
export type Sighting =
  | { readonly kind: "out"; readonly messageId: string }
  | { readonly kind: "absent" }
  | { readonly kind: "unclear"; readonly reason: string }
  | { readonly kind: "disconnected" };

/** Their clock and ours may differ by this much. */
const skewMs = 60_000;
const lookedAt = 20;

const message = z.object({
  user_id: z.unknown().optional(),
  message_id: z.unknown().optional(),
  message: z.unknown().optional(),
  time: z.coerce.number().catch(0),
});

/** Looks for a message of ours with these words since then, and not one that is known to be another. */
export async function findOwnMessage(
  account: Account,
  chat: QqChat,
  wanted: { readonly text: string; readonly since: number },
  timeoutMs: number,
): Promise<Sighting> {
  if (account.link === undefined) return { kind: "disconnected" };
  const history = await readHistory(account.link, account.id, chat, { count: lookedAt, timeoutMs });
  if (history.kind === "disconnected") return history;
  if (history.kind === "unknown") return { kind: "unclear", reason: history.reason };
  const place = toChat(chat);
  for (const item of history.messages.toReversed()) {
    const read = message.safeParse(item);
    if (!read.success || readId(read.data.user_id) !== account.id) continue;
    const messageId = readId(read.data.message_id);
    if (messageId === undefined || account.sent.find(place, messageId) !== undefined) continue;
    if (read.data.time * 1_000 < wanted.since - skewMs) continue;
    if (strip(joinText(readSegments(read.data.message) ?? [])) === strip(wanted.text))
      return { kind: "out", messageId };
  }
  return { kind: "absent" };
}

/** QQ may change line ends and trim. */
function strip(text: string): string {
  return text.replaceAll(/\s+/g, "");
}
