import type { FakeChats } from "./fake-chats.ts";
import type { FakeFiles } from "./fake-files.ts";
import {
  toUser,
  type FakeFileMessage,
  type FakeMessage,
  type FakePerson,
  type FakeText,
  type FakeUpdate,
} from "./fake-bot-types.ts";

export interface FakePeople {
  /** A person writes. Opens the chat, too. */
  sendText(options: FakeText): { updateId: number; messageId: number };
  /** A person sends a file, by default as a document. Opens the chat, too. */
  sendFile(options: FakeFileMessage): { updateId: number; messageId: number };
  /** A person sends two to ten files at once: as many updates, of one media group, each with a caption of its own or none. */
  sendAlbum(files: readonly FakeFileMessage[]): { readonly messageIds: readonly number[] };
}

/** What people write and send, as updates. */
export function createFakePeople(parts: {
  readonly chats: FakeChats;
  readonly files: FakeFiles;
  readonly toTelegram: (message: FakeMessage) => object;
  readonly describeChat: (chat: number, type?: string) => object;
  /** Answers the update's number. */
  readonly push: (update: FakeUpdate) => number;
}): FakePeople {
  const { chats, files, toTelegram, describeChat, push } = parts;
  /** What a message holds beside its text, for who replies to it. */
  const brought = new Map<string, object>();
  let albums = 0;

  function sendText(sent: FakeText): { updateId: number; messageId: number } {
    const from = sent.from ?? { id: Math.abs(sent.chat) };
    const message = chats.addFromPerson(sent.chat, sent.text, sent.thread, sent.replyTo);
    if (sent.topic !== undefined) {
      const topics = chats.direct.get(sent.chat) ?? new Map<number, FakePerson>();
      chats.direct.set(sent.chat, topics);
      if (!topics.has(sent.topic)) topics.set(sent.topic, from);
      message.topic = sent.topic;
    }
    const replied = sent.replyTo === undefined ? undefined : chats.find(sent.chat, sent.replyTo);
    const entities = sent.entities ?? findEntities(sent.text);
    const update = {
      message: {
        ...toTelegram(message),
        ...(sent.chatType !== undefined && { chat: describeChat(sent.chat, sent.chatType) }),
        from: toUser(from),
        ...(replied && {
          reply_to_message: { ...toTelegram(replied), ...brought.get(`${replied.chat} ${replied.messageId}`) },
        }),
        ...(entities.length > 0 ? { entities } : {}),
        ...sent.extra,
      },
    };
    return { updateId: push(update as FakeUpdate), messageId: message.messageId };
  }

  function sendFile({ field = "document", caption = "", ...rest }: FakeFileMessage) {
    const described = files.put(rest);
    const content = field === "photo" ? [{ file_id: "small", file_size: 1 }, described] : described;
    const extra = {
      text: undefined,
      entities: undefined,
      ...(caption !== "" && { caption, caption_entities: findEntities(caption) }),
      [field]: content,
      ...rest.extra,
    };
    const sent = sendText({ ...rest, text: caption, extra });
    brought.set(`${rest.chat} ${sent.messageId}`, extra);
    return sent;
  }

  return {
    sendText,
    sendFile,
    sendAlbum(given) {
      if (given.length < 2 || given.length > 10) throw new Error("an album has 2 to 10 files");
      albums += 1;
      const group = { media_group_id: `1398${albums}` };
      const sent = given.map((file) => sendFile({ ...file, extra: { ...file.extra, ...group } }));
      return { messageIds: sent.map(({ messageId }) => messageId) };
    },
  };
}

/** The entities the server finds by itself and the channel looks at. */
function findEntities(text: string): { type: string; offset: number; length: number }[] {
  return [...text.matchAll(/(?<=^|\s)(?:@\w{3,32}|\/\w{1,32}(?:@\w{3,32})?)/g)].map(({ 0: match, index }) => ({
    type: match.startsWith("@") ? "mention" : "bot_command",
    offset: index,
    length: match.length,
  }));
}
