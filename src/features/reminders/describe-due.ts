import { dueWords } from "./due-words.ts";
import { reminderWords } from "./words.ts";
import type { Language } from "../../core/conversation.ts";
import { makeVisible } from "../../core/persona/show-payload.ts";
import { wordsFor } from "../../core/words/words.ts";
import type { Reminder } from "./queries/reminders.ts";
import type { ReminderJob } from "./reminder-job.ts";

/** From here on it is said how late it is. */
const tellsLateFromMs = 2 * 60_000;
const maxTextLength = 1_000;

const locales = { zh: "zh-CN", en: "en-GB", ja: "ja-JP" } as const;

/**
 * The text of a reminder inside a sentence of ours: plain, whole lines, and without mentions, so that it notifies no
 * other member.
 */
export function quoteReminder(text: string, scrub: (text: string) => string): string {
  const shown = makeVisible(scrub(text).trim());
  const cut = shown.length > maxTextLength ? `${shown.slice(0, maxTextLength - 1).toWellFormed()}…` : shown;
  // In an e-mail address the sign is no mention.
  return cut.replaceAll(/(?<!\w)@|@(?![\w-]+\.\w)/g, "＠");
}

/** How late the reminder is and why, as a sentence in brackets; "" = in time. */
export function describeLateness(job: ReminderJob, zone: string, language: Language, now: number): string {
  const words = dueWords[language];
  const { duration } = wordsFor(language);
  const lateMs = now - job.due;
  if (lateMs < tellsLateFromMs) return "";
  const late = { when: formatTime(job.due, zone, language, now), missed: job.missed };
  const stoppedMs = job.firedAt - job.due;
  if (job.quiet) return words.quiet({ ...late, term: duration(stoppedMs) });
  const isStopped = job.away === true && stoppedMs >= tellsLateFromMs;
  return isStopped
    ? words.stopped({ ...late, term: duration(stoppedMs) })
    : words.late({ ...late, term: duration(lateMs) });
}

/** The clock time, with its day when that is not today. */
function formatTime(at: number, zone: string, language: Language, now: number): string {
  const day = new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short" });
  const isToday = day.format(at) === day.format(now);
  return new Intl.DateTimeFormat(locales[language], {
    timeZone: zone,
    hourCycle: "h23",
    hour: "2-digit",
    minute: "2-digit",
    ...(!isToday && { month: "long", day: "numeric" }),
  }).format(at);
}

/** The text for one person at one moment; several reminders stand below each other. */
export function describeDue(
  told: readonly { readonly reminder: Reminder; readonly job: ReminderJob }[],
  {
    language,
    lead,
    now,
    scrub,
  }: {
    readonly language: Language;
    /** The persona's words right before a single reminder; undefined = the fixed ones. */
    readonly lead: () => string | undefined;
    readonly now: number;
    readonly scrub: (text: string) => string;
  },
): string {
  const words = dueWords[language];
  const entries = told.map(({ job, reminder }) => {
    const what = quoteReminder(reminder.text, scrub);
    const late = describeLateness(job, reminder.zone, language, now);
    return { what, notes: late === "" ? [] : [late] };
  });
  const tell = (what: string) => {
    const own = lead();
    return own === undefined ? words.one(what) : `${own}${what}`;
  };
  const [first] = entries;
  if (entries.length === 1 && first) {
    const isWake = first.what === reminderWords[language].wake;
    return [isWake ? first.what : tell(first.what), ...first.notes].join("\n");
  }
  return [
    words.several(entries.length),
    ...entries.map(({ what, notes }) => words.line(`${what}${notes.join("")}`)),
  ].join("\n");
}
