import { isDeepStrictEqual } from "node:util";
import { asksForReply, checkChatId, checkKeyboard, checkText } from "./check-message.ts";
import { checkUpload } from "./fake-files.ts";
import { FakeRefusal, type FakeMessage, type FakePayload, type FakePerson } from "./fake-bot-types.ts";

export interface FakeDraft {
  readonly chat: number;
  readonly draftId: number;
  readonly canStop: boolean;
  readonly text: string;
}

export interface FakeChats {
  /** Every message of a chat, oldest first. */
  readonly list: (chat: number) => readonly FakeMessage[];
  ids(): readonly number[];
  /** Drafts that were shown, oldest first. */
  readonly drafts: FakeDraft[];
  /** Chats that answer 403, as when a person has blocked the bot. */
  readonly blocked: Set<number>;
  /** Chats that answer 403 with other words. */
  readonly forbidden: Map<number, string>;
  /** Groups that became a supergroup: old id -> new id. */
  readonly migrated: Map<number, number>;
  readonly open: (chat: number) => void;
  /** The direct messages of channels: whose topic is whose, by chat and topic. */
  readonly direct: Map<number, Map<number, FakePerson>>;
  /** Takes the next number of a chat for a message of the service. */
  readonly nextMessageId: (chat: number) => number;
  addFromPerson(chat: number, text: string, thread: number | undefined, replyTo: number | undefined): FakeMessage;
  find(chat: number, messageId: number): FakeMessage | undefined;
  /** Bot API methods; throw FakeRefusal. */
  send(payload: FakePayload): FakeMessage;
  upload(payload: FakePayload, field: "document" | "photo" | "voice"): FakeMessage;
  editText(payload: FakePayload): FakeMessage;
  editKeyboard(payload: FakePayload): FakeMessage;
  remove(payload: FakePayload): true;
  draft(payload: FakePayload): true;
  act(payload: FakePayload): true;
  react(payload: FakePayload): true;
  /** What the bot put under messages, oldest first; "" = it took its reaction away. */
  readonly reactions: readonly FakeReaction[];
}

export interface FakeReaction {
  readonly chat: number;
  readonly messageId: number;
  readonly emoji: string;
}

/** Source: core.telegram.org/bots/api#reactiontypeemoji. */
const allowedReactions = new Set(
  (
    "👍 👎 ❤ 🔥 🥰 👏 😁 🤔 🤯 😱 🤬 😢 🎉 🤩 🤮 💩 🙏 👌 🕊 🤡 🥱 🥴 😍 🐳 ❤‍🔥 🌚 🌭 💯 🤣 ⚡ 🍌 🏆 💔 🤨 😐 🍓 🍾 💋 🖕 😈 😴 😭 🤓 👻 👨‍💻 👀 🎃 🙈 😇 😨 " +
    "🤝 ✍ 🤗 🫡 🎅 🎄 ☃ 💅 🤪 🗿 🆒 💘 🙉 🦄 😘 💊 🙊 😎 👾 🤷‍♂ 🤷 🤷‍♀ 😡"
  ).split(" "),
);

const notModified =
  "Bad Request: message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message";

