import { createJsonFormat } from "../create-json-format.ts";
import type { ImportedMessage, SourceChat } from "../import-format.ts";
import { joinText, nameMedia } from "../name-media.ts";
import { readFields, readId, readText, type Fields } from "../read-fields.ts";
import { isSelf } from "../read-self.ts";
import { readInstant, type ReadTime } from "../read-time.ts";

/**
 * JSON of sjzar/chatlog: a list of messages with seq, time, talker, talkerName, isChatRoom, sender, senderName, isSelf, type,
 * subType, content and contents. One file may hold several chats. Sources: sjzar/chatlog 53f14ea (internal/model/message.go)
 * and ca57955 (internal/export/export.go, which adds typeDesc).
 */
export const wechatChatlogFormat = createJsonFormat({
  name: "wechat",
  needs: "a time and a sender",
  recognises: ({ messageKeys: keys }) =>
    keys.has("talker") && keys.has("time") && (keys.has("isSelf") || keys.has("seq")),
  begin: ({ readTime }) => ({ describeChat, read: (message) => readChatlogMessage(message, readTime) }),
});

function describeChat(message: Fields): SourceChat {
  return describeTalker(readText(message["talker"]), readText(message["talkerName"]));
}

/** The other person or the group of a message. */
export function describeTalker(talker: string, name: string): SourceChat {
  return {
    name: name || talker,
    source: `wechat:${talker}`,
    ...(talker !== "" && { id: `wechat:${talker}` }),
    sharesIds: false,
  };
}

/** Notices of WeChat itself. */
const system = "10000";
/** WeChat's numbers of messages that are no text. */
export const wechatMedia: ReadonlyMap<string, Parameters<typeof nameMedia>[0]> = new Map([
  ["3", "image"],
  ["34", "voice"],
  ["42", "contact"],
  ["43", "video"],
  ["47", "sticker"],
  ["48", "location"],
]);

function readChatlogMessage(message: Fields, readTime: ReadTime): ImportedMessage | "empty" | undefined {
  const at = readInstant(message["time"], readTime);
  const wxid = readText(message["sender"]);
  const name = readText(message["senderName"]) || wxid || (isSelf(message) ? "我" : "");
  if (at === undefined || name === "") return undefined;
  const type = readId(message["type"]) ?? "1";
  const text = describeChatlogText(type, readText(message["content"]), readFields(message["contents"]) ?? {});
  if (type === system || text.trim() === "") return "empty";
  const id = readId(message["seq"]);
  return {
    at,
    text,
    sender: { name, ...(isSelf(message) && { self: true }) },
    ...(id !== undefined && id !== "0" && { id }),
  };
}

/** The text of a message, or a description of other content. */
export function describeChatlogText(type: string, content: string, contents: Fields): string {
  const kind = wechatMedia.get(type);
  if (kind !== undefined) return nameMedia(kind);
  if (type !== "49") return content;
  const title = readText(contents["title"]);
  if (title !== "") return joinText(nameMedia("share", title), content);
  return content === "" ? nameMedia("share") : content;
}
