import { isCounted } from "./fake-messages.ts";
import type { FakeChatName, FakePerson, FakeText } from "./qq-types.ts";

export interface WrittenEvent {
  readonly id: string;
  readonly t: string;
  readonly d: object;
}

const ourMention = { id: "9001", member_openid: "OUR_MEMBER", username: "Kurisu", bot: true, is_you: true };

/** A message of a person as Tencent tells it, in each of the places. */
export function writeMessage(
  said: FakeText & { readonly from: FakePerson },
  of: {
    readonly id: string;
    readonly reference: string;
    readonly quoted: { readonly id: string; readonly reference: string; readonly text: string } | undefined;
    readonly at: number;
  },
): WrittenEvent {
  const { chat, from, text, toUs = false } = said;
  const id = chat.slice(chat.indexOf(":") + 1);
  const timestamp = new Date(of.at).toISOString();
  const ext = [`msg_idx=${of.reference}`, ...(of.quoted ? [`ref_msg_idx=${of.quoted.reference}`] : []), "auth_token=x"];
  const common = {
    id: of.id,
    timestamp,
    ...(said.attachments && { attachments: said.attachments }),
    ...(isCounted(chat)
      ? {
          message_type: of.quoted ? 103 : 0,
          message_scene: { source: "default", ext },
          ...(of.quoted && { msg_elements: [{ content: of.quoted.text }] }),
        }
      : of.quoted && { message_reference: { message_id: of.quoted.id } }),
  };
  const name = from.name === undefined ? {} : { username: from.name };
  const bot = from.isBot === undefined ? {} : { bot: from.isBot };
  if (chat.startsWith("private:")) {
    const author = { id: from.id, user_openid: from.id, union_openid: "u", ...name, ...bot };
    return event("C2C_MESSAGE_CREATE", of.id, { ...common, content: text, author });
  }
  if (isCounted(chat)) {
    const author = { id: from.id, member_openid: from.id, ...name, ...bot };
    const group = { group_id: chat, group_openid: chat };
    // Only a mention of the bot is taken out of the text; a space stays.
    return toUs
      ? event("GROUP_AT_MESSAGE_CREATE", of.id, { ...common, ...group, author, content: ` ${text}` })
      : event("GROUP_MESSAGE_CREATE", of.id, { ...common, ...group, author, content: text });
  }
  const author = { id: from.id, ...name, bot: from.isBot ?? false };
  if (chat.startsWith("direct:"))
    return event("DIRECT_MESSAGE_CREATE", of.id, { ...common, guild_id: id, channel_id: "c", author, content: text });
  const place = { guild_id: "77", channel_id: id, member: { roles: from.roles ?? [] } };
  const mentions = toUs ? { mentions: [ourMention] } : {};
  const content = toUs ? `<@!9001> ${text}` : text;
  const t = toUs ? "AT_MESSAGE_CREATE" : "MESSAGE_CREATE";
  return event(t, of.id, { ...common, ...place, ...mentions, author, content });
}

export function writePress(
  pressed: { readonly chat: FakeChatName; readonly user: string; readonly data: string; readonly messageId: string },
  of: { readonly id: string; readonly at: number },
): WrittenEvent {
  const { chat, user, data, messageId } = pressed;
  const where = chat.startsWith("private:")
    ? { scene: "c2c", chat_type: 2, user_openid: user }
    : isCounted(chat)
      ? { scene: "group", chat_type: 1, group_openid: chat, group_member_openid: user }
      : { scene: "guild", chat_type: 0, guild_id: "77", channel_id: chat.slice(chat.indexOf(":") + 1) };
  const resolved = {
    button_data: data,
    button_id: "1",
    message_id: messageId,
    ...(!isCounted(chat) && { user_id: user }),
  };
  const d = {
    id: of.id,
    application_id: "1",
    type: 11,
    version: 1,
    timestamp: new Date(of.at).toISOString(),
    ...where,
    data: { type: 11, resolved },
  };
  return event("INTERACTION_CREATE", of.id, d);
}

function event(t: string, id: string, d: object): WrittenEvent {
  return { id: `${t}:${id}`, t, d };
}
