import { dueWords } from "./due-words.ts";
import { toModelJson } from "../../kernel/agent/model-text.ts";
import type { TurnInput } from "../../kernel/agent/types.ts";
import { joinTaint } from "../../core/taint.ts";
import { formatIso, toInstant, toWallTime } from "../../core/schedule/zoned-time.ts";
import type { Person, Role } from "../../kernel/gate/types.ts";
import { findStanding } from "../../store/queries/account-links.ts";
import {
  listTasksDueSince,
  nameOwnJob,
  setInboxRunning,
  setInboxState,
  type InboxItem,
} from "../../store/queries/inbox.ts";
import { findOutboxItem } from "../../store/queries/outbox.ts";
import { appendMessages } from "../../store/queries/messages.ts";
import { listOpenQuestions } from "../../store/queries/questions.ts";
import type { Reminder } from "./queries/reminders.ts";
import type { SessionRow } from "../../store/queries/sessions.ts";
import { findLivingTurnOf, insertTurn } from "../../store/queries/turns.ts";
import { toAddress } from "../../channels/to-address.ts";
import type { ReminderJob } from "./reminder-job.ts";
import { queueMessage } from "../../kernel/outbox/outbox.ts";
import type { BeginRow } from "../../kernel/feature/define-feature.ts";
import type { DeliveryParts } from "./delivery-parts.ts";
import { describeLateness, quoteReminder } from "./describe-due.ts";

interface DueTask {
  readonly item: InboxItem;
  readonly job: ReminderJob;
  readonly reminder: Reminder;
  /** The role of the person who set it, as it is now. */
  readonly role: Role;
  readonly session: SessionRow;
  readonly owner: string;
}

/** Why a task does not begin; without a text nothing is said. */
interface Refusal {
  /** The id of the message. */
  readonly id: string;
  readonly text: string;
}

const silent: Refusal = { id: "", text: "" };

/** Begins the turn of a task that is due: with the rights of who set it as they are now, and the label it was stored with. */
export function createBeginTask(
  parts: Pick<DeliveryParts, "store" | "limits" | "wakeOutbox" | "scrub" | "policy" | "zone" | "clock">,
): (due: DueTask) => ReturnType<BeginRow> {
  const { store, clock } = parts;

  const answerTo = (task: DueTask, text: string): Refusal => ({ id: `${task.item.id}.answer`, text });

  return async (due) => {
    const refusal = (await findUnfinished(due)) ?? (await findOverBudget(due));
    if (refusal === undefined) return begin(due);
    await finish(due, refusal);
    return undefined;
  };

  /** The last occurrence is still running or waits for an answer: a second question would pile up behind it. */
  async function findUnfinished(task: DueTask): Promise<Refusal | undefined> {
    const { reminder, session } = task;
    const before = await findLivingTurnOf(store.main, nameOwnJob(`reminder:${reminder.id}:`));
    if (before === undefined) return undefined;
    const words = dueWords[reminder.language];
    const what = quoteReminder(reminder.text, parts.scrub);
    const question = (await listOpenQuestions(store.main, session.id)).find(({ turn }) => turn === before.id);
    if (question === undefined) return answerTo(task, words.stillWorking(what));
    // Once per question: the one who does not answer it hears no more of it at each occurrence.
    const id = `${question.id}.still`;
    const isTold = (await findOutboxItem(store.main, id)) !== undefined;
    return isTold ? silent : { id, text: words.stillAsking({ what, code: question.code }) };
  }

  /**
   * Silent = over budget, and already reported today. Derived from the order of the rows, so that a crash causes no
   * second report.
   */
  async function findOverBudget(task: DueTask): Promise<Refusal | undefined> {
    const { item, reminder } = task;
    const { all, person } = parts.limits().tasks;
    const here = parts.zone();
    const today = { ...toWallTime(clock.now(), here), hour: 0, minute: 0, second: 0 };
    const rows = await listTasksDueSince(store.main, toInstant(today, here));
    const judge = (seq: number) => {
      const before = rows.filter((row) => row.seq < seq);
      if (before.filter(({ requester }) => requester === item.requester).length >= person) return "own";
      return before.length >= all ? "all" : undefined;
    };
    const over = judge(item.seq);
    if (over === undefined) return undefined;
    const last = rows.findLast(({ requester, seq }) => requester === item.requester && seq < item.seq);
    if (last !== undefined && judge(last.seq) !== undefined) return silent;
    const words = dueWords[reminder.language];
    const what = quoteReminder(reminder.text, parts.scrub);
    return over === "own"
      ? answerTo(task, words.overOwn({ what, most: person }))
      : answerTo(task, words.overAll({ what, most: all }));
  }

  async function finish({ item, session }: DueTask, { id, text }: Refusal): Promise<void> {
    await store.main.transaction().execute(async (tx) => {
      const now = clock.now();
      const notice = { id, kind: "notice", address: toAddress(session), plain: true } as const;
      if (text !== "") await queueMessage(tx, { ...notice, text, cause: item.id }, now);
      await setInboxState(tx, item.id, "done", now);
    });
    parts.wakeOutbox(session.id);
  }

  async function begin({ item, job, reminder, role, session, owner }: DueTask) {
    const { language, name, person: id, sources, zone } = reminder;
    const begun = await store.main.transaction().execute(async (tx) => {
      const now = clock.now();
      const { human } = await findStanding(tx, id);
      const person: Person = { id, name, role, ...(human !== undefined && { human }) };
      const late = describeLateness(job, zone, language, now);
      if (late !== "") {
        const what = quoteReminder(reminder.text, parts.scrub);
        const text = `${dueWords[language].taskLate(what)}\n${late}`;
        const notice = { id: `${item.id}.late`, kind: "notice", address: toAddress(session), plain: true } as const;
        await queueMessage(tx, { ...notice, text, cause: item.id, partial: true }, now);
      }
      const told = { task: reminder.text, due: formatIso(job.due, zone), ...(late !== "" && { late: true }) };
      const record = `A task that this person had you schedule is due. Nobody has written just now: do what the task says, and your reply is sent to them. ${toModelJson(told)}`;
      const taint = joinTaint(reminder.taint, role === "owner" ? "owner" : "user");
      const turn = `turn_${item.seq.toString(36).padStart(8, "0")}`;
      const of = { senderId: id, senderName: name, ...(human !== undefined && { human }) };
      const messages = [{ role: "note", text: record, sources, of }] as const;
      const position = await appendMessages(tx, { session: session.id, turn, taint, messages, now });
      const input: TurnInput = {
        turn,
        session: session.id,
        chatKind: session.chat_kind === "group" ? "group" : "private",
        person,
        language,
        zone,
        taint,
        sources,
        text: `[record] ${record}`,
        // Words of others call for no skill.
        utterance: taint === "untrusted" ? "" : reminder.text,
        position,
        startPosition: session.start_position,
        policy: parts.policy(),
      };
      const lease = await insertTurn(tx, {
        id: turn,
        session: session.id,
        inbox: item.id,
        input: JSON.stringify(input),
        policy: input.policy,
        owner,
        now,
      });
      await setInboxRunning(tx, item.id);
      return { input, lease };
    });
    parts.wakeOutbox(session.id);
    return begun;
  }
}
