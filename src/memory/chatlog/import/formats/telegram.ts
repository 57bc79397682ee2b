import type { FormatReader, ImportedMessage, ImportFormat, ImportPiece, ReadingOptions } from "../import-format.ts";
import { joinText, nameMedia } from "../name-media.ts";
import { openJsonExport } from "../open-json-export.ts";
import { readAccount, readFields, readId, readList, readText, type Fields } from "../read-fields.ts";
import { createReadTime, readInstant, type ReadTime } from "../read-time.ts";
import type { JsonPath, JsonStep } from "../scan-json.ts";

const chatKind =
  /"type"\s*:\s*"(?:personal_chat|bot_chat|saved_messages|(?:private|public)_(?:group|supergroup|channel))"/;
const fieldsOfChat: ReadonlySet<string> = new Set(["name", "type", "id"]);

/**
 * `result.json` of Telegram Desktop: one chat, or everything with `chats.list`. Sources: tdesktop, export_output_json.cpp
 * (field names); exports as hellodigua/ChatLab 4e7ba91 (telegram-native) reads them.
 */
export const telegramFormat: ImportFormat = {
  name: "telegram",
  recognises: (head) =>
    chatKind.test(head) || (/"chats"\s*:\s*\{/.test(head) && /"(?:personal_information|about)"/.test(head)),
  open: openTelegram,
};

function openTelegram(emit: (piece: ImportPiece) => void, { zone }: ReadingOptions): FormatReader {
  const readTime = createReadTime(zone);
  let chat: Record<string, unknown> = {};
  let isTold = false;
  const forget = (): void => {
    chat = {};
    isTold = false;
  };
  return openJsonExport(emit, {
    choose,
    onField(path, value) {
      chat[path.at(-1) ?? ""] = value;
    },
    onMessage(message, line) {
      if (!isTold) emit({ kind: "chat", chat: describeChat(chat) });
      isTold = true;
      if (message["type"] === "service") return;
      const read = readMessage(message, readTime);
      if (read === undefined) emit({ kind: "faulty", line, reason: "it has no id, time or text that can be read" });
      else if (read !== "empty") emit({ kind: "message", line, message: read });
    },
    onClose(path) {
      if (path.at(-1) === "*") forget();
    },
  });
}

function choose(path: JsonPath): JsonStep {
  const inChat = path[0] === "chats" || path[0] === "left_chats" ? path.slice(3) : path;
  const [first, second] = inChat;
  if (first === undefined) {
    if (path.length === 2 && path[1] !== "list") return "skip";
    return "enter";
  }
  if (first === "messages") return second === undefined ? "enter" : "take";
  return inChat.length === 1 && fieldsOfChat.has(first) ? "take" : "skip";
}

function describeChat({ id, name, type }: Record<string, unknown>) {
  const kind = readText(type);
  return {
    name: readText(name) || (kind === "saved_messages" ? "Saved Messages" : ""),
    source: `telegram:${readId(id) ?? ""}`,
    // Elsewhere each account counts the messages of its own.
    sharesIds: kind.endsWith("_supergroup") || kind.endsWith("_channel"),
  };
}

function readMessage(message: Fields, readTime: ReadTime): ImportedMessage | "empty" | undefined {
  const id = readId(message["id"])?.replace(/^message/, "");
  const at = readInstant(message["date_unixtime"], readTime) ?? readInstant(message["date"], readTime);
  if (id === undefined || at === undefined) return undefined;
  const text = joinText(describeMedia(message), joinPieces(message["text"] ?? message["text_entities"]));
  if (text.trim() === "") return "empty";
  const account = readAccount(readText(message["from_id"]).replace(/^user/, ""));
  const name = readText(message["from"]) || readText(message["from_id"]) || "?";
  return { at, id, text, sender: { name, ...(account !== undefined && { person: `telegram:${account}` }) } };
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
