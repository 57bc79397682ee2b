import { reminderWords } from "../../words.ts";
import type { Kysely } from "kysely";
import type { Language, Taint } from "../../../../core/conversation.ts";
import { createReadableCode } from "../../../../core/ids.ts";
import { findLimitFault, type LimitFault } from "../../find-limit-fault.ts";
import type { ScheduleFault } from "../../../../language/time/read-schedule.ts";
import { findNext, type Schedule } from "../../../../core/schedule/schedule.ts";
import { toInstant, toWallTime } from "../../../../core/schedule/zoned-time.ts";
import type { ScheduleLimits } from "../../schedule-options.ts";
import { joinSources, joinTaint } from "../../../../core/taint.ts";
import type { Person } from "../../../../kernel/gate/types.ts";
import { listLinkedAccounts } from "../../../../store/queries/account-links.ts";
import { findPersonSettings } from "../../../../store/queries/person-settings.ts";
import {
  changeReminder,
  countReminders,
  findReminder,
  hasSetReminders,
  insertReminder,
  type Reminder,
} from "../../queries/reminders.ts";
import type { Database } from "../../../../store/schema/database.ts";

export interface ReminderParts {
  readonly database: () => Kysely<Database>;
  readonly reminders: {
    readonly limits: () => ScheduleLimits;
    /** Something may be due sooner than was known. */
    readonly onChange: () => void;
  };
}

/** The requested fields of a reminder; what is left out of a change stays as it is. */
export interface WantedReminder {
  readonly text?: string | undefined;
  readonly at?: string | undefined;
  readonly every?: string | undefined;
  readonly cron?: string | undefined;
  readonly zone?: string | undefined;
  readonly task?: boolean | undefined;
  readonly id?: string | undefined;
}

/** The chat and the person that set it. */
export interface ReminderPlace {
  readonly session: string;
  /** Absent = a private one. */
  readonly chatKind?: "private" | "group";
  readonly person: Person;
  readonly language: Language;
  readonly zone: string;
  readonly taint: Taint;
  readonly sources?: readonly string[];
  readonly now: number;
}

export type ReminderFault =
  | { readonly kind: "schedule"; readonly fault: ScheduleFault }
  | { readonly kind: "limit"; readonly fault: LimitFault }
  | { readonly kind: "no-text" }
  | { readonly kind: "unknown" }
  /** It belongs to another person. */
  | { readonly kind: "others"; readonly reminder: Reminder };

export type SetReminder =
  | {
      readonly ok: true;
      readonly id: string;
      readonly text: string;
      readonly schedule: Schedule;
      readonly next: number;
      readonly zone: string;
      /** True for the first reminder of a person without a zone: the answer names the one that was used. */
      readonly isZoneAssumed: boolean;
    }
  | { readonly ok: false; readonly fault: ReminderFault };

const fail = (fault: ReminderFault): SetReminder => ({ ok: false, fault });

/** Sets a reminder of this person, or changes the one with that id; `mayChangeOthers` = an owner has approved. */
export async function setReminder(
  { database, reminders }: ReminderParts,
  wanted: WantedReminder,
  place: ReminderPlace,
  mayChangeOthers: boolean,
): Promise<SetReminder> {
  const { language, now, person, session } = place;
  const accounts = await listLinkedAccounts(database(), person.id);
  const before =
    wanted.id === undefined ? undefined : await findOwn(database(), wanted.id, accounts, mayChangeOthers, place);
  if (before && "kind" in before) return fail(before);
  const zone = wanted.zone ?? before?.zone ?? place.zone;
  const isNewTime = (wanted.at ?? wanted.every ?? wanted.cron) !== undefined || before === undefined;
  const { readSchedule } = await import("../../../../language/time/read-schedule.ts");
  const read = isNewTime
    ? await readSchedule(wanted, { now, zone, language })
    : { schedule: moveZone(before.schedule, zone), rest: "" };
  if ("fault" in read) return fail({ kind: "schedule", fault: read.fault });
  const { schedule } = read;
  const text = wanted.text?.trim() ?? before?.text ?? readRest(read.rest, language);
  if (text === "") return fail({ kind: "no-text" });
  const task = wanted.task ?? before?.task ?? false;
  const others = before ? 0 : await countReminders(database(), accounts);
  const limit = findLimitFault({ schedule, task, role: person.role, others, now }, reminders.limits());
  if (limit) return fail({ kind: "limit", fault: limit });
  const next = findNext(schedule, now) ?? now;
  const label = {
    taint: joinTaint(place.taint, before?.taint ?? "owner"),
    sources: joinSources(before?.sources, place.sources),
  };
  const fields = { text, task, schedule, zone, ...label, nextDue: next, now };
  const isZoneAssumed =
    wanted.zone === undefined &&
    !(await hasSetReminders(database(), accounts)) &&
    (await findPersonSettings(database(), accounts)).zone === null;
  const id = before?.id ?? (await findFreeId(database()));
  if (before === undefined)
    await insertReminder(database(), { id, person: person.id, name: person.name, session, language, ...fields });
  else if (!(await changeReminder(database(), id, fields))) return fail({ kind: "unknown" });
  reminders.onChange();
  return { ok: true, id, text, schedule, next, zone, isZoneAssumed };
}

