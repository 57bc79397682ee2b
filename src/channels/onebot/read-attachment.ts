import type { Attachment, FileKind } from "../attachment.ts";
import { readLabel } from "../json-view.ts";
import { nameFace } from "./face-names.ts";
import { readCard, readLink } from "./read-card.ts";
import type { Segment } from "./segment.ts";

type Data = Segment["data"];

/** Its extension is at the end. */
const maxNameLength = 300;
const fileName = (data: Data) => readLabel(data["name"], maxNameLength) || readLabel(data["file"], maxNameLength);

const named = (kind: Exclude<Attachment["kind"], FileKind>, words = ""): Attachment => ({
  kind,
  ...(words.trim() !== "" && { name: words.trim() }),
});

/** A reader per kind of segment. Addresses and paths are kept, not opened: `url` may be a `file://` of that host. */
const readers: Readonly<Record<string, (data: Data) => Attachment>> = {
  image: (data) => (isSticker(data) ? named("sticker", readLabel(data["summary"])) : readFile("image", data, "")),
  mface: (data) => named("sticker", readLabel(data["summary"])),
  face: (data) => named("sticker", nameFace(data["id"]) ?? "[表情]"),
  record: (data) => readFile("voice", data, ""),
  video: (data) => readFile("video", data, ""),
  file: (data) => readFile("file", data, fileName(data)),
  onlinefile: (data) => ({ kind: "file", ...(fileName(data) !== "" && { name: fileName(data) }) }),
  json: (data) => named("card", readCard(data["data"])),
  forward: () => named("forward"),
  node: () => named("forward"),
  poke: () => named("other", "[戳一戳]"),
  dice: (data) => named("dice", readLabel(data["result"], 10)),
  rps: (data) => named("other", `[猜拳] ${readLabel(data["result"], 10)}`),
  contact: () => named("contact"),
  location: (data) => named("location", readLabel(data["title"]) || readLabel(data["content"])),
  music: (data) => named("music", readLink(data)),
  share: (data) => named("share", readLink(data)),
  // Written by a program: its words are no more the sender's than those of a card.
  markdown: (data) => named("card", `[markdown] ${readLabel(data["content"], 300)}`),
};

/** Reads a segment other than text, mention and quote. */
export function readAttachment({ type, data }: Segment): Attachment {
  const read = Object.hasOwn(readers, type) ? readers[type] : undefined;
  return read?.(data) ?? named("other", `[${readLabel(type, 40)}]`);
}

/** NapCat marks what was sent as a sticker; elsewhere only the summary shows it. */
function isSticker(data: Data): boolean {
  return data["sub_type"] === "1" || data["summary"] === "[动画表情]";
}

/** Longest address or name of a file that is kept. */
const maxReferenceLength = 4_096;
/** A file whose bytes are in the event itself; the inbox must not be filled with larger ones. */
const maxInlineLength = 2_000_000;
const sourceFields = { file: "file", fileId: "file_id", url: "url" } as const;

function readFile(kind: FileKind, data: Data, name: string): Attachment {
  const source = Object.fromEntries(
    Object.entries(sourceFields).flatMap(([key, field]): [string, string][] => {
      const value = data[field] ?? "";
      const limit = value.startsWith("base64://") ? maxInlineLength : maxReferenceLength;
      return value === "" || value.length > limit ? [] : [[key, value.replaceAll("\0", "").toWellFormed()]];
    }),
  );
  const bytes = /^\d{1,15}$/.test(data["file_size"] ?? "") ? Number(data["file_size"]) : undefined;
  const isKnown = Object.keys(source).length > 0;
  return {
    kind,
    ...(name !== "" && !name.startsWith("base64://") && { name }),
    ...(bytes !== undefined && bytes > 0 && { bytes }),
    ...(isKnown && { source: { ...source, type: kind } }),
  };
}
