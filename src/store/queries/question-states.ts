import type { Kysely } from "kysely";
import type { Database } from "../schema/database.ts";
import type { AskedTerms, CallState, ClosedHow, QuestionDecision, QuestionState } from "./questions.ts";

/** Every way a question and its calls change their state; each is a compare-and-set. */

export interface Closing {
  readonly id: string;
  readonly state: Exclude<QuestionState, "open">;
  readonly decision: QuestionDecision | null;
  readonly by: string;
  readonly how: ClosedHow;
  readonly now: number;
  /** Only while the deadline has not passed. */
  readonly beforeDeadline: boolean;
}

/** The only way out of `open`, taken once. False when another process was first, or it was too late. */
export async function closeQuestion(db: Kysely<Database>, closing: Closing): Promise<boolean> {
  let query = db
    .updateTable("questions")
    .set({
      state: closing.state,
      decision: closing.decision,
      closed_at: closing.now,
      closed_by: closing.by,
      closed_how: closing.how,
    })
    .where("id", "=", closing.id)
    .where("state", "=", "open");
  if (closing.beforeDeadline) query = query.where("deadline", ">", closing.now);
  return (await query.returning("id").executeTakeFirst()) !== undefined;
}

export async function setCallStates(
  db: Kysely<Database>,
  question: string,
  calls: readonly string[],
  state: CallState,
): Promise<void> {
  if (calls.length === 0) return;
  await db
    .updateTable("question_calls")
    .set({ state })
    .where("question", "=", question)
    .where("call", "in", calls)
    .where("state", "=", "asked")
    .execute();
}

/** Uses an approval up. False when this call with exactly these arguments was not approved, or was used already. */
export async function consumeApprovedCall(
  db: Kysely<Database>,
  turn: string,
  call: string,
  hash: string,
): Promise<boolean> {
  const row = await db
    .updateTable("question_calls")
    .set({ state: "consumed" })
    .where("call", "=", call)
    .where("hash", "=", hash)
    .where("state", "=", "approved")
    .where("question", "in", (select) =>
      select
        .selectFrom("questions")
        .select("id")
        .where("turn", "=", turn)
        .where("state", "=", "decided")
        .where("decision", "=", "approved"),
    )
    .returning("call")
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether a call was approved and not consumed, with any hash. */
export async function isCallApproved(db: Kysely<Database>, turn: string, call: string): Promise<boolean> {
  const row = await db
    .selectFrom("question_calls")
    .innerJoin("questions", "questions.id", "question_calls.question")
    .select("question_calls.call")
    .where("question_calls.call", "=", call)
    .where("question_calls.state", "=", "approved")
    .where("questions.turn", "=", turn)
    .where("questions.decision", "=", "approved")
    .executeTakeFirst();
  return row !== undefined;
}

/** The person who approved exactly this call, used up or not; of several, the last. */
export async function findApprover(
  db: Kysely<Database>,
  turn: string,
  call: string,
  hash: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom("question_calls")
    .innerJoin("questions", "questions.id", "question_calls.question")
    .select("questions.closed_by")
    .where("question_calls.call", "=", call)
    .where("question_calls.hash", "=", hash)
    .where("question_calls.state", "in", ["approved", "consumed"])
    .where("questions.turn", "=", turn)
    .where("questions.decision", "=", "approved")
    .executeTakeFirst();
  return row?.closed_by ?? undefined;
}

/** The terms of an approved call that waits to be run; undefined means the default ones, or no approval. */
export async function findApprovedTerms(
  db: Kysely<Database>,
  turn: string,
  call: string,
  hash: string,
): Promise<AskedTerms | undefined> {
  const row = await db
    .selectFrom("question_calls")
    .innerJoin("questions", "questions.id", "question_calls.question")
    .select("questions.terms")
    .where("question_calls.call", "=", call)
    .where("question_calls.hash", "=", hash)
    .where("question_calls.state", "=", "approved")
    .where("questions.turn", "=", turn)
    .where("questions.decision", "=", "approved")
    .executeTakeFirst();
  return row?.terms ? (JSON.parse(row.terms) as AskedTerms) : undefined;
}
