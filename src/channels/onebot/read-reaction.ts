import { z } from "zod";
import type { InboundReaction } from "../types.ts";
import { toChat } from "./chat.ts";
import { nameFace } from "./face-names.ts";
import { readId, readPositiveId } from "./wire-id.ts";

const notice = z.object({
  notice_type: z.literal("group_msg_emoji_like"),
  sub_type: z.unknown().optional(),
  time: z
    .union([z.int(), z.string().regex(/^\d{1,15}$/)])
    .transform(Number)
    .catch(0),
  group_id: z.unknown(),
  user_id: z.unknown().optional(),
  operator_id: z.unknown().optional(),
  message_id: z.unknown(),
  likes: z
    .array(z.object({ emoji_id: z.union([z.string().regex(/^\d{1,7}$/), z.int().positive().transform(String)]) }))
    .min(1)
    .max(20),
  is_add: z.boolean().optional().catch(undefined),
});

/** A longer number is a code point. */
const maxFaceLength = 3;

/**
 * A user put a face under a message, or took it away; QQ reports each step. Undefined when it is no such notice, or a
 * strange one.
 */
export function readReaction(value: unknown, account: string): InboundReaction | undefined {
  const read = notice.safeParse(value).data;
  const group = readPositiveId(read?.group_id);
  // LLBot writes the author of the message elsewhere, so who did it comes first.
  const user = readPositiveId(read?.operator_id) ?? readPositiveId(read?.user_id);
  const messageId = readId(read?.message_id);
  if (read === undefined || group === undefined || user === undefined || messageId === undefined) return undefined;
  const ids = read.likes.map(({ emoji_id: id }) => id);
  const isGone = read.is_add === false || read.sub_type === "remove" || read.sub_type === "delete";
  const chat = toChat({ kind: "group", id: group });
  return {
    kind: "reaction",
    key: `reaction:${chat}:${messageId}:${user}:${ids.join(",")}:${read.time}:${isGone ? "-" : "+"}`,
    address: { platform: "qq", account, chat, thread: null },
    // Names do not come with it.
    sender: { id: user, name: user, kind: "person" },
    sentAt: read.time * 1_000,
    messageId,
    emoji: isGone ? [] : ids.map(describeEmoji),
  };
}

function describeEmoji(id: string): string {
  if (id.length <= maxFaceLength) return `[${nameFace(id) ?? `表情 ${id}`}]`;
  const point = Number(id);
  const sign = point <= 0x10ffff ? String.fromCodePoint(point) : "";
  return /^\p{Extended_Pictographic}$/u.test(sign) ? sign : `[表情 ${id}]`;
}
