import { readInteger, readLabel, readRecord, type JsonRecord } from "../json-view.ts";

/** One reader per content field of a message; an empty answer means there is nothing to say beyond the name. */
const readers: Readonly<Record<string, (content: JsonRecord) => string>> = {
  sticker: (sticker) => readLabel(sticker["emoji"]),
  photo: () => "",
  live_photo: () => "",
  animation: (file) => readLabel(file["file_name"]),
  document: (file) => readLabel(file["file_name"]),
  audio: (audio) => readLabel(audio["title"]) || readLabel(audio["file_name"]),
  voice: (voice) => readSeconds(voice),
  video: (video) => readLabel(video["file_name"]) || readSeconds(video),
  video_note: (video) => readSeconds(video),
  contact: (contact) => readLabel(contact["first_name"]),
  location: (place) => [place["latitude"], place["longitude"]].filter((degree) => typeof degree === "number").join(","),
  venue: (venue) => readLabel(venue["title"]),
  poll: (poll) => readLabel(poll["question"]),
  dice: (dice) => `${readLabel(dice["emoji"])} ${readInteger(dice["value"]) ?? ""}`.trim(),
  story: () => "",
  game: (game) => readLabel(game["title"]),
  invoice: (invoice) => readLabel(invoice["title"]),
  checklist: (checklist) => readLabel(checklist["title"]),
  paid_media: () => "",
  rich_message: () => "",
};

/** A field that repeats another for old clients: an animation comes with a `document`, a venue with a `location`. */
const shadows: Readonly<Record<string, string>> = { document: "animation", location: "venue", photo: "live_photo" };

/** What came beside the text, as words for the model: `sticker 😀`, `photo`, `document notes.txt`. */
export function readAttachments(message: JsonRecord): readonly string[] {
  const words: string[] = [];
  for (const [field, read] of Object.entries(readers)) {
    const content = message[field];
    const shadowed = shadows[field];
    if (typeof content !== "object" || content === null) continue;
    if (shadowed !== undefined && message[shadowed] !== undefined) continue;
    words.push(`${field.replaceAll("_", " ")} ${read(readRecord(content) ?? {})}`.trim());
  }
  return words;
}

function readSeconds(content: JsonRecord): string {
  const duration = readInteger(content["duration"]);
  return duration === undefined ? "" : `${duration} s`;
}
