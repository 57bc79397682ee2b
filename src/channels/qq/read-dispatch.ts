import { z } from "zod";
import type { ButtonPress, ChatAddress, InboundEvent, InboundMessage, Sender } from "../types.ts";
import { readLabel } from "../json-view.ts";
import { toChat, type QqChat } from "./chat.ts";
import { readAttachments } from "./read-attachments.ts";
import { readContent, type Mention } from "./read-content.ts";

/** The shape of a push and of a posted event: the event, its number in the session, and its own id. */
export const dispatchShape = z.object({
  id: z.string().max(300).optional().catch(undefined),
  s: z.int().nonnegative().optional().catch(undefined),
  t: z.string(),
  d: z.unknown().optional(),
});
export type Dispatch = z.output<typeof dispatchShape>;

/** Our identity there. `userId` is known once we are connected, and counts in guilds only. */
export interface OwnIdentity {
  readonly appId: string;
  readonly userId?: string | undefined;
}

/**
 * An event, and the reference by which a quote will name it. A quote itself comes out as one of another user's message;
 * resolve-quote.ts looks it up.
 */
export interface ReadDispatch {
  readonly event: InboundEvent;
  readonly reference?: string;
}

const id = z.string().min(1).max(300);
const optionalId = id.optional().catch(undefined);
const author = z
  .object({
    id: optionalId,
    user_openid: optionalId,
    member_openid: optionalId,
    username: z.unknown().optional(),
    bot: z.unknown().optional(),
  })
  .catch({ id: undefined, user_openid: undefined, member_openid: undefined });
const mention = z.object({
  id: optionalId,
  member_openid: optionalId,
  username: z.unknown().optional(),
  is_you: z.unknown().optional(),
});
const texts = z.array(z.string().max(2_000)).max(100).catch([]);
const message = z.object({
  id,
  content: z.string().catch(""),
  timestamp: z.unknown().optional(),
  author,
  group_openid: optionalId,
  channel_id: optionalId,
  guild_id: optionalId,
  member: z.object({ roles: texts }).optional().catch(undefined),
  attachments: z.unknown().optional(),
  mentions: z.array(mention).max(500).catch([]),
  message_type: z.unknown().optional(),
  message_reference: z.object({ message_id: id }).optional().catch(undefined),
  message_scene: z.object({ ext: texts }).optional().catch(undefined),
  msg_elements: z
    .array(z.object({ content: z.string().catch("") }))
    .max(100)
    .catch([]),
});
type Message = z.output<typeof message>;

const press = z.object({
  id,
  type: z.literal(11),
  timestamp: z.unknown().optional(),
  /** Absent on guilds' old events. */
  scene: z.enum(["c2c", "group", "guild"]).optional(),
  user_openid: optionalId,
  group_openid: optionalId,
  group_member_openid: optionalId,
  channel_id: optionalId,
  data: z.object({
    resolved: z.object({ button_data: z.string().min(1).max(256), user_id: optionalId, message_id: optionalId }),
  }),
});

const friend = z.object({ openid: id });
const changed = z.object({ openid: optionalId, group_openid: optionalId });
/** A change of a chat: the reason why messages cannot be sent there; undefined when they can again. */
const changes: Readonly<Record<string, string | undefined>> = {
  FRIEND_DEL: "they removed the bot",
  C2C_MSG_REJECT: "they turned off what the bot says unasked",
  C2C_MSG_RECEIVE: undefined,
  GROUP_DEL_ROBOT: "the bot was taken out of the group",
  GROUP_ADD_ROBOT: undefined,
  GROUP_MSG_REJECT: "the group turned off what the bot says unasked",
  GROUP_MSG_RECEIVE: undefined,
};

