import type { Kysely } from "kysely";
import { insertOwnJob, nameOwnJob, takeInboxItem, type InboxItem } from "../../store/queries/inbox.ts";
import type { Question } from "../../store/queries/questions.ts";
import type { TaskJob } from "../../store/queries/tasks.ts";
import type { TurnRow } from "../../store/queries/turns.ts";
import type { Database } from "../../store/schema/database.ts";
import type { InboundMessage } from "../../channels/types.ts";

/**
 * The payload of an inbox row by its kind. Tasks have theirs in store/queries/tasks.ts: TaskJob. Features have their
 * own.
 */
export interface ResumeJob {
  readonly turn: string;
  /** The inbox row of the answer: a one-shot client waits for what follows from it. */
  readonly cause: string;
  /** The question that was answered … */
  readonly question?: string;
  /** … or the round whose tasks have ended. */
  readonly round?: number;
  /** A task has a lane of its own. */
  readonly lane?: string;
}

export interface AgainJob {
  readonly question: string;
  readonly message: InboundMessage;
  /** The inbox row of 「重来」, whose sender waits for the result. Rows of older versions have none. */
  readonly cause?: string;
}

/** A background task has ended, and the person gets a report. */
export interface ReportJob {
  readonly task: string;
}

/** Whether the row contains a person's words. */
export function isSaid({ kind }: InboxItem): boolean {
  return kind === "message" || kind === "again";
}

/**
 * The lane of a row, unless the feature that handles it names another: tasks run in parallel to the session that they
 * work for.
 */
export function laneOf(item: InboxItem): string {
  if (item.kind === "task") return (JSON.parse(item.payload) as TaskJob).turn;
  return (item.kind === "resume" ? (JSON.parse(item.payload) as ResumeJob).lane : undefined) ?? item.session;
}

/** The inbox row whose sender waits for the result of this one. */
export function causeOf(item: InboxItem): string {
  return (item.kind === "again" ? (JSON.parse(item.payload) as AgainJob).cause : undefined) ?? item.id;
}

/** Queues the resumption of an answered turn, once per question. */
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

/** Queues the parent of finished tasks, once per round. `waiting` is `tasks:<round>`. */
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

/** Ends the job of an answer that will not be acted on. Returns undefined when there was none, or when it has begun. */
export async function takeResume(
  db: Kysely<Database>,
  question: Question,
  now: number,
): Promise<ResumeJob | undefined> {
  const taken = await takeInboxItem(db, nameOwnJob(`resume:${question.id}`), now);
  return taken && (JSON.parse(taken.payload) as ResumeJob);
}
