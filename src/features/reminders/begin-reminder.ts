import { dueWords } from "./due-words.ts";
import type { Role } from "../../kernel/gate/types.ts";
import { appendAudit } from "../../store/queries/audit.ts";
import { setInboxState, type InboxItem } from "../../store/queries/inbox.ts";
import { cancelReminder, findReminder, type Reminder } from "./queries/reminders.ts";
import type { SessionRow } from "../../store/queries/sessions.ts";
import type { ReminderJob } from "./reminder-job.ts";
import { createBeginTask } from "./begin-task.ts";
import type { BeginRow } from "../../kernel/feature/define-feature.ts";
import type { DeliveryParts } from "./delivery-parts.ts";
import { quoteReminder } from "./describe-due.ts";
import { createTellReminders } from "./tell-reminders.ts";

/** Begins the row of a reminder that is due: it is told without a model, or its task begins a turn. */
export function createBeginReminder(parts: DeliveryParts): BeginRow {
  const { store, clock } = parts;

  /** The role that the person of a reminder has now; undefined = they may not have it any more, or not in this chat. */
  async function findEntitledRole({ person, task }: Reminder, session: SessionRow): Promise<Role | undefined> {
    const role = await parts.findRole(person, session.id);
    const isLetIn = role !== "guest" || (!task && session.chat_kind === "group" && parts.limits().reminders.guest > 0);
    const isHere = session.gone_at === null && (session.chat_kind === "private" || (await parts.isGroupOpen(session)));
    return isLetIn && isHere ? role : undefined;
  }

  /** Cancelled for good where its person has no access; one in a chat that is only closed now comes again. */
  async function drop(item: InboxItem, reminder: Reminder, session: SessionRow): Promise<void> {
    const { id, name, person, task, text } = reminder;
    const lostAccess = (await parts.findRole(person, session.id)) === "guest";
    if (lostAccess && task)
      await parts.tellOwners(`reminder-lost:${id}`, (_words, language) =>
        dueWords[language].lostAccess({
          who: quoteReminder(name, parts.scrub),
          what: quoteReminder(text, parts.scrub),
        }),
      );
    await store.main.transaction().execute(async (tx) => {
      const now = clock.now();
      if (lostAccess) await cancelReminder(tx, id, now);
      const detail = { reminder: id, person, cancelled: lostAccess };
      await appendAudit(tx, { actor: "gateway", action: "reminder.dropped", session: session.id, detail, now });
      await setInboxState(tx, item.id, "done", now);
    });
  }

  const tell = createTellReminders({ ...parts, findEntitledRole, drop });
  const beginTask = createBeginTask(parts);

  return async (item, session, owner) => {
    const job = JSON.parse(item.payload) as ReminderJob;
    if (!job.task) {
      await tell(item, session);
      return undefined;
    }
    const reminder = await findReminder(store.main, job.reminder);
    if (reminder === undefined || reminder.state === "cancelled") {
      await setInboxState(store.main, item.id, "done", clock.now());
      return undefined;
    }
    const role = await findEntitledRole(reminder, session);
    if (role !== undefined) return beginTask({ item, job, reminder, role, session, owner });
    await drop(item, reminder, session);
    return undefined;
  };
}
