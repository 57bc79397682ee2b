import { z } from "zod";
import type { Account } from "./account.ts";
import { toChat, type QqChat } from "./chat.ts";
import { readHistory } from "./history.ts";
import { readSegments } from "./read-segments.ts";
import { joinText, type Segment } from "./segment.ts";
import { readId } from "./wire-id.ts";

/** Whether a message whose sending got no clear answer is out. */
export type Sighting =
  /** `sentAt` by QQ's clock, milliseconds. */
  | { readonly kind: "out"; readonly messageId: string; readonly sentAt: number }
  | { readonly kind: "absent" }
  | { readonly kind: "unclear"; readonly reason: string }
  | { readonly kind: "disconnected" };

/** Looks into the records, also from before a restart: whether that message is known as one of ours. */
export type IsOwnMessageKnown = (account: string, chat: string, messageId: string) => Promise<boolean>;

/** When the sending began. */
export interface SendStart {
  /** performance.now(). */
  readonly reading: number;
  /** Our clock, milliseconds since 1970. */
  readonly now: number;
}

/** Whole seconds, and the ways there. */
const slackMs = 5_000;
/** Our clock may be this much ahead of QQ's while nothing has shown by how much it is. */
const unmeasuredMs = 10 * 60_000;
const lookedAt = 20;

const message = z.object({
  user_id: z.unknown().optional(),
  message_id: z.unknown().optional(),
  message: z.unknown().optional(),
  time: z.coerce.number().catch(0),
});

/** The looks of a message of ours: its words, or the name of its file. QQ gives pictures and forwards names of its own. */
export type Likeness =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "file" | "picture" | "record" | "forward"; readonly name: string };

/** Looks for a message of ours like this since then, and not one that is known to be another. */
export async function findOwnMessage(
  account: Account,
  chat: QqChat,
  wanted: { readonly like: Likeness; readonly since: SendStart },
  options: { readonly isKnown: IsOwnMessageKnown; readonly timeoutMs: number },
): Promise<Sighting> {
  if (account.link === undefined) return { kind: "disconnected" };
  const history = await readHistory(account.link, account, chat, {
    count: lookedAt,
    timeoutMs: options.timeoutMs,
  });
  if (history.kind === "disconnected") return history;
  if (history.kind === "unknown") return { kind: "unclear", reason: history.reason };
  const place = toChat(chat);
  const { reading, now } = wanted.since;
  const measured = account.clockOffset.toTheirs(reading);
  const earliest = measured === undefined ? now - unmeasuredMs : measured - slackMs;
  for (const item of history.messages.toReversed()) {
    const read = message.safeParse(item);
    if (!read.success || readId(read.data.user_id) !== account.id) continue;
    const messageId = readId(read.data.message_id);
    if (messageId === undefined || account.sent.find(place, messageId) !== undefined) continue;
    const sentAt = read.data.time * 1_000;
    if (sentAt < earliest) continue;
    if (!isLike(readSegments(read.data.message) ?? [], wanted.like)) continue;
    if (!(await options.isKnown(account.id, place, messageId))) return { kind: "out", messageId, sentAt };
  }
  return { kind: "absent" };
}

function isLike(segments: readonly Segment[], like: Likeness): boolean {
  if (like.kind === "text") return strip(joinText(segments)) === strip(like.text);
  if (like.kind === "picture") return segments.some(({ type }) => type === "image");
  if (like.kind === "record" || like.kind === "forward") return segments.some(({ type }) => type === like.kind);
  return segments.some(({ type, data }) => type === "file" && [data["name"], data["file"]].includes(like.name));
}

/** QQ may change line ends and trim. */
function strip(text: string): string {
  return text.replaceAll(/\s+/g, "");
}
