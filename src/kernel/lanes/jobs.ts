import type { Kysely } from "kysely";
import { insertOwnJob, nameOwnJob, takeInboxItem, type InboxItem } from "../../store/queries/inbox.ts";
import type { Question } from "../../store/queries/questions.ts";
import type { Reminder } from "../../features/reminders/queries/reminders.ts";
import type { TaskJob } from "../../store/queries/tasks.ts";
import type { TurnRow } from "../../store/queries/turns.ts";
import type { Database } from "../../store/schema/database.ts";
import type { InboundMessage } from "../../channels/types.ts";

/** The payload of an inbox row, by its kind; that of a task is store/queries/tasks.ts: TaskJob, of a summary features/summaries/summariser.ts: SummaryOrder, of facts features/memory/facts/fact-reader.ts: FactOrder. */
export interface ResumeJob {
  readonly turn: string;
  /** The inbox row of the answer: a one-shot client waits for what follows from it. */
  readonly cause: string;
  /** Its question was answered … */
  readonly question?: string;
  /** … or the tasks of this round have ended. */
  readonly round?: number;
  /** A task has a lane of its own. */
  readonly lane?: string;
}

export interface AgainJob {
  readonly question: string;
  readonly message: InboundMessage;
  /** The inbox row of 「重来」: its sender waits for what comes of it. Rows of older versions have none. */
  readonly cause?: string;
}

/** A task that worked in the background has ended: the person is to hear of it. */
export interface ReportJob {
  readonly task: string;
}

/** A reminder is due. */
export interface ReminderJob {
  readonly reminder: string;
  readonly due: number;
  /** When its clock came to it; later than `due` after a time without one. */
  readonly firedAt: number;
  /** Occurrences after `due` whose time is over, too: nobody is told of each. */
  readonly missed: number;
  /** Nobody was there at `due`: she was started later. */
  readonly away?: boolean;
  /** It waited for the end of quiet hours. */
  readonly quiet: boolean;
  /** A turn begins with it. */
  readonly task: boolean;
}

/** Somebody said it. */
export function isSaid({ kind }: InboxItem): boolean {
  return kind === "message" || kind === "again";
}

/** All summaries share one lane, and all that are read for facts: one at a time is enough of what nobody waits for. */
const summaryLane = "summaries";
const factLane = "facts";

/** The lane in which a job waits for its turn: tasks go on beside the session they work for, and to be told of the time nobody waits. */
export function laneOf(item: InboxItem): string {
  if (item.kind === "reminder" && !(JSON.parse(item.payload) as ReminderJob).task) return `${item.session} reminders`;
  if (item.kind === "summary") return summaryLane;
  if (item.kind === "facts") return factLane;
  if (item.kind === "task") return (JSON.parse(item.payload) as TaskJob).turn;
  return (item.kind === "resume" ? (JSON.parse(item.payload) as ResumeJob).lane : undefined) ?? item.session;
}

/** The inbox row whose sender waits for what comes of this one. */
export function causeOf(item: InboxItem): string {
  return (item.kind === "again" ? (JSON.parse(item.payload) as AgainJob).cause : undefined) ?? item.id;
}

/** Puts the resumption of an answered turn into its lane. Once per question. */
export function queueResume(
  db: Kysely<Database>,
  { agent, id, session, turn }: Question,
  cause: string,
  now: number,
): Promise<InboxItem | undefined> {
  const payload: ResumeJob = { turn, cause, question: id, ...(agent !== null && { lane: turn }) };
  return insertOwnJob(db, {
    eventKey: `resume:${id}`,
    session,
    kind: "resume",
    payload: JSON.stringify(payload),
    now,
  });
}

/** The tasks that a turn waited for have ended. Once per round of it. `waiting` = `tasks:<round>`. */
export function queueJoin(
  db: Kysely<Database>,
  parent: TurnRow,
  waiting: string,
  cause: string,
  now: number,
): Promise<InboxItem | undefined> {
  const payload: ResumeJob = { turn: parent.id, cause, round: Number(waiting.split(":")[1]) };
  return insertOwnJob(db, {
    eventKey: `joined:${parent.id}:${waiting}`,
    session: parent.session,
    kind: "resume",
    payload: JSON.stringify(payload),
    now,
  });
}

/** Once per task. */
export function queueReport(db: Kysely<Database>, task: TurnRow, now: number): Promise<InboxItem | undefined> {
  const payload: ReportJob = { task: task.id };
  return insertOwnJob(db, {
    eventKey: `report:${task.id}`,
    session: task.session,
    kind: "report",
    payload: JSON.stringify(payload),
    now,
  });
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

/** The answer is not acted on: its job is over. undefined = there was none, or it has begun. */
export async function takeResume(
  db: Kysely<Database>,
  question: Question,
  now: number,
): Promise<ResumeJob | undefined> {
  const taken = await takeInboxItem(db, nameOwnJob(`resume:${question.id}`), now);
  return taken && (JSON.parse(taken.payload) as ResumeJob);
}
