import type { Engine } from "./engine.ts";

/** Reminders: schema/reminder-tables.ts has the meaning. */
export function createReminderTables({ text }: Engine): readonly string[] {
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
