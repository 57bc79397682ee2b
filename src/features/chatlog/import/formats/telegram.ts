import { createJsonFormat } from "../create-json-format.ts";
import type { ImportedMessage, JsonMessageReader, JsonShape, SourceChat } from "../import-format.ts";
import { joinText, nameMedia } from "../name-media.ts";
import { readAccount, readFields, readId, readList, readText, type Fields } from "../read-fields.ts";
import { readWriter } from "../read-self.ts";
import { readInstant, type ReadTime } from "../read-time.ts";

/** The kinds of its chats, and the space in which their ids count. */
const chatKinds: ReadonlyMap<string, string> = new Map(
  Object.entries({
    personal_chat: "user",
    bot_chat: "user",
    saved_messages: "saved",
    private_group: "group",
    public_group: "group",
    private_supergroup: "channel",
    public_supergroup: "channel",
    private_channel: "channel",
    public_channel: "channel",
  }),
);

/**
 * `result.json` of Telegram Desktop: one chat, or everything with `chats.list`. Sources: tdesktop, export_output_json.cpp
 * (field names); exports as hellodigua/ChatLab 4e7ba91 (telegram-native) reads them.
 */
export const telegramFormat = createJsonFormat({
  name: "telegram",
  needs: "an id, a time and a text",
  recognises,
  begin: ({ beside, readTime }): JsonMessageReader => {
    const chat = describeChat(beside);
    return { describeChat: () => chat, read: (message) => readMessage(message, readTime) };
  },
});

function recognises({ messageKeys: keys, holders, root, rootKeys }: JsonShape): boolean {
  if (holders.some(({ type }) => chatKinds.has(readText(type)))) return true;
  if (readFields(root["personal_information"]) !== undefined && rootKeys.includes("chats")) return true;
  const hasTime = keys.has("date_unixtime") || keys.has("date");
  return hasTime && ["from_id", "actor_id", "text_entities"].some((key) => keys.has(key));
}

function describeChat({ id: ownId, name, type }: Fields): SourceChat {
  const kind = readText(type);
  const id = readId(ownId);
  return {
    name: readText(name) || (kind === "saved_messages" ? "Saved Messages" : ""),
    source: `telegram:${id ?? ""}`,
    ...(id !== undefined && { id: `telegram:${chatKinds.get(kind) ?? "chat"}:${id}` }),
    // Elsewhere each account numbers its own messages.
    sharesIds: kind.endsWith("_supergroup") || kind.endsWith("_channel"),
  };
}

function readMessage(message: Fields, readTime: ReadTime): ImportedMessage | "empty" | undefined {
  if (message["type"] === "service") return "empty";
  const id = readId(message["id"])?.replace(/^message/, "");
  const at = readInstant(message["date_unixtime"], readTime) ?? readInstant(message["date"], readTime);
  if (id === undefined || at === undefined) return undefined;
  const text = joinText(describeMedia(message), joinPieces(message["text"] ?? message["text_entities"]));
  if (text.trim() === "") return "empty";
  const account = readAccount(readText(message["from_id"]).replace(/^user/, ""));
  const name = readText(message["from"]) || readText(message["from_id"]) || "?";
  const person = account === undefined ? undefined : `telegram:${account}`;
  return { at, id, text, sender: { name, ...readWriter(message, person) } };
}

/** A text, or a list of texts and formatted parts. */
function joinPieces(text: unknown): string {
  if (typeof text === "string") return text;
  return readList(text)
    .map((part) => (typeof part === "string" ? part : readText(readFields(part)?.["text"])))
    .join("");
}

function describeMedia(message: Fields): string {
  if (message["photo"] !== undefined) return nameMedia("image");
  const name = readText(message["file_name"]);
  switch (message["media_type"]) {
    case "sticker":
      return nameMedia("sticker", readText(message["sticker_emoji"]));
    case "animation":
      return nameMedia("animation");
    case "voice_message":
      return nameMedia("voice");
    case "video_file":
    case "video_message":
      return nameMedia("video");
    case "audio_file":
      return nameMedia("audio", readText(message["title"]) || name);
    default:
  }
  if (message["file"] !== undefined) return nameMedia("file", name);
  if (message["poll"] !== undefined) return nameMedia("poll", readText(readFields(message["poll"])?.["question"]));
  if (message["location_information"] !== undefined) return nameMedia("location", readText(message["place_name"]));
  if (message["contact_information"] !== undefined) return nameMedia("contact");
  if (message["game_title"] !== undefined) return nameMedia("other", readText(message["game_title"]));
  return "";
}
