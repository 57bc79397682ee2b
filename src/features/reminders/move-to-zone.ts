import type { Kysely } from "kysely";
import { findNext, type Schedule } from "../../core/schedule/schedule.ts";
import { toInstant, toWallTime } from "../../core/schedule/zoned-time.ts";
import { changeReminder, listReminders } from "./queries/reminders.ts";
import type { Database } from "../../store/schema/database.ts";

/**
 * Gives the reminders that a person set by the clocks of the default zone the same clock times in the first zone they
 * name. Returns the ids of those that moved. Lengths, times with an explicit zone, and times that would have passed
 * stay.
 */
export async function moveToZone(
  db: Kysely<Database>,
  accounts: readonly string[],
  { from, to, now }: { readonly from: string; readonly to: string; readonly now: number },
): Promise<ReadonlySet<string>> {
  const moved = new Set<string>();
  for (const reminder of await listReminders(db, accounts)) {
    // A reminder that waits for the end of quiet hours was due already.
    if (from === to || reminder.zone !== from || reminder.heldDue !== null) continue;
    const schedule = moveClock(reminder.schedule, from, to);
    const nextDue = schedule && findNext(schedule, now);
    if (schedule === undefined || nextDue === undefined || (reminder.nextDue ?? now) <= now) continue;
    if (await changeReminder(db, reminder.id, { schedule, zone: to, nextDue, now })) moved.add(reminder.id);
  }
  return moved;
}

/** Undefined for a schedule that does not name a time of day in that zone. */
function moveClock(schedule: Schedule, from: string, to: string): Schedule | undefined {
  switch (schedule.kind) {
    case "once":
      return schedule.zone === from
        ? { kind: "once", at: toInstant(toWallTime(schedule.at, from), to), zone: to }
        : undefined;
    case "cron":
      return schedule.zone === from ? { ...schedule, zone: to } : undefined;
    case "every":
      // It may count from the moment it was set.
      return undefined;
  }
}