/** Messages, by event, with the place they are in. */
const places: Readonly<Record<string, (message: Message) => QqChat | undefined>> = {
  C2C_MESSAGE_CREATE: ({ author }) => place("user", author.user_openid ?? author.id),
  GROUP_AT_MESSAGE_CREATE: (message) => place("group", message.group_openid),
  GROUP_MESSAGE_CREATE: (message) => place("group", message.group_openid),
  AT_MESSAGE_CREATE: (message) => place("channel", message.channel_id),
  MESSAGE_CREATE: (message) => place("channel", message.channel_id),
  DIRECT_MESSAGE_CREATE: (message) => place("direct", message.guild_id),
};
/** They exist only because she was mentioned. */
const mentionEvents = new Set(["GROUP_AT_MESSAGE_CREATE", "AT_MESSAGE_CREATE"]);
/** A guild's roles: its owner and its administrators. */
const administratorRoles = new Set(["2", "4"]);
const maxTextLength = 32_000;

/** An event of the official API as an event of ours. Pure, and total: any JSON gets an answer. */
export function readDispatch(dispatch: Dispatch, me: OwnIdentity, receivedAt: number): ReadDispatch {
  const { t: name, d } = dispatch;
  if (name === "INTERACTION_CREATE") return { event: readPress(dispatch, me, receivedAt) };
  if (Object.hasOwn(changes, name)) return { event: readChange(dispatch, me, receivedAt) };
  if (name === "FRIEND_ADD") return { event: readFriend(dispatch, me, receivedAt) };
  const locate = Object.hasOwn(places, name) ? places[name] : undefined;
  // The readers of a chat of an unknown kind are unknown, so its messages are ignored.
  if (locate === undefined && name.endsWith("_MESSAGE_CREATE")) return ignore("unknown_chat");
  if (locate === undefined) return ignore(`event:${/^[A-Z0-9_]{1,64}$/.test(name) ? name : "unnamed"}`);
  const read = message.safeParse(d);
  const chat = read.success ? locate(read.data) : undefined;
  if (!read.success || chat === undefined) return ignore("malformed");
  return readMessage(read.data, { name, chat, me, receivedAt });
}

function readMessage(
  message: Message,
  at: { readonly name: string; readonly chat: QqChat; readonly me: OwnIdentity; readonly receivedAt: number },
): ReadDispatch {
  const { name, chat, me, receivedAt } = at;
  const isGroup = chat.scene === "group" || chat.scene === "channel";
  const sender = readSender(message, chat);
  if (sender === undefined) return ignore("malformed");
  const mentions = message.mentions.map((one) => toMention(one, me));
  const content = readContent(message.content.slice(0, maxTextLength), {
    mentions,
    isMention: mentionEvents.has(name),
    isEscaped: chat.scene === "channel" || chat.scene === "direct",
  });
  const attachments = readAttachments(message.attachments, message.message_type);
  if (content === "" && attachments.length === 0 && !mentionEvents.has(name)) return ignore("empty");
  const quoted = message.message_reference?.message_id ?? readExtra(message, "ref_msg_idx");
  const quotedText = (message.msg_elements[0]?.content ?? "").slice(0, maxTextLength);
  const reference = readExtra(message, "msg_idx");
  const event: InboundMessage = {
    kind: "message",
    key: `message:${message.id}`,
    address: addressOf(chat, me),
    sender,
    sentAt: readTime(message.timestamp, receivedAt),
    chatKind: isGroup ? "group" : "private",
    messageId: message.id,
    text: content,
    attachments,
    ...(quoted !== undefined && { quote: { messageId: quoted, fromUs: false, text: quotedText } }),
    addressed: !isGroup || mentionEvents.has(name) || mentions.some(({ isUs }) => isUs),
    edited: false,
    forwarded: false,
    caption: attachments.length > 0 && content !== "",
    viaBot: false,
  };
  return { event, ...(reference !== undefined && { reference }) };
}

/** The presser is what the platform vouches for. `key` holds the event's id, which one more reply may answer. */
function readPress(dispatch: Dispatch, me: OwnIdentity, receivedAt: number): InboundEvent {
  const read = press.safeParse(dispatch.d);
  if (!read.success) return ignore("interaction").event;
  const { id: pressId, timestamp, data, ...where } = read.data;
  const { user_id: guildUser, message_id: messageId = "", button_data: content } = data.resolved;
  const found =
    where.group_openid !== undefined
      ? { chat: place("group", where.group_openid), user: where.group_member_openid }
      : where.user_openid !== undefined
        ? { chat: place("user", where.user_openid), user: where.user_openid }
        : { chat: place("channel", where.channel_id), user: guildUser };
  const { chat, user } = found;
  if (chat === undefined || user === undefined) return ignore("malformed").event;
  const event: ButtonPress = {
    kind: "press",
    key: `event:${dispatch.id ?? pressId}`,
    address: addressOf(chat, me),
    sender: { id: user, name: shorten(user), kind: "person" },
    sentAt: readTime(timestamp, receivedAt),
    messageId,
    data: content,
    pressId,
  };
  return event;
}