/** Chats with their own message numbers. A bot cannot write to a chat that nobody opened. */
export function createFakeChats(): FakeChats {
  const chats = new Map<number, FakeMessage[]>();
  const lastIds = new Map<number, number>();
  const drafts: FakeDraft[] = [];
  const blocked = new Set<number>();
  const forbidden = new Map<number, string>();
  const migrated = new Map<number, number>();
  const reactions: FakeReaction[] = [];
  const direct = new Map<number, Map<number, FakePerson>>();

  /** Source: core.telegram.org/bots/api#sendmessage: required in such a chat, and known nowhere else. */
  function readTopic(payload: FakePayload): { topic?: number } {
    const topics = direct.get(Number(payload["chat_id"]));
    const topic = payload["direct_messages_topic_id"];
    if (topics === undefined && topic === undefined) return {};
    if (typeof topic !== "number" || !topics?.has(topic))
      throw new FakeRefusal(400, "Bad Request: direct messages topic not found");
    return { topic };
  }

  function enter(payload: FakePayload): { chat: number; messages: FakeMessage[] } {
    const chat = checkChatId(payload);
    const supergroup = migrated.get(chat);
    if (supergroup !== undefined) {
      throw new FakeRefusal(400, "Bad Request: group chat was upgraded to a supergroup chat", {
        migrate_to_chat_id: supergroup,
      });
    }
    const messages = chats.get(chat);
    if (messages === undefined) throw new FakeRefusal(400, "Bad Request: chat not found");
    if (blocked.has(chat)) throw new FakeRefusal(403, "Forbidden: bot was blocked by the user");
    const words = forbidden.get(chat);
    if (words !== undefined) throw new FakeRefusal(403, words);
    return { chat, messages };
  }

  function enterOwn(payload: FakePayload): FakeMessage {
    const { messages } = enter(payload);
    const message = messages.find(({ messageId }) => messageId === payload["message_id"]);
    if (message === undefined) throw new FakeRefusal(400, "Bad Request: message to edit not found");
    if (!message.fromBot) throw new FakeRefusal(400, "Bad Request: message can't be edited");
    return message;
  }

  function nextMessageId(chat: number): number {
    const next = (lastIds.get(chat) ?? 0) + 1;
    lastIds.set(chat, next);
    return next;
  }

  function add(chat: number, message: Omit<FakeMessage, "chat" | "messageId" | "texts">): FakeMessage {
    const messages = chats.get(chat) ?? [];
    chats.set(chat, messages);
    const added = { ...message, chat, messageId: nextMessageId(chat), texts: [message.text] };
    messages.push(added);
    return added;
  }

  function readReply(payload: FakePayload, messages: readonly FakeMessage[]): number | undefined {
    const reply = payload["reply_parameters"] as
      | { message_id: number; allow_sending_without_reply?: boolean }
      | undefined;
    const repliesTo = messages.some(({ messageId }) => messageId === reply?.message_id) ? reply?.message_id : undefined;
    if (reply !== undefined && repliesTo === undefined && reply.allow_sending_without_reply !== true) {
      throw new FakeRefusal(400, "Bad Request: message to be replied not found");
    }
    return repliesTo;
  }

  return {
    drafts,
    nextMessageId,
    blocked,
    forbidden,
    migrated,
    reactions,
    direct,
    list: (chat) => chats.get(chat) ?? [],
    ids: () => [...chats.keys()],
    open(chat) {
      if (!chats.has(chat)) chats.set(chat, []);
    },
    addFromPerson: (chat, text, thread, replyTo) =>
      add(chat, { fromBot: false, text, thread, replyTo, forceReply: false, entities: [], keyboard: [] }),
    find: (chat, messageId) => chats.get(chat)?.find((message) => message.messageId === messageId),

    send(payload) {
      const { chat, messages } = enter(payload);
      const checked = checkText(payload, "Bad Request: message is too long");
      const keyboard = checkKeyboard(payload);
      const repliesTo = readReply(payload, messages);
      const thread = payload["message_thread_id"] as number | undefined;
      return add(chat, {
        ...checked,
        fromBot: true,
        keyboard,
        thread,
        ...readTopic(payload),
        replyTo: repliesTo,
        forceReply: asksForReply(payload),
      });
    },

    upload(payload, field) {
      const { chat, messages } = enter(payload);
      const { caption, ...document } = checkUpload(payload, field);
      return add(chat, {
        text: caption,
        entities: [],
        fromBot: true,
        keyboard: [],
        thread: payload["message_thread_id"] as number | undefined,
        ...readTopic(payload),
        replyTo: readReply(payload, messages),
        forceReply: false,
        document,
      });
    },

    editText(payload) {
      const message = enterOwn(payload);
      const { text, entities } = checkText(payload, "Bad Request: MESSAGE_TOO_LONG");
      const keyboard = checkKeyboard(payload);
      const before = { text: message.text, entities: message.entities, keyboard: message.keyboard };
      if (isDeepStrictEqual(before, { text, entities, keyboard })) throw new FakeRefusal(400, notModified);
      message.texts.push(text);
      return Object.assign(message, { text, entities, keyboard });
    },

    editKeyboard(payload) {
      const message = enterOwn(payload);
      const keyboard = checkKeyboard(payload);
      if (isDeepStrictEqual(message.keyboard, keyboard)) throw new FakeRefusal(400, notModified);
      return Object.assign(message, { keyboard });
    },

    remove(payload) {
      const { messages } = enter(payload);
      const index = messages.findIndex(({ messageId }) => messageId === payload["message_id"]);
      if (index < 0) throw new FakeRefusal(400, "Bad Request: message to delete not found");
      messages.splice(index, 1);
      return true;
    },

    react(payload) {
      const { messages } = enter(payload);
      const message = messages.find(({ messageId }) => messageId === payload["message_id"]);
      if (message === undefined) throw new FakeRefusal(400, "Bad Request: message to react not found");
      const given = payload["reaction"];
      if (!Array.isArray(given)) throw new FakeRefusal(400, "Bad Request: can't parse reaction types");
      // A bot has one at most, and only of Telegram's own set.
      if (given.length > 1) throw new FakeRefusal(400, "Bad Request: REACTIONS_TOO_MANY");
      const signs = (given as readonly { type?: unknown; emoji?: unknown }[]).map(({ type, emoji }) => {
        if (type !== "emoji" || !allowedReactions.has(String(emoji)))
          throw new FakeRefusal(400, "Bad Request: REACTION_INVALID");
        return String(emoji);
      });
      reactions.push({ chat: Number(payload["chat_id"]), messageId: message.messageId, emoji: signs[0] ?? "" });
      return true;
    },

    draft(payload) {
      const { chat } = enter(payload);
      if (chat < 0) throw new FakeRefusal(400, "Bad Request: TEXTDRAFT_PEER_INVALID");
      const draftId = Number(payload["draft_id"]);
      if (!Number.isSafeInteger(draftId) || draftId === 0) throw new FakeRefusal(400, "Bad Request: RANDOM_ID_INVALID");
      drafts.push({
        chat,
        draftId,
        canStop: payload["can_stop"] === true,
        text: checkText(payload, "Bad Request: MESSAGE_TOO_LONG", true).text,
      });
      return true;
    },

    act(payload) {
      if (direct.has(enter(payload).chat)) throw new FakeRefusal(400, "Bad Request: CHAT_TYPE_UNSUPPORTED");
      if (payload["action"] !== "typing") throw new FakeRefusal(400, "Bad Request: wrong parameter action in request");
      return true;
    },
  };
}
