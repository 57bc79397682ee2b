import type { Attachment, FileKind } from "../attachment.ts";
import { readArray, readInteger, readLabel, readRecord, readText, type JsonRecord } from "../json-view.ts";

/** Its extension is at the end. */
const maxNameLength = 300;

type Reader = (content: JsonRecord, message: JsonRecord, field: string) => Attachment;

const named =
  (kind: Exclude<Attachment["kind"], FileKind>, read: (content: JsonRecord) => string): Reader =>
  (content, _, field) => {
    const words = read(content);
    const name = kind === "other" ? `${field.replaceAll("_", " ")} ${words}`.trim() : words;
    return { kind, ...(name !== "" && { name }) };
  };

const file =
  (
    kind: FileKind,
    name: (content: JsonRecord) => string = (content) => readLabel(content["file_name"], maxNameLength),
  ): Reader =>
  (content) =>
    readFile(kind, content, name(content));

/** A reader per content field of a message. */
const readers: Readonly<Record<string, Reader>> = {
  // The set often says more than the emoji that its maker chose.
  sticker: named("sticker", (sticker) => `${readLabel(sticker["emoji"])} ${readLabel(sticker["set_name"])}`.trim()),
  // The sizes of one picture; the last is the largest.
  photo: (_, message) => readFile("image", readRecord(readArray(message["photo"]).at(-1)) ?? {}, ""),
  live_photo: file("image"),
  animation: file("animation"),
  document: file("file"),
  audio: file("audio", (audio) => readLabel(audio["file_name"], maxNameLength) || readLabel(audio["title"])),
  voice: file("voice"),
  video: file("video"),
  video_note: file("video"),
  contact: named("contact", (contact) => readLabel(contact["first_name"])),
  location: named("location", (place) =>
    [place["latitude"], place["longitude"]].filter((degree) => typeof degree === "number").join(","),
  ),
  venue: named("location", (venue) => readLabel(venue["title"])),
  poll: named("poll", (poll) => readLabel(poll["question"])),
  dice: named("dice", (dice) => `${readLabel(dice["emoji"])} ${readInteger(dice["value"]) ?? ""}`.trim()),
  story: named("other", () => ""),
  game: named("other", (game) => readLabel(game["title"])),
  invoice: named("other", (invoice) => readLabel(invoice["title"])),
  checklist: named("other", (checklist) => readLabel(checklist["title"])),
  paid_media: named("other", () => ""),
  rich_message: named("other", () => ""),
};

/** A field that repeats another for old clients: an animation comes with a `document`, a venue with a `location`. */
const shadows: Readonly<Record<string, string>> = { document: "animation", location: "venue", photo: "live_photo" };

/** Reads everything except the text. Files are fetched by their `file_id`. */
export function readAttachments(message: JsonRecord): readonly Attachment[] {
  const found: Attachment[] = [];
  for (const [field, read] of Object.entries(readers)) {
    const content = message[field];
    const shadowed = shadows[field];
    if (typeof content !== "object" || content === null) continue;
    if (shadowed !== undefined && message[shadowed] !== undefined) continue;
    found.push(read(readRecord(content) ?? {}, message, field));
  }
  return found;
}

function readFile(kind: FileKind, content: JsonRecord, name: string): Attachment {
  const fileId = readText(content["file_id"]);
  const mimeType = readLabel(content["mime_type"]);
  const bytes = readInteger(content["file_size"]);
  const seconds = readInteger(content["duration"]);
  return {
    kind,
    ...(name !== "" && { name }),
    ...(mimeType !== "" && { mimeType }),
    ...(bytes !== undefined && { bytes }),
    ...(seconds !== undefined && { seconds }),
    ...(fileId !== undefined && /^[\w-]{1,300}$/.test(fileId) && { source: { fileId } }),
  };
}
