import { chatlogWords } from "./words.ts";
import type { Language } from "../../core/conversation.ts";
import { formatIso } from "../../core/schedule/zoned-time.ts";

/** A message as people read it. */
export interface ReadableMessage {
  readonly id: number;
  /** With its tag where others could bear it. */
  readonly from: string;
  readonly text: string;
  readonly saidAt: number;
  readonly chat?: string;
  readonly link?: string;
}

export const logFormats = ["compact", "timeline", "detailed"] as const;
export type LogFormat = (typeof logFormats)[number];

/** The messages in order of time, whole ones only, as far as there is room, and how many are left out. */
export function formatMessages(
  messages: readonly ReadableMessage[],
  how: { readonly format: LogFormat; readonly maxLength: number; readonly zone: string; readonly language: Language },
): { readonly text: string; readonly shown: number; readonly leftOut: number } {
  const { format, language, maxLength, zone } = how;
  const sorted = messages.toSorted((a, b) => a.saidAt - b.saidAt || a.id - b.id);
  const separator = format === "detailed" ? "\n\n" : "\n";
  const pieces: string[] = [];
  let length = 0;
  let day = "";
  for (const message of sorted) {
    const at = formatIso(message.saidAt, zone);
    const heading =
      format === "timeline" && at.slice(0, 10) !== day
        ? `— ${describeDay(at, message.saidAt, zone, language)} —\n`
        : "";
    const piece = heading + write(message, at, format);
    const left = sorted.length - pieces.length - 1;
    const reserved = left > 0 ? chatlogWords[language].messagesLeftOut(left).length + separator.length : 0;
    if (length + piece.length + separator.length + reserved > maxLength) break;
    pieces.push(piece);
    length += piece.length + separator.length;
    day = at.slice(0, 10);
  }
  const leftOut = sorted.length - pieces.length;
  const end = leftOut > 0 ? [chatlogWords[language].messagesLeftOut(leftOut)] : [];
  return { text: [...pieces, ...end].join(separator), shown: pieces.length, leftOut };
}

function write({ chat, from, id, link, text }: ReadableMessage, at: string, format: LogFormat): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  switch (format) {
    case "compact":
      return `#${id} ${at.slice(5, 10)} ${at.slice(11, 16)} ${from}: ${line}`;
    case "timeline":
      return `${at.slice(11, 16)} ${from}: ${line} (#${id})`;
    case "detailed": {
      const where = [...(chat === undefined ? [] : [chat]), ...(link === undefined ? [] : [link])];
      const head = [`#${id}`, `${at.slice(0, 10)} ${at.slice(11, 19)}`, from, ...where].join(" · ");
      return `${head}\n${text.trim().replaceAll(/^/gm, "  ")}`;
    }
  }
}

function describeDay(iso: string, at: number, zone: string, language: Language): string {
  const locale = { zh: "zh-CN", en: "en-GB", ja: "ja-JP" }[language];
  const weekday = new Intl.DateTimeFormat(locale, { timeZone: zone, weekday: "short" }).format(at);
  return `${iso.slice(0, 10)} ${weekday}`;
}
