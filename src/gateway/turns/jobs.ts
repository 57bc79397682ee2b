import type { Kysely } from "kysely";
import { insertInboxItem, takeInboxItem, type InboxItem } from "../../store/queries/inbox.ts";
import type { Question } from "../../store/queries/questions.ts";
import type { Database } from "../../store/schema.ts";
import { toInboxId } from "../session-id.ts";
import type { InboundMessage } from "../types.ts";

/** What the payload of an inbox row holds, by its kind. */
export interface ResumeJob {
  readonly turn: string;
  readonly question: string;
  /** The inbox row of the answer: a one-shot client waits for what follows from it. */
  readonly cause: string;
}

export interface AgainJob {
  readonly question: string;
  readonly message: InboundMessage;
}

/** The jobs that we give ourselves come from this platform; their keys make each of them unique. */
const own = { platform: "kurisu", account: "local" };

/** Puts the resumption of an answered turn into its session's lane. Once per question. */
export function queueResume(
  db: Kysely<Database>,
  question: Question,
  cause: string,
  now: number,
): Promise<InboxItem | undefined> {
  const eventKey = `resume:${question.id}`;
  const payload: ResumeJob = { turn: question.turn, question: question.id, cause };
  return insertInboxItem(db, {
    ...own,
    id: toInboxId(own, eventKey),
    eventKey,
    session: question.session,
    kind: "resume",
    state: "queued",
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
  const taken = await takeInboxItem(db, toInboxId(own, `resume:${question.id}`), now);
  return taken && (JSON.parse(taken.payload) as ResumeJob);
}
