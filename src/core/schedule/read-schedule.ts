import type { Language } from "../conversation.ts";
import { parseDuration } from "./add-duration.ts";
import { findCronFault, findNext, type Schedule } from "./schedule.ts";
import { readTime } from "./read-time.ts";
import type { TimeDoubt } from "./time-parts.ts";

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

/** `rest` = the words beside the time. */
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
  const everyMs = readLength(every);
  if (everyMs === undefined) return at === undefined ? readEvery(every, where) : { fault: { kind: "which" } };
  const first = at === undefined ? undefined : await readOnceOrMore(at, where);
  if (first && "fault" in first) return first;
  const from = first?.schedule.kind === "once" ? first.schedule.at : now + everyMs;
  return end({ kind: "every", everyMs, from }, now);
}

async function readOnceOrMore(text: string, where: Where): Promise<Read> {
  const { now } = where;
  const reading = await readTime(text, where);
  switch (reading.kind) {
    case "at":
      return end({ kind: "once", at: reading.at }, now, reading.rest);
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

/** "weekday 9:00" and 「周一 09:00」 are meant to come back where they stand behind an "every". */
async function readEvery(text: string, where: Where): Promise<Read> {
  let last: Read = { fault: { kind: "no-time", text } };
  for (const words of [text, `每${text}`, `every ${text}`]) {
    const read = await readOnceOrMore(words, where);
    if ("schedule" in read && read.schedule.kind !== "once") return read;
    if ("fault" in read && read.fault.kind === "ask") last = read;
  }
  return last;
}

/** Milliseconds of "1d", "2 hours", "1w". Months differ, so they are said in words or by cron. */
function readLength(text: string): number | undefined {
  const length = parseDuration(text);
  const total = length && length.days * 86_400_000 + length.milliseconds;
  return length?.months === 0 && total !== undefined && total > 0 ? total : undefined;
}

function end(schedule: Schedule, now: number, rest = ""): Read {
  if (findNext(schedule, now) !== undefined) return { schedule, rest };
  return { fault: schedule.kind === "once" ? { kind: "past", at: schedule.at } : { kind: "ask", why: "impossible" } };
}
