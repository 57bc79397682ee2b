/** Messages of the log that only asked it: schema/log-tables.ts has the meaning. */
export function markLogQuestions(): readonly string[] {
  return [
    `alter table log_messages add column asks integer not null default 0`,
    `create index log_messages_asks on log_messages (place) where asks = 1`,
  ];
}
