import { z } from "zod";
import type { InboundEvent, Sender } from "../types.ts";
import { readLabel, readText } from "../json-view.ts";
import { toChat } from "./chat.ts";
import { isAdministratorRole } from "./is-administrator.ts";
import { nameEvent } from "./name-event.ts";
import { readContent } from "./read-content.ts";
import { readReaction } from "./read-reaction.ts";
import { readRequest } from "./read-request.ts";
import { readSegments } from "./read-segments.ts";
import { readId, readPositiveId } from "./wire-id.ts";

const person = z
  .object({ nickname: z.unknown().optional(), card: z.unknown().optional(), role: z.unknown().optional() })
  .partial();
const envelope = z.object({
  time: z
    .union([z.int(), z.string().regex(/^\d{1,15}$/)])
    .transform(Number)
    .catch(0),
  post_type: z.string(),
  message_type: z.unknown().optional(),
  sub_type: z.unknown().optional(),
  self_id: z.unknown().optional(),
  user_id: z.unknown().optional(),
  group_id: z.unknown().optional(),
  group_name: z.unknown().optional(),
  notice_type: z.unknown().optional(),
  operator_id: z.unknown().optional(),
  message_id: z.unknown().optional(),
  message: z.unknown().optional(),
  raw_message: z.unknown().optional(),
  anonymous: z.unknown().optional(),
  sender: person.catch({}),
});
type Envelope = z.output<typeof envelope>;

/** QQ's own user for anonymous members. */
const anonymousUser = "80000000";

/** Accounts of QQ's bots, as NapCat's get_robot_uin_range lists them. */
const robots: readonly (readonly [first: number, last: number])[] = [
  [66_600_000, 66_600_000],
  [2_854_196_301, 2_854_216_399],
  [3_328_144_510, 3_328_144_510],
  [3_889_000_000, 3_889_999_999],
  [4_010_000_000, 4_019_999_999],
];

/**
 * One event of OneBot 11 as an event of ours. Pure, and total: any JSON gets an answer. A quote comes out as one of
 * somebody else without its text; resolve-quote.ts looks it up.
 */
export function readEvent(value: unknown, account: string): InboundEvent {
  const read = envelope.safeParse(value);
  if (!read.success) return ignore("malformed");
  const event = read.data;
  if (readPositiveId(event.self_id) !== account) return ignore("other_account");
  if (event.post_type === "message") return readMessage(event, account);
  const request = event.post_type === "request" ? readRequest(value, account) : undefined;
  if (request !== undefined) return request;
  const notice =
    event.post_type === "notice"
      ? (readRecall(event, account) ?? readLeaving(event, account) ?? readReaction(value, account))
      : undefined;
  if (notice?.kind === "reaction" && notice.sender.id === account) return ignore("own_reaction");
  return notice ?? ignore(nameEvent(value));
}

function readMessage(event: Envelope, account: string): InboundEvent {
  const user = readPositiveId(event.user_id);
  const messageId = readId(event.message_id);
  const group = event.message_type === "group" ? readPositiveId(event.group_id) : undefined;
  const isGroup = group !== undefined;
  const segments = readSegments(event.message) ?? readSegments(readText(event.raw_message));
  // A guild channel, or a kind of chat that we do not know: we cannot tell who reads it, so its messages are ignored.
  if (event.message_type !== "group" && event.message_type !== "private") return ignore("unknown_chat");
  if (user === undefined || messageId === undefined || segments === undefined) return ignore("malformed");
  if (event.message_type === "group" && !isGroup) return ignore("malformed");
  if (user === account) return ignore("own_message");
  if (!isGroup && (event.sub_type ?? "friend") !== "friend") return ignore("temporary_session");
  if (isGroup && event.sub_type === "notice") return ignore("group_notice");

  const title = readLabel(event.group_name);
  const chat = toChat(isGroup ? { kind: "group", id: group } : { kind: "private", id: user });
  const content = readContent(segments, account);
  if (content.text.trim() === "" && content.attachments.length === 0 && !content.mentionsUs) return ignore("empty");
  return {
    kind: "message",
    key: `message:${chat}:${messageId}`,
    address: { platform: "qq", account, chat, thread: null },
    sender: readSender(event, user, isGroup),
    sentAt: event.time * 1_000,
    chatKind: isGroup ? "group" : "private",
    ...(isGroup && title !== "" && { chatTitle: title }),
    messageId,
    text: content.text,
    attachments: content.attachments,
    ...(content.quotedId === undefined ? {} : { quote: { messageId: content.quotedId, fromUs: false, text: "" } }),
    addressed: !isGroup || content.mentionsUs,
    edited: false,
    forwarded: content.forwarded,
    caption: content.attachments.length > 0 && content.text.trim() !== "",
    viaBot: false,
  };
}

/** undefined = another notice. */
function readRecall(event: Envelope, account: string): InboundEvent | undefined {
  const author = readPositiveId(event.user_id);
  const messageId = readId(event.message_id);
  const isGroup = event.notice_type === "group_recall";
  if (!isGroup && event.notice_type !== "friend_recall") return undefined;
  const group = isGroup ? readPositiveId(event.group_id) : undefined;
  if (author === undefined || messageId === undefined || (isGroup && group === undefined)) return ignore("malformed");
  if (author === account) return ignore("own_recall");
  const chat = toChat(group === undefined ? { kind: "private", id: author } : { kind: "group", id: group });
  const operator = (isGroup ? readPositiveId(event.operator_id) : undefined) ?? author;
  return {
    kind: "recall",
    key: `recall:${chat}:${messageId}`,
    address: { platform: "qq", account, chat, thread: null },
    // QQ lets nobody but those who run a group take back what others wrote.
    sender: { id: operator, name: operator, kind: "person", ...(operator !== author && { administrator: true }) },
    sentAt: event.time * 1_000,
    messageId,
  };
}

/** undefined = another notice. Whether they went or were put out is all the same. */
function readLeaving(event: Envelope, account: string): InboundEvent | undefined {
  if (event.notice_type !== "group_decrease") return undefined;
  const user = readPositiveId(event.user_id);
  const group = readPositiveId(event.group_id);
  if (user === undefined || group === undefined) return ignore("malformed");
  if (user === account || event.sub_type === "kick_me") return ignore("own_leaving");
  return {
    kind: "left",
    // The same may come twice; a later leaving is another one.
    key: `left:${group}:${user}:${event.time}`,
    address: { platform: "qq", account, chat: toChat({ kind: "group", id: group }), thread: null },
    sender: { id: user, name: user, kind: "person" },
    sentAt: event.time * 1_000,
  };
}

function readSender(event: Envelope, user: string, isGroup: boolean): Sender {
  const { card, nickname, role } = event.sender;
  const isAnonymous =
    user === anonymousUser || event.sub_type === "anonymous" || (event.anonymous ?? undefined) !== undefined;
  const isRobot = robots.some(([first, last]) => first <= Number(user) && Number(user) <= last);
  return {
    id: user,
    name: readLabel(card) || readLabel(nickname) || user,
    kind: isAnonymous ? "anonymous" : isRobot ? "bot" : "person",
    ...(isGroup && typeof role === "string" && { administrator: isAdministratorRole(role) }),
  };
}

function ignore(rule: string): InboundEvent {
  return { kind: "ignored", key: rule, rule };
}
