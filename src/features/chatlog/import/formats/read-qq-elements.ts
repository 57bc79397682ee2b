import { nameMedia } from "../name-media.ts";
import { readFields, readId, readText, type Fields } from "../read-fields.ts";

type Media = "image" | "file" | "voice" | "video" | "sticker" | "card" | "forward" | "location" | "music";

/** QQNT's numbers of elements, the names that exporters give them, and those of QQNT_Export in Chinese. */
const names: Readonly<Record<Media | "text" | "reply" | "notice", string>> = {
  text: "1 text at [文本]",
  image: "2 image pic [图片]",
  file: "3 file [文件]",
  voice: "4 voice audio ptt record [语音]",
  video: "5 video [视频]",
  sticker: "6 11 face market_face marketFace mface [表情]",
  reply: "7 reply",
  notice: "8 system [提示]",
  card: "10 ark json json_card [应用消息]",
  forward: "16 forward multi_forward",
  location: "location",
  music: "music",
};
const kinds = new Map(
  (Object.keys(names) as (keyof typeof names)[]).flatMap((kind) =>
    names[kind].split(" ").map((name): [string, keyof typeof names] => [name, kind]),
  ),
);
const quoted = "[被引用的消息]";

/**
 * The elements of a message as one text: other content is named in brackets, quotes and notices are left out. An
 * element is a text, a pair of kind and text (QQNT_Export), an object with type and data (qq-chat-exporter), or one of
 * QQNT itself (elementType, textElement { content }).
 */
export function readQqElements(elements: readonly unknown[]): string {
  return elements.map(readElement).join("");
}

function readElement(element: unknown): string {
  if (typeof element === "string") return element;
  if (Array.isArray(element)) return describePair(readText(element[0]), readText(element[1]));
  const fields = readFields(element);
  if (fields === undefined) return "";
  const text = readOwnText(fields);
  const name = readId(fields["type"]) ?? readId(fields["elementType"]) ?? (text === "" ? "" : "text");
  return describe(name, text, readFileName(fields));
}

function describePair(kind: string, text: string): string {
  if (kind.startsWith(quoted)) return "";
  const known = kinds.get(kind);
  if (known === undefined) return kind === "" ? text : `${kind}${text}`;
  const [first = ""] = text.split("\n", 1);
  return describe(kind, text, known === "file" || known === "sticker" ? first : "");
}

function describe(name: string, text: string, label: string): string {
  const kind = kinds.get(name);
  if (kind === undefined) return name === "" ? "" : text || nameMedia("other");
  if (kind === "text") return text;
  return kind === "reply" || kind === "notice" ? "" : nameMedia(kind, label);
}

function readOwnText(element: Fields): string {
  const data = readFields(element["data"]) ?? {};
  const own = readFields(element["textElement"]) ?? {};
  const found = [own["content"], data["text"], data["content"], element["text"], element["content"], data["name"]];
  return found.map(readText).find((text) => text !== "") ?? "";
}

function readFileName(element: Fields): string {
  const data = readFields(element["data"]) ?? {};
  const kind = kinds.get(readId(element["type"]) ?? readId(element["elementType"]) ?? "");
  if (kind !== "file") return "";
  const own = readFields(element["fileElement"]) ?? {};
  return (
    [own["fileName"], data["filename"], data["fileName"], data["name"]].map(readText).find((name) => name !== "") ?? ""
  );
}
