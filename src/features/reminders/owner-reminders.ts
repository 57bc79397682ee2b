import type { Clock } from "../../core/clock.ts";
import type { Language } from "../../core/conversation.ts";
import { consoleOwner } from "../../core/own-platforms.ts";
import { appendAudit } from "../../store/queries/audit.ts";
import type { Store } from "../../store/open-store.ts";
import type { CancelAsOperator } from "./cancel-as-operator.ts";
import { describeFault } from "./describe-fault.ts";
import { findReminder, listAllReminders, type Reminder } from "./queries/reminders.ts";
import { setReminder, type ReminderParts } from "./tools/reminders/set-reminder.ts";

/** The owner's actions on the reminders of all people; `login` = the session of the browser. */
export interface OwnerReminders {
  /** Those that wait, the next first. */
  list(): Promise<readonly Reminder[]>;
  /** Throws AppError USAGE when it does not wait. */
  cancel(id: string, login: string): Promise<string>;
  /** `at` = words as /remind takes them; `refused` = why not, in the language of the owner. */
  change(
    id: string,
    at: string,
    by: { readonly login: string; readonly language: Language },
  ): Promise<
    { readonly kind: "changed" } | { readonly kind: "unknown" } | { readonly kind: "refused"; readonly text: string }
  >;
}

export function createOwnerReminders({
  cancel,
  clock,
  parts,
  store: { main },
}: {
  readonly cancel: CancelAsOperator;
  readonly parts: ReminderParts["reminders"];
  readonly store: Pick<Store, "main">;
  readonly clock: Clock;
}): OwnerReminders {
  return {
    list: () => listAllReminders(main),
    cancel: (id, login) => cancel(id, consoleOwner, login),
    change: async (id, at, { language, login }) => {
      const reminder = await findReminder(main, id);
      if (reminder?.state !== "active") return { kind: "unknown" };
      const { person, session, zone } = reminder;
      const now = clock.now();
      const owner = { id: consoleOwner, name: "", role: "owner" } as const;
      const place = { session, person: owner, language, zone, taint: "owner", now } as const;
      const done = await setReminder({ database: () => main, reminders: parts }, { id, at }, place, true);
      if (!done.ok)
        return done.fault.kind === "unknown"
          ? { kind: "unknown" }
          : { kind: "refused", text: describeFault(done.fault, zone, language, now) };
      const detail = { reminder: id, person, login };
      await appendAudit(main, { actor: consoleOwner, action: "reminder.changed", session, detail, now });
      return { kind: "changed" };
    },
  };
}
