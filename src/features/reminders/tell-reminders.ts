import { dueWords } from "./due-words.ts";
import { toModelJson } from "../../kernel/agent/model-text.ts";
import { nameWithTag } from "../../core/name-with-tag.ts";
import { joinSources, joinTaint } from "../../core/taint.ts";
import type { Role } from "../../kernel/gate/types.ts";
import { findStanding } from "../../store/queries/account-links.ts";
import { listRemindersToTell, withdrawInboxItem, type InboxItem } from "../../store/queries/inbox.ts";
import { appendMessages } from "../../store/queries/messages.ts";
import { findReminder, type Reminder } from "./queries/reminders.ts";
import type { SessionRow } from "../../store/queries/sessions.ts";
import { toAddress } from "../../channels/to-address.ts";
import type { ReminderJob } from "./reminder-job.ts";
import { queueMessage } from "../../kernel/outbox/outbox.ts";
import type { DeliveryParts } from "./delivery-parts.ts";
import { describeDue } from "./describe-due.ts";
import { showName } from "../../core/persona/show-payload.ts";

interface Due {
  readonly item: InboxItem;
  readonly job: ReminderJob;
  readonly reminder: Reminder;
}

/** Says what is due in a chat, without a model: all that waits there at this moment together, one message a person. */
export function createTellReminders(
  parts: Pick<DeliveryParts, "store" | "voice" | "wakeOutbox" | "scrub" | "clock"> & {
    readonly findEntitledRole: (reminder: Reminder, session: SessionRow) => Promise<Role | undefined>;
    readonly drop: (item: InboxItem, reminder: Reminder, session: SessionRow) => Promise<void>;
  },
) {
  const { store, clock } = parts;

  async function gather(item: InboxItem, session: SessionRow): Promise<readonly Due[]> {
    const others = (await listRemindersToTell(store.main, session.id)).filter(({ id }) => id !== item.id);
    const due: Due[] = [];
    for (const one of [item, ...others]) {
      const job = JSON.parse(one.payload) as ReminderJob;
      const reminder = await findReminder(store.main, job.reminder);
      if (reminder === undefined || reminder.state === "cancelled")
        await withdrawInboxItem(store.main, one.id, clock.now());
      else if ((await parts.findEntitledRole(reminder, session)) === undefined)
        await parts.drop(one, reminder, session);
      else due.push({ item: one, job, reminder });
    }
    return due.toSorted((one, other) => one.job.due - other.job.due || one.item.seq - other.item.seq);
  }

  return async function tellReminders(item: InboxItem, session: SessionRow): Promise<void> {
    const due = await gather(item, session);
    for (const together of Map.groupBy(due, ({ reminder }) => reminder.person).values()) await say(together, session);
    parts.wakeOutbox(session.id);
  };

  /** The message, its record in the conversation and the end of the rows: a crash leaves all of it or nothing. */
  function say(due: readonly Due[], session: SessionRow): Promise<void> {
    return store.main.transaction().execute(async (tx) => {
      const now = clock.now();
      const told: Due[] = [];
      for (const one of due) if (await withdrawInboxItem(tx, one.item.id, now)) told.push(one);
      const [first] = told;
      if (first === undefined) return;
      const { language, name } = told.at(-1)?.reminder ?? first.reminder;
      const lead = () => parts.voice(session.id).due({ chat: session.id, language });
      const text = describeDue(told, { language, lead, now, scrub: parts.scrub });
      const user = first.reminder.person.slice(session.platform.length + 1);
      const isGroup = session.chat_kind === "group";
      await queueMessage(
        tx,
        {
          id: `${first.item.id}.told`,
          kind: "notice",
          address: toAddress(session),
          text: isGroup ? dueWords[language].to({ name: showName(name), text }) : text,
          ...(isGroup && { mention: { user, name: showName(name) } }),
          plain: true,
          isReminder: true,
          cause: first.item.id,
        },
        now,
      );
      const record: object[] = [];
      for (const { reminder } of told) {
        const { human } = isGroup ? await findStanding(tx, reminder.person) : {};
        const sender = { id: reminder.person, name: reminder.name, ...(human !== undefined && { human }) };
        record.push({ for: isGroup ? nameWithTag(sender) : reminder.name, text: reminder.text });
      }
      await appendMessages(tx, {
        session: session.id,
        turn: null,
        taint: joinTaint(...told.map(({ reminder }) => reminder.taint)),
        messages: [
          {
            role: "note",
            text: `The gateway has just said what people had asked to be reminded of: ${toModelJson(record)}`,
            of: { senderId: first.reminder.person, senderName: first.reminder.name },
            sources: joinSources(...told.map(({ reminder }) => reminder.sources)),
          },
        ],
        now,
      });
    });
  }
}
