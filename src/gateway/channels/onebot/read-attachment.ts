import { z } from "zod";
import { readLabel } from "../json-view.ts";
import type { Segment } from "./segment.ts";

type Data = Segment["data"];

const fileName = (data: Data) => readLabel(data["name"]) || readLabel(data["file"]);

/** One reader per kind of segment. Addresses and paths in them are never opened: `url` may be a `file://` of that host. */
const readers: Readonly<Record<string, (data: Data) => string>> = {
  image: (data) => (isSticker(data) ? `sticker ${readLabel(data["summary"])}` : "image"),
  mface: (data) => `sticker ${readLabel(data["summary"])}`,
  face: () => "sticker [表情]",
  record: () => "voice message",
  video: () => "video",
  file: (data) => `file ${fileName(data)}`,
  onlinefile: (data) => `file ${fileName(data)}`,
  json: (data) => `card ${readPrompt(data["data"])}`,
  forward: () => "forwarded conversation",
  node: () => "forwarded conversation",
  poke: () => "[戳一戳]",
  dice: (data) => `[骰子] ${readLabel(data["result"], 10)}`,
  rps: (data) => `[猜拳] ${readLabel(data["result"], 10)}`,
  contact: () => "[名片]",
  location: (data) => `[位置] ${readLabel(data["title"]) || readLabel(data["content"])}`,
  music: (data) => `[音乐] ${readLabel(data["title"])}`,
  share: (data) => `[分享] ${readLabel(data["title"])}`,
  markdown: (data) => `[markdown] ${readLabel(data["content"], 300)}`,
};

/** What a segment other than text, mention and quote is, as words for the model. */
export function readAttachment({ type, data }: Segment): string {
  const read = Object.hasOwn(readers, type) ? readers[type] : undefined;
  return (read?.(data) ?? `[${readLabel(type, 40)}]`).trim();
}

/** NapCat marks what was sent as a sticker; elsewhere only the summary tells. */
function isSticker(data: Data): boolean {
  return data["sub_type"] === "1" || data["summary"] === "[动画表情]";
}

const card = z.object({ prompt: z.string() });

/** The line that QQ itself shows for a mini-app card. */
function readPrompt(text: string | undefined): string {
  try {
    return readLabel(card.safeParse(JSON.parse(text ?? "")).data?.prompt);
  } catch (error) {
    if (error instanceof SyntaxError) return "";
    throw error;
  }
}
