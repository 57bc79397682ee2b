import type { Language } from "../../core/conversation.ts";
import { parseMoment } from "./parse-moment.ts";
import { findHanTime } from "./read-han-time.ts";
import { resolveTime } from "./resolve-time.ts";
import { assumeMorning } from "./assume-morning.ts";
import { findLeftDoubt } from "./find-left-doubt.ts";
import { findPlainDoubt, namesPeriod } from "./find-plain-doubt.ts";
import { findSecondWish } from "./find-second-wish.ts";
import { mendSpelling } from "./mend-spelling.ts";
import type { TimeReading } from "../../core/schedule/time-parts.ts";

const hanOrKana = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u;

/** A time is in the first words; of longer texts nothing is read. */
const maxTextLength = 1000;

/**
 * The time that a person's words name, and the words without it. Chinese and Japanese are read by a grammar of ours,
 * English by chrono-node. Clock times are those of `zone`. A text may mix languages; that of the person is tried first.
 */
export async function readTime(
  written: string,
  { now, zone, language }: { readonly now: number; readonly zone: string; readonly language: Language },
): Promise<TimeReading & { readonly rest: string }> {
  const none = { kind: "none", rest: written.trim() } as const;
  if (written.length > maxTextLength) return none;
  const text = mendSpelling(written);
  const moment = readIso(text, zone, now);
  if (moment !== undefined) return { kind: moment > now ? "at" : "past", at: moment, rest: "" };
  const plain = findPlainDoubt(text);
  if (plain !== undefined) return { kind: "ambiguous", why: plain, rest: text.trim() };
  const isHanFirst = language !== "en" && (!/[a-z]/i.test(text) || hanOrKana.test(text));
  let doubted: Doubted | undefined;
  for (const read of isHanFirst ? [han, english] : [english, han]) {
    const found = await read(text, now, zone);
    if (found === undefined || found.reading.kind === "none") continue;
    const rest = cutOut(text, found.spans);
    const isSet = found.reading.kind === "at" || found.reading.kind === "recurring";
    if (isSet && (holdsAnother(rest) || findSecondWish(rest))) return { kind: "ambiguous", why: "several", rest };
    const about = { isRepeated: found.reading.kind === "recurring", hasDay: found.hasDay === true };
    const why = isSet ? findLeftDoubt(text, found.spans, about) : undefined;
    if (why === undefined) return { ...found.reading, rest };
    doubted ??= { kind: "ambiguous", why, rest };
  }
  // Neither of the languages takes all of it in: what would be set is not what was said.
  if (doubted) return doubted;
  return namesPeriod(text) ? { kind: "ambiguous", why: "day", rest: none.rest } : none;
}

type Doubted = { readonly kind: "ambiguous"; readonly why: "range" | "unread"; readonly rest: string };

/** A date as machines write it; one of people is read with its words. */
function readIso(text: string, zone: string, now: number): number | undefined {
  return /^\s*\d{4}-\d{2}-\d{2}[T\s]\d/.test(text) ? parseMoment(text, zone, now) : undefined;
}

const joint = /还有|以及|另外|(?:^|\s)(?:和|及|と)\s?|それと|\b(?:and|also)\b/i;
/** Words between two things of Chinese; they count only right before a time. */
const hanJoint = /[和跟与及、再]|然后|然後/g;
/** So many characters hold a time and the words before it. */
const maxClockLength = 16;
const englishClock = /^\s*(?:then\s)?(?:at\s\d{1,2}\b|(?:at\s)?\d{1,2}(?::\d{2}|\s?[ap]m\b|\s?o'clock))/i;

/** 「还有下午三点看牙医」, "and at 10am": a second clock time that would be lost. One that belongs to the text has no such word before it. */
function holdsAnother(rest: string): boolean {
  for (const { 0: word, index } of rest.matchAll(hanJoint))
    if (beginsWithClock(rest.slice(index + word.length, index + word.length + maxClockLength))) return true;
  const match = joint.exec(rest);
  if (match === null) return false;
  const behind = rest.slice(match.index + match[0].length);
  return beginsWithClock(behind) || englishClock.test(behind);
}

function beginsWithClock(text: string): boolean {
  const next = findHanTime(text);
  return (next?.parts.clocks ?? next?.parts.after) !== undefined && (next?.spans[0]?.from ?? 9) <= 1;
}

interface Found {
  readonly reading: TimeReading;
  /** A day is said, and not only an hour. */
  readonly hasDay?: boolean;
  readonly spans: readonly { readonly from: number; readonly to: number }[];
}

function han(text: string, now: number, zone: string): Found | undefined {
  const found = findHanTime(text);
  if (found === undefined) return undefined;
  const reading = resolveTime(assumeMorning(found.parts, text), now, zone);
  return { reading, spans: found.spans, hasDay: found.parts.day !== undefined };
}

async function english(text: string, now: number, zone: string): Promise<Found | undefined> {
  // Without a letter there is nothing in it for the library, which is then not even loaded.
  if (!/[a-z]/i.test(text)) return undefined;
  return (await import("./read-english-time.ts")).readEnglishTime(text, now, zone);
}

function cutOut(text: string, spans: Found["spans"]): string {
  let rest = text;
  for (const { from, to } of spans.toSorted((one, other) => other.from - one.from))
    rest = `${rest.slice(0, from)} ${rest.slice(to)}`;
  return rest
    .replaceAll(/\s+/g, " ")
    .replaceAll(/^[\s，,。.、;；:：的はにの]{1,9}|[\s，,。、;；:：]{1,9}$/g, "")
    .trim();
}
