/** Since when somebody is no member any more: schema/log-tables.ts has the meaning. */
export function keepWhoLeft(): readonly string[] {
  return [`alter table log_readers add column left_at bigint`];
}