/** Finds an active reminder of this person; another person's only after an owner has approved. */
export async function findOwn(
  db: Kysely<Database>,
  id: string,
  accounts: readonly string[],
  mayChangeOthers: boolean,
  { chatKind, session }: Pick<ReminderPlace, "chatKind" | "session">,
): Promise<Reminder | Extract<ReminderFault, { kind: "unknown" | "others" }>> {
  const reminder = await findReminder(db, id.trim().toUpperCase());
  // A group reads along, so only what was set there is known there.
  const isHere = chatKind !== "group" || reminder?.session === session;
  if (reminder?.state !== "active" || !isHere) return { kind: "unknown" };
  return accounts.includes(reminder.person) || mayChangeOthers ? reminder : { kind: "others", reminder };
}

/** Waking up is said in the language it was asked for in, as every other text of a reminder is. */
const wakings: readonly (readonly [form: RegExp, language: Language])[] = [
  [/叫醒我/, "zh"],
  [/\bwake me\b/i, "en"],
  [/起こして/, "ja"],
];

/** The text apart from the time; a plain wake-up or call has none. */
function readRest(rest: string, language: Language): string {
  const text = takeOffRequest(rest);
  if (text !== "") return text;
  const waking = wakings.find(([form]) => form.test(rest))?.[1];
  if (waking !== undefined) return reminderWords[waking].wakeUp;
  return /叫(?:一声)?我|闹钟|\b(?:alarm|timer)\b|アラーム|タイマー/i.test(rest) ? reminderWords[language].wake : "";
}

/** In 「提醒我开会」 and 「开会提醒我一下」 the reminder is 「开会」. */
function takeOffRequest(words: string): string {
  return words
    .replace(
      /^(?:请|麻烦)?(?:帮我|给我)?(?:记得)?(?:(?:设|定)个?(?:提醒|闹钟)|提醒一?下?我?|叫醒我|叫我)(?:一下|一声)?[，,:：\s]*/,
      "",
    )
    .replace(
      /^(?:please\s)?(?:(?:can|could) you\s)?(?:remind me\s?|wake me(?: up)?\s?|set (?:a|an) (?:reminder|alarm|timer)\s?)?(?:to\s|that\s|of\s|about\s|for\s)?/i,
      "",
    )
    .replace(/(?:のを|を|と|って)?(?:リマインドし?|知らせ|教え|起こし|思い出させ)て(?:ください|ね|くれ)?[。.!！]?$/, "")
    .replace(/(?<=.)[，,\s]?(?:记得|请|麻烦|到时候?)?提醒一?下?我(?:一下|一声)?(?:吧|哦|啊|哈)?[。.!！~～]?$/, "")
    .replace(/^[。.!！]$/, "")
    .trim();
}

/** A repeating schedule with the same clock times in another zone. */
function moveZone(schedule: Schedule, zone: string): Schedule {
  if (schedule.kind === "cron") return { ...schedule, zone };
  if (schedule.kind !== "every" || schedule.zone === undefined) return schedule;
  return { ...schedule, from: toInstant(toWallTime(schedule.from, schedule.zone), zone), zone };
}

/** Short, so that people can say it. */
async function findFreeId(db: Kysely<Database>): Promise<string> {
  for (;;) {
    const id = createReadableCode(5);
    if ((await findReminder(db, id)) === undefined) return id;
  }
}