/**
 * A user opened a chat with the bot, as with the start button of other platforms. The greeting answers the event, so it
 * takes no reply from what they say later.
 */
function readFriend(dispatch: Dispatch, me: OwnIdentity, receivedAt: number): InboundEvent {
  const read = friend.safeParse(dispatch.d);
  if (!read.success || dispatch.id === undefined) return ignore("malformed").event;
  const { openid: user } = read.data;
  return {
    kind: "message",
    key: `friend:${dispatch.id}`,
    address: addressOf({ scene: "user", id: user }, me),
    sender: { id: user, name: shorten(user), kind: "person" },
    sentAt: receivedAt,
    chatKind: "private",
    messageId: "",
    text: "/start",
    opening: true,
    attachments: [],
    addressed: true,
    edited: false,
    forwarded: false,
    caption: false,
    viaBot: false,
  };
}

function readChange(dispatch: Dispatch, me: OwnIdentity, receivedAt: number): InboundEvent {
  const read = changed.safeParse(dispatch.d);
  const { group_openid: group, openid: user } = read.data ?? {};
  const chat = group === undefined ? place("user", user) : place("group", group);
  if (chat === undefined || dispatch.id === undefined) return ignore("malformed").event;
  const reason = changes[dispatch.t];
  return {
    kind: "chat",
    key: `event:${dispatch.id}`,
    address: addressOf(chat, me),
    sender: { id: chat.id, name: shorten(chat.id), kind: "anonymous" },
    sentAt: receivedAt,
    change: reason === undefined ? { kind: "back" } : { kind: "gone", reason },
  };
}

function readSender({ author, member }: Message, { scene }: QqChat): Sender | undefined {
  const own = { user: author.user_openid, group: author.member_openid, channel: undefined, direct: undefined }[scene];
  const user = own ?? author.id;
  if (user === undefined) return undefined;
  return {
    id: user,
    name: readLabel(author.username) || shorten(user),
    kind: author.bot === true ? "bot" : "person",
    ...(scene === "channel" && { administrator: (member?.roles ?? []).some((role) => administratorRoles.has(role)) }),
  };
}

function toMention(of: z.output<typeof mention>, me: OwnIdentity): Mention {
  const ids = [of.id, of.member_openid].filter((one) => one !== undefined);
  const isUs = of.is_you === true || (me.userId !== undefined && ids.includes(me.userId));
  return { ids, name: readLabel(of.username), isUs };
}

/** `name=value` of message_scene.ext. */
function readExtra(message: Message, name: string): string | undefined {
  const start = `${name}=`;
  const found = message.message_scene?.ext.find((text) => text.startsWith(start))?.slice(start.length);
  return found === undefined || found === "" || found.length > 300 ? undefined : found;
}

function readTime(value: unknown, receivedAt: number): number {
  const time = typeof value === "string" && value.length < 64 ? Date.parse(value) : Number.NaN;
  return Number.isFinite(time) && time > 0 ? time : receivedAt;
}

function place(scene: QqChat["scene"], id: string | undefined): QqChat | undefined {
  return id === undefined ? undefined : { scene, id };
}

function addressOf(chat: QqChat, { appId }: OwnIdentity): ChatAddress {
  return { platform: "qqbot", account: appId, chat: toChat(chat), thread: null };
}

/** Openids are long, and often there is no name. */
function shorten(user: string): string {
  return readLabel(user, 8);
}

function ignore(rule: string): { readonly event: InboundEvent } {
  return { event: { kind: "ignored", key: rule, rule } };
}
