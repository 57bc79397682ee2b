import type { Clock } from "../../core/clock.ts";
import { AppError } from "../../core/errors.ts";
import { kurisuCommand } from "../../core/kurisu-command.ts";
import { appendAudit } from "../../store/queries/audit.ts";
import { cancelReminder, findReminder } from "./queries/reminders.ts";
import type { Store } from "../../store/open-store.ts";

/** The request of `kurisu reminders cancel`; the answer is the reminder's text. */
export interface CancelReminderRequest {
  readonly kind: "cancel-reminder";
  readonly reminder: string;
}

/** Lets the operator cancel any reminder by id; returns its text. Throws AppError USAGE. */
export type CancelAsOperator = (id: string, by: string, login?: string) => Promise<string>;

export function createCancelAsOperator({
  store,
  clock,
}: {
  readonly store: Pick<Store, "main">;
  readonly clock: Clock;
}): CancelAsOperator {
  return (given, by, login) =>
    store.main.transaction().execute(async (tx) => {
      const id = given.trim().toUpperCase();
      const reminder = await findReminder(tx, id);
      const now = clock.now();
      if (reminder === undefined || !(await cancelReminder(tx, id, now)))
        throw new AppError("USAGE", `No reminder ${given} is waiting. ${kurisuCommand} reminders list shows them.`);
      const { person, session, text } = reminder;
      await appendAudit(tx, {
        actor: by,
        action: "reminder.cancelled",
        session,
        detail: { reminder: id, person, ...(login !== undefined && { login }) },
        now,
      });
      return text;
    });
}
