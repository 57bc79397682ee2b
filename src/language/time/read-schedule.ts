import type { Language } from "../../core/conversation.ts";
import { addDuration, parseDuration, type Duration } from "../../core/schedule/add-duration.ts";
import { repeatEvery } from "./resolve-every.ts";
import { findCronFault, findNext, type Schedule } from "../../core/schedule/schedule.ts";
import { findSaidZone, findUnknownPlace } from "./find-places.ts";
import { readTime } from "./read-time.ts";
import type { TimeDoubt } from "../../core/schedule/time-parts.ts";
import { toUtcInstant, toWallTime } from "../../core/schedule/zoned-time.ts";

/** The reason why a time cannot be set, for the words of its reader. */
export type ScheduleFault =
  | ({ readonly kind: "ask" } & TimeDoubt)
  | { readonly kind: "past"; readonly at: number }
  | { readonly kind: "no-time"; readonly text: string }
  | { readonly kind: "cron"; readonly why: string }
  | { readonly kind: "which" };

interface Given {
  readonly at?: string | undefined;
  readonly every?: string | undefined;
  readonly cron?: string | undefined;
}

interface Where {
  readonly now: number;
  readonly zone: string;
  readonly language: Language;
}

/** `rest` = the words around the time. */
type Read = { readonly schedule: Schedule; readonly rest: string } | { readonly fault: ScheduleFault };

/** The schedule of `at` (a date, or words), of `every` (a length or words) or of `cron`; `at` may name the first time of a length. */
export async function readSchedule({ at, every, cron }: Given, where: Where): Promise<Read> {
  const { zone, now } = where;
  if (cron !== undefined) {
    if (at !== undefined || every !== undefined) return { fault: { kind: "which" } };
    const why = findCronFault(cron, zone);
    return why === undefined ? end({ kind: "cron", cron: cron.trim(), zone }, now) : { fault: { kind: "cron", why } };
  }
  if (every === undefined) return at === undefined ? { fault: { kind: "which" } } : readOnceOrMore(at, where);
  const length = readLength(every);
  if (length === undefined) return at === undefined ? readEvery(every, where) : { fault: { kind: "which" } };
  const first = at === undefined ? undefined : await readOnceOrMore(at, where);
  if (first && "fault" in first) return first;
  // A repetition has a length of its own.
  const once = first?.schedule;
  if (once && once.kind !== "once") return { fault: { kind: "which" } };
  return end(repeatEvery(length, once?.at ?? addDuration(now, length, zone), zone), now);
}

async function readOnceOrMore(written: string, place: Where): Promise<Read> {
  const { now } = place;
  const said = findSaidZone(written);
  const unknown = said ? undefined : findUnknownPlace(written);
  if (unknown !== undefined) return { fault: { kind: "ask", why: "place", place: unknown } };
  const text = said ? `${written.slice(0, said.from)} ${written.slice(said.to)}`.trim() : written;
  const where = said ? { ...place, zone: said.zone } : place;
  const reading = await readTime(text, where);
  switch (reading.kind) {
    case "at": {
      const isOfClock = said === undefined && (await isByClock(text, reading.at, where));
      return end({ kind: "once", at: reading.at, ...(isOfClock && { zone: where.zone }) }, now, reading.rest);
    }
    case "recurring":
      return end(reading.schedule, now, reading.rest);
    case "past":
      return { fault: { kind: "past", at: reading.at } };
    case "ambiguous":
      return { fault: { ...reading, kind: "ask" } };
    case "none":
      return { fault: { kind: "no-time", text } };
  }
}

const hourMs = 3_600_000;

/**
 * Whether the words name a time of day. A duration ends at the same instant wherever it is read; clocks half a day away
 * show a time of day at another. A change of clocks moves a duration of days by an hour or two.
 */
async function isByClock(text: string, at: number, where: Where): Promise<boolean> {
  const offset = Math.round((toUtcInstant(toWallTime(where.now, where.zone)) - where.now) / hourMs);
  const other = offset > 0 ? offset - 12 : offset + 12;
  const zone = `${other < 0 ? "-" : "+"}${String(Math.abs(other)).padStart(2, "0")}:00`;
  const reading = await readTime(text, { ...where, zone });
  return reading.kind !== "at" || Math.abs(reading.at - at) > 3 * hourMs;
}

/** "weekday 9:00" and 「周一 09:00」 are meant to repeat behind an "every". */
async function readEvery(text: string, where: Where): Promise<Read> {
  let last: Read = { fault: { kind: "no-time", text } };
  for (const words of [text, `每${text}`, `every ${text}`]) {
    const read = await readOnceOrMore(words, where);
    if ("schedule" in read && read.schedule.kind !== "once") return read;
    if ("fault" in read && read.fault.kind === "ask") last = read;
  }
  return last;
}

/** "1d", "2 hours", "1w". Months differ, so they are said in words or by cron. */
function readLength(text: string): Duration | undefined {
  const length = parseDuration(text);
  return length?.months === 0 && length.days >= 0 && length.milliseconds >= 0 && length.days + length.milliseconds > 0
    ? length
    : undefined;
}

function end(schedule: Schedule, now: number, rest = ""): Read {
  if (findNext(schedule, now) !== undefined) return { schedule, rest };
  return { fault: schedule.kind === "once" ? { kind: "past", at: schedule.at } : { kind: "ask", why: "impossible" } };
}
