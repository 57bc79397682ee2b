import type { Kysely, Selectable } from "kysely";
import type { Language, Taint } from "../../../core/conversation.ts";
import type { Schedule } from "../../../core/schedule/schedule.ts";
import { listLinkedAccounts } from "../../../store/queries/account-links.ts";
import type { Database } from "../../../store/schema/database.ts";

export interface Reminder {
  readonly id: string;
  /** `<platform>:<user>`: the person who set it. */
  readonly person: string;
  /** Their name at that time. */
  readonly name: string;
  /** The chat where it was set. */
  readonly session: string;
  readonly text: string;
  /** When it is due, a turn begins with the text. */
  readonly task: boolean;
  readonly schedule: Schedule;
  readonly zone: string;
  readonly language: Language;
  /** The label of the turn that stored the text. */
  readonly taint: Taint;
  readonly sources: readonly string[];
  readonly state: "active" | "done" | "cancelled";
  /** When it is looked at next; null = never again. */
  readonly nextDue: number | null;
  /** Only while it waits for the end of quiet hours: when it was due. */
  readonly heldDue: number | null;
  readonly lastDue: number | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

function toReminder(row: Selectable<Database["reminders"]>): Reminder {
  return {
    id: row.id,
    person: row.person,
    name: row.name,
    session: row.session,
    text: row.text,
    task: row.task === 1,
    schedule: JSON.parse(row.schedule) as Schedule,
    zone: row.zone,
    language: row.language as Language,
    taint: row.taint as Taint,
    sources: JSON.parse(row.sources) as string[],
    state: row.state as Reminder["state"],
    nextDue: row.next_due,
    heldDue: row.held_due,
    lastDue: row.last_due,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

export async function insertReminder(
  db: Kysely<Database>,
  reminder: Omit<Reminder, "state" | "nextDue" | "heldDue" | "lastDue" | "createdAt" | "updatedAt"> & {
    readonly nextDue: number;
    readonly now: number;
  },
): Promise<void> {
  const { id, person, name, session, text, task, schedule, zone, language, taint, sources, nextDue, now } = reminder;
  await db
    .insertInto("reminders")
    .values({
      id,
      person,
      name,
      session,
      text,
      task: task ? 1 : 0,
      schedule: JSON.stringify(schedule),
      zone,
      language,
      taint,
      sources: JSON.stringify(sources),
      state: "active",
      next_due: nextDue,
      held_due: null,
      last_due: null,
      created_at: now,
      updated_at: now,
    })
    .execute();
}

/** The given fields of an active one change; a new schedule comes with its `nextDue`. false = there is none. */
export async function changeReminder(
  db: Kysely<Database>,
  id: string,
  change: Partial<Pick<Reminder, "text" | "task" | "schedule" | "zone" | "taint" | "sources">> & {
    readonly nextDue?: number;
    readonly now: number;
  },
): Promise<boolean> {
  const { text, task, schedule, zone, taint, sources, nextDue, now } = change;
  const row = await db
    .updateTable("reminders")
    .set({
      updated_at: now,
      ...(text !== undefined && { text }),
      ...(task !== undefined && { task: task ? 1 : 0 }),
      ...(schedule !== undefined && { schedule: JSON.stringify(schedule) }),
      ...(zone !== undefined && { zone }),
      ...(taint !== undefined && { taint }),
      ...(sources !== undefined && { sources: JSON.stringify(sources) }),
      ...(nextDue !== undefined && { next_due: nextDue, held_due: null }),
    })
    .where("id", "=", id)
    .where("state", "=", "active")
    .returning("id")
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether a reminder set by these accounts is kept, including one that has ended. */
export async function hasSetReminders(db: Kysely<Database>, accounts: readonly string[]): Promise<boolean> {
  const row = await db.selectFrom("reminders").select("id").where("person", "in", accounts).limit(1).executeTakeFirst();
  return row !== undefined;
}

export async function findReminder(db: Kysely<Database>, id: string): Promise<Reminder | undefined> {
  const row = await db.selectFrom("reminders").selectAll().where("id", "=", id).executeTakeFirst();
  return row && toReminder(row);
}

/** The active ones of these accounts (one human's: `listLinkedAccounts`), the next first. */
export async function listReminders(db: Kysely<Database>, accounts: readonly string[]): Promise<readonly Reminder[]> {
  const rows = await db
    .selectFrom("reminders")
    .selectAll()
    .where("person", "in", accounts)
    .where("state", "=", "active")
    .orderBy("next_due")
    .orderBy("id")
    .execute();
  return rows.map(toReminder);
}

/** The active ones of all accounts of a person, the next first; with `session` only those that were set there. */
export async function listOwnReminders(
  db: Kysely<Database>,
  person: string,
  session: string | undefined,
): Promise<readonly Reminder[]> {
  const all = await listReminders(db, await listLinkedAccounts(db, person));
  return session === undefined ? all : all.filter((reminder) => reminder.session === session);
}

/** Every active one, for the operator. */
export async function listAllReminders(db: Kysely<Database>): Promise<readonly Reminder[]> {
  const rows = await db
    .selectFrom("reminders")
    .selectAll()
    .where("state", "=", "active")
    .orderBy("next_due")
    .orderBy("id")
    .execute();
  return rows.map(toReminder);
}

export async function countReminders(db: Kysely<Database>, accounts: readonly string[]): Promise<number> {
  const row = await db
    .selectFrom("reminders")
    .select((expression) => expression.fn.countAll().as("count"))
    .where("person", "in", accounts)
    .where("state", "=", "active")
    .executeTakeFirst();
  return Number(row?.count ?? 0);
}

/** Returns false if it is not active. */
export async function cancelReminder(db: Kysely<Database>, id: string, now: number): Promise<boolean> {
  const row = await db
    .updateTable("reminders")
    .set({ state: "cancelled", next_due: null, held_due: null, updated_at: now })
    .where("id", "=", id)
    .where("state", "=", "active")
    .returning("id")
    .executeTakeFirst();
  return row !== undefined;
}

/** When the next one is due; undefined = nothing is planned. Only an active one has a time. */
export async function findNextDue(db: Kysely<Database>): Promise<number | undefined> {
  const row = await db
    .selectFrom("reminders")
    .select("next_due")
    .where("next_due", "is not", null)
    .orderBy("next_due")
    .limit(1)
    .executeTakeFirst();
  return row?.next_due ?? undefined;
}

/** The next active ones of all people. */
export async function listComingReminders(db: Kysely<Database>, limit: number): Promise<readonly Reminder[]> {
  const rows = await db
    .selectFrom("reminders")
    .selectAll()
    .where("next_due", "is not", null)
    .orderBy("next_due")
    .orderBy("id")
    .limit(limit)
    .execute();
  return rows.map(toReminder);
}

/** Those that were due since then, the newest first. */
export async function listRemindedSince(
  db: Kysely<Database>,
  { limit, since }: { readonly limit: number; readonly since: number },
): Promise<readonly Reminder[]> {
  const rows = await db
    .selectFrom("reminders")
    .selectAll()
    .where("last_due", ">=", since)
    .where("state", "in", ["active", "done"])
    .orderBy("last_due", "desc")
    .limit(limit)
    .execute();
  return rows.map(toReminder);
}

/** The due reminders, oldest first, at most `most`. */
export async function listDueReminders(db: Kysely<Database>, now: number, most: number): Promise<readonly Reminder[]> {
  const rows = await db
    .selectFrom("reminders")
    .selectAll()
    .where("next_due", "<=", now)
    .orderBy("next_due")
    .orderBy("id")
    .limit(most)
    .execute();
  return rows.map(toReminder);
}

/**
 * Fires the reminder for `due`; `next` undefined = never again. Returns false if another process fired it, or if it was
 * changed in the meantime.
 */
export async function advanceReminder(
  db: Kysely<Database>,
  { id, nextDue: seen }: Reminder,
  step: { readonly due: number; readonly next: number | undefined; readonly now: number },
): Promise<boolean> {
  const { due, next, now } = step;
  const row = await db
    .updateTable("reminders")
    .set({
      state: next === undefined ? "done" : "active",
      next_due: next ?? null,
      held_due: null,
      last_due: due,
      updated_at: now,
    })
    .where("id", "=", id)
    .where("state", "=", "active")
    .where("next_due", "=", seen)
    .returning("id")
    .executeTakeFirst();
  return row !== undefined;
}

/** It waits until then for the end of quiet hours. */
export async function holdReminder(
  db: Kysely<Database>,
  { id, nextDue, heldDue }: Reminder,
  until: number,
): Promise<void> {
  await db
    .updateTable("reminders")
    .set({ next_due: until, held_due: heldDue ?? nextDue })
    .where("id", "=", id)
    .where("state", "=", "active")
    .where("next_due", "=", nextDue)
    .execute();
}

/** The quiet hours of these accounts have changed: reminders that wait for their end are checked again. */
export async function releaseReminders(db: Kysely<Database>, accounts: readonly string[]): Promise<void> {
  await db
    .updateTable("reminders")
    .set((expression) => ({ next_due: expression.ref("held_due"), held_due: null }))
    .where("person", "in", accounts)
    .where("state", "=", "active")
    .where("held_due", "is not", null)
    .execute();
}
