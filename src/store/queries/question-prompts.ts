import type { Kysely } from "kysely";
import type { Database } from "../schema/database.ts";
import { compileOnce } from "../statements/compile-once.ts";
import { readInboxWatermark } from "./inbox.ts";
import { type Question, readQuestions, selectQuestions } from "./questions.ts";
import { lockSession } from "./sessions.ts";

/**
 * The prompt is out in a chat: bare words that come after this moment may count there. The session's row is taken
 * before the moment is read: a message that is being stored right now has a number already, which other transactions
 * see only after its commit.
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

/** The open questions that are shown in a chat, oldest first: its own and those routed to it, each with its prompt there. */
export async function listQuestionsShownIn(db: Kysely<Database>, session: string): Promise<readonly Question[]> {
  return (await listRecentQuestions(db, session, Number.MAX_SAFE_INTEGER)).open;
}

/** The same, and those that closed after `since`, newest first. */
export async function listRecentQuestions(
  db: Kysely<Database>,
  session: string,
  since: number,
): Promise<{ readonly open: readonly Question[]; readonly closed: readonly Question[] }> {
  const prompts = await selectRouted(db, { session, since });
  const questions = await readQuestions(db, selectShown(db, session, since, prompts));
  const shown = questions.map((question): Question => {
    const prompt = prompts.find((one) => one.question === question.id);
    if (prompt === undefined) return question;
    const { prompt_message: promptMessage, shown_after: shownAfter, shown_at: shownAt } = prompt;
    return { ...question, promptMessage, shownAfter, shownAt };
  });
  return {
    open: shown.filter(({ state }) => state === "open"),
    closed: shown.filter(({ state }) => state !== "open").toSorted((a, b) => (b.closedAt ?? 0) - (a.closedAt ?? 0)),
  };
}

const selectRouted = compileOnce((db, { session, since }: { readonly session: string; readonly since: number }) =>
  db
    .selectFrom("question_prompts")
    .innerJoin("questions", "questions.id", "question_prompts.question")
    .select([
      "question_prompts.question",
      "question_prompts.prompt_message",
      "question_prompts.shown_after",
      "question_prompts.shown_at",
    ])
    .where("question_prompts.session", "=", session)
    .where("questions.session", "!=", session)
    .where((row) => row.or([row("questions.state", "=", "open"), row("questions.closed_at", ">", since)])),
);

/** Each branch of the OR repeats the session, so that each can use an index. */
function selectShown(
  db: Kysely<Database>,
  session: string,
  since: number,
  prompts: readonly { readonly question: string }[],
) {
  // By their ids: with a subquery in its place Postgres uses no index.
  const ids = prompts.map(({ question }) => question);
  return selectQuestions(db)
    .where((row) =>
      row.or([
        row.and([row("questions.session", "=", session), row("questions.state", "=", "open")]),
        row.and([row("questions.session", "=", session), row("questions.closed_at", ">", since)]),
        ...(ids.length > 0 ? [row("questions.id", "in", ids)] : []),
      ]),
    )
    .orderBy("questions.created_at")
    .orderBy("questions.id");
}
