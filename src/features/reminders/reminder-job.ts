import type { Kysely } from "kysely";
import { insertOwnJob, type InboxItem } from "../../store/queries/inbox.ts";
import type { Database } from "../../store/schema/database.ts";
import type { Reminder } from "./queries/reminders.ts";

/** A reminder is due. */
export interface ReminderJob {
  readonly reminder: string;
  readonly due: number;
  /** When its clock came to it; later than `due` after a time without one. */
  readonly firedAt: number;
  /** Later occurrences that were missed as well; the chat learns only their number. */
  readonly missed: number;
  /** She was not running at `due`: she was started later. */
  readonly away?: boolean;
  /** It had to wait for the end of quiet hours. */
  readonly quiet: boolean;
  /** A turn begins with it. */
  readonly task: boolean;
}

/** Once per reminder and time. Tasks are counted for who set them. */
export function queueReminder(
  db: Kysely<Database>,
  { id, person, session, task }: Pick<Reminder, "id" | "person" | "session" | "task">,
  due: Omit<ReminderJob, "reminder" | "task">,
  now: number,
): Promise<InboxItem | undefined> {
  const payload: ReminderJob = { reminder: id, task, ...due };
  return insertOwnJob(db, {
    eventKey: `reminder:${id}:${due.due}`,
    session,
    requester: task ? person : null,
    kind: "reminder",
    payload: JSON.stringify(payload),
    now,
  });
}
