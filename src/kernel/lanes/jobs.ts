import type { Kysely } from "kysely";
import { insertOwnJob, nameOwnJob, takeInboxItem, type InboxItem } from "../../store/queries/inbox.ts";
import type { Question } from "../../store/queries/questions.ts";
import type { TaskJob } from "../../store/queries/tasks.ts";
import type { TurnRow } from "../../store/queries/turns.ts";
import type { Database } from "../../store/schema/database.ts";
import type { InboundMessage } from "../../channels/types.ts";

/** The payload of an inbox row, by its kind; that of a task is store/queries/tasks.ts: TaskJob. Features have their own. */
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

/** Somebody said it. */
export function isSaid({ kind }: InboxItem): boolean {
  return kind === "message" || kind === "again";
}

/** The lane in which a row waits for its turn, unless the feature that works on it says otherwise: tasks go on beside the session they work for. */
export function laneOf(item: InboxItem): string {
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

/** The answer is not acted on: its job is over. undefined = there was none, or it has begun. */
export async function takeResume(
  db: Kysely<Database>,
  question: Question,
  now: number,
): Promise<ResumeJob | undefined> {
  const taken = await takeInboxItem(db, nameOwnJob(`resume:${question.id}`), now);
  return taken && (JSON.parse(taken.payload) as ResumeJob);
}
