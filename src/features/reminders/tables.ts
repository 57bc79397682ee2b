import type { Engine } from "../../store/migrations/engine.ts";
import { account, deleted } from "../../store/tables/person-table.ts";
import type { Tables } from "../../store/tables/tables.ts";

declare module "../../store/schema/database.ts" {
  interface Database {
    reminders: ReminderTable;
  }
}

export const reminderTables: Tables = {
  migrations: { "0001-tables": createReminderTables },
  people: {
    reminders: deleted("reminders", account("person")),
  },
  followed: {
    reminders: { topic: "reminders", id: "id", session: "session", updates: ["state", "text", "schedule", "next_due"] },
  },
  async prune(db, before) {
    await db.deleteFrom("reminders").where("next_due", "is", null).where("updated_at", "<", before).execute();
  },
};

/** Something she is to say, or to do, at a time. */
interface ReminderTable {
  id: string;
  /** `<platform>:<user>`: the person who set it. */
  person: string;
  /** Their name at that time. */
  name: string;
  /** The chat where it was set, and where it is delivered. */
  session: string;
  text: string;
  /** 1 = a task: when it is due, a turn begins with the text. */
  task: number;
  /** JSON; core/schedule/schedule.ts has its shape. */
  schedule: string;
  zone: string;
  language: string;
  /** The label of the turn that stored the text, and whose words that turn had read, as a JSON list. */
  taint: string;
  sources: string;
  /** active | done | cancelled */
  state: string;
  /** When it is looked at next; null = never again. */
  next_due: number | null;
  /** Only while it waits for the end of quiet hours: when it was due. */
  held_due: number | null;
  last_due: number | null;
  created_at: number;
  updated_at: number;
}

function createReminderTables({ text }: Engine): readonly string[] {
  return [
    `create table reminders (
      id ${text} primary key,
      person ${text} not null,
      name ${text} not null,
      session ${text} not null,
      text ${text} not null,
      task integer not null,
      schedule ${text} not null,
      zone ${text} not null,
      language ${text} not null,
      taint ${text} not null,
      sources ${text} not null,
      state ${text} not null,
      next_due bigint,
      held_due bigint,
      last_due bigint,
      created_at bigint not null,
      updated_at bigint not null
    )`,
    `create index reminders_due on reminders (next_due)`,
    `create index reminders_person on reminders (person)`,
    // The day's tasks are counted by it.
    `create index inbox_reminders on inbox (created_at) where kind = 'reminder'`,
  ];
}
