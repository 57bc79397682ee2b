/** Events of a day are read by their time. */
export function indexDays(): readonly string[] {
  return [`create index turns_day on turns (created_at) where kind = 'chat'`, `create index audit_day on audit (at)`];
}
