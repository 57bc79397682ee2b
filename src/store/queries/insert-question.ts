import type { Kysely } from "kysely";
import type { Database } from "../schema/database.ts";
import type { NewQuestion } from "./questions.ts";

export async function insertQuestion(db: Kysely<Database>, question: NewQuestion): Promise<void> {
  await db
    .insertInto("questions")
    .values((expression) => {
      const session = expression.selectFrom("sessions").where("id", "=", question.session);
      return {
        branch: session.select("branch"),
        position: session.select("last_position"),
        id: question.id,
        code: question.code,
        session: question.session,
        turn: question.turn,
        interrupt: question.interrupt,
        asker: question.asker,
        asker_name: question.askerName,
        agent: question.agent ?? null,
        state: "open",
        decision: null,
        policy: question.policy,
        prompt_message: null,
        shown_after: null,
        shown_at: null,
        deadline: question.deadline,
        created_at: question.createdAt,
        closed_at: null,
        closed_by: null,
        closed_how: null,
        terms: question.terms ? JSON.stringify(question.terms) : null,
      };
    })
    .execute();
  await db
    .insertInto("question_calls")
    .values(
      question.calls.map((call, position) => ({
        question: question.id,
        call: call.call,
        position,
        tool: call.tool,
        arguments: JSON.stringify(call.arguments),
        hash: call.hash,
        summary: call.summary,
        detail: call.detail,
        network: JSON.stringify(call.network ?? []),
        because: JSON.stringify(call.because ?? []),
        scope: call.scope ? JSON.stringify(call.scope) : null,
        state: "asked",
      })),
    )
    .execute();
  const { routed = [] } = question;
  if (routed.length === 0) return;
  const unsent = { prompt_message: null, shown_after: null, shown_at: null };
  await db
    .insertInto("question_prompts")
    .values(routed.map((session) => ({ question: question.id, session, ...unsent })))
    .execute();
}
