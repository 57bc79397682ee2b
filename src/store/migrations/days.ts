/** Events of a day are read by their time. */
export function indexDays(): readonly string[] {
  return [`create index turns_day on turns (created_at) where kind = 'chat'`, `create index audit_day on audit (at)`];
}

/** Calls of a week are counted by tool, and the newest tasks of sub-agents are listed. */
export function indexAbilities(): readonly string[] {
  return [
    `create index tool_ledger_week on tool_ledger (started_at, tool)`,
    `create index turns_task on turns (created_at) where kind = 'task'`,
  ];
}
