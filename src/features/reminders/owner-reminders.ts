import type { Clock } from "../../core/clock.ts";
import type { Language } from "../../core/conversation.ts";
import { AppError } from "../../core/errors.ts";
import { consoleOwner } from "../../core/own-platforms.ts";
import type { Role } from "../../kernel/gate/types.ts";
import { appendAudit } from "../../store/queries/audit.ts";
import type { Store } from "../../store/open-store.ts";
import type { CancelAsOperator } from "./cancel-as-operator.ts";
import { describeFault } from "./describe-fault.ts";
import { findReminder, listAllReminders, listReminders, type Reminder } from "./queries/reminders.ts";
import { setReminder, type ReminderParts } from "./tools/reminders/set-reminder.ts";

/** The one who acts on reminders in the web console. */
export interface ReminderActor {
  /** The session of the browser. */
  readonly login: string;
  /** Undefined for an owner, who may act on all of them; else the person, and all accounts of theirs. */
  readonly own?: { readonly account: string; readonly role: Role; readonly accounts: readonly string[] } | undefined;
}

/** The actions of the web console on reminders: those of all people for an owner, their own for a member. */
export interface OwnerReminders {
  /** Those that wait, the next first. */
  list(by: ReminderActor): Promise<readonly Reminder[]>;
  /** Throws AppError USAGE when it does not wait. */
  cancel(id: string, by: ReminderActor): Promise<string>;
  /** `at` = words as /remind takes them; `refused` = why not, in the language of the one who acts. */
  change(
    id: string,
    at: string,
    by: ReminderActor & { readonly language: Language },
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
  const isTheirs = ({ person }: Reminder, { own }: ReminderActor): boolean =>
    own === undefined || own.accounts.includes(person);

  return {
    list: ({ own }) => (own === undefined ? listAllReminders(main) : listReminders(main, own.accounts)),
    async cancel(id, by) {
      // A reminder never changes hands.
      const reminder = await findReminder(main, id.trim().toUpperCase());
      if (reminder !== undefined && !isTheirs(reminder, by))
        throw new AppError("USAGE", `No reminder ${id} of theirs is waiting.`);
      return cancel(id, by.own?.account ?? consoleOwner, by.login);
    },
    change: async (id, at, { language, ...by }) => {
      const reminder = await findReminder(main, id);
      if (reminder?.state !== "active" || !isTheirs(reminder, by)) return { kind: "unknown" };
      const { person, session, zone } = reminder;
      const now = clock.now();
      const actor = by.own?.account ?? consoleOwner;
      const who = { id: actor, name: "", role: by.own?.role ?? "owner" } as const;
      const taint = by.own === undefined ? "owner" : "user";
      const place = { session, person: who, language, zone, taint, now } as const;
      const done = await setReminder({ database: () => main, reminders: parts }, { id, at }, place, true);
      if (!done.ok)
        return done.fault.kind === "unknown"
          ? { kind: "unknown" }
          : { kind: "refused", text: describeFault(done.fault, zone, language, now) };
      const detail = { reminder: id, person, login: by.login };
      await appendAudit(main, { actor, action: "reminder.changed", session, detail, now });
      return { kind: "changed" };
    },
  };
}
