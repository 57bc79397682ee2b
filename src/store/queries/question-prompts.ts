import type { Kysely } from "kysely";
import type { Database } from "../schema/database.ts";
import { readInboxWatermark } from "./inbox.ts";
import { listClosedQuestions, listOpenQuestions, listQuestions, type Question } from "./questions.ts";
import { lockSession } from "./sessions.ts";

/**
 * The prompt is out in a chat: bare words that come after this moment may count there. The session's row is taken before
 * the moment is read: a message that is being stored right now has a number already, which nobody sees before it is
 * committed.
 */
export async function markQuestionShown(
  db: Kysely<Database>,
  id: string,
  session: string,
  promptMessage: string,
  shownAt: number | null,
): Promise<void> {
  const shown = { prompt_message: promptMessage, shown_at: shownAt };
  const own = await db
    .updateTable("questions")
    .set(shown)
    .where("id", "=", id)
    .where("session", "=", session)
    .where("prompt_message", "is", null)
    .returning("session")
    .executeTakeFirst();
  const routed = await db
    .updateTable("question_prompts")
    .set(shown)
    .where("question", "=", id)
    .where("session", "=", session)
    .where("prompt_message", "is", null)
    .returning("session")
    .executeTakeFirst();
  if (!own && !routed) return;
  await lockSession(db, session);
  const shownAfter = await readInboxWatermark(db);
  if (own) await db.updateTable("questions").set({ shown_after: shownAfter }).where("id", "=", id).execute();
  if (!routed) return;
  await db
    .updateTable("question_prompts")
    .set({ shown_after: shownAfter })
    .where("question", "=", id)
    .where("session", "=", session)
    .execute();
}

/** The prompt of an open question in a chat is nowhere any more: until another is out, no bare word counts there. */
export async function forgetPrompt(db: Kysely<Database>, id: string, session: string): Promise<void> {
  const nowhere = { prompt_message: null, shown_after: null, shown_at: null };
  const open = db.updateTable("questions").set(nowhere).where("id", "=", id).where("session", "=", session);
  await open.where("state", "=", "open").execute();
  const routed = db.updateTable("question_prompts").set(nowhere).where("question", "=", id);
  await routed.where("session", "=", session).execute();
}

/** Questions that stand in a chat, its own and those routed to it, each with its prompt as it is there. */
export async function listQuestionsShownIn(
  db: Kysely<Database>,
  session: string,
  closedSince?: number,
): Promise<Question[]> {
  const own = await (closedSince === undefined
    ? listOpenQuestions(db, session)
    : listClosedQuestions(db, session, closedSince));
  let query = db
    .selectFrom("question_prompts")
    .innerJoin("questions", "questions.id", "question_prompts.question")
    .select([
      "question_prompts.question",
      "question_prompts.prompt_message",
      "question_prompts.shown_after",
      "question_prompts.shown_at",
    ])
    .where("question_prompts.session", "=", session)
    .where("questions.session", "!=", session);
  query =
    closedSince === undefined
      ? query.where("questions.state", "=", "open")
      : query.where("questions.closed_at", ">", closedSince);
  const prompts = await query.execute();
  if (prompts.length === 0) return own;
  const routed = await listQuestions(
    db,
    prompts.map(({ question }) => question),
  );
  const seen = routed.map((question): Question => {
    const prompt = prompts.find((one) => one.question === question.id);
    const {
      prompt_message: promptMessage = null,
      shown_after: shownAfter = null,
      shown_at: shownAt = null,
    } = prompt ?? {};
    return { ...question, promptMessage, shownAfter, shownAt };
  });
  const all = [...own, ...seen];
  return closedSince === undefined
    ? all.toSorted((one, other) => one.createdAt - other.createdAt)
    : all.toSorted((one, other) => (other.closedAt ?? 0) - (one.closedAt ?? 0));
}
