import type { Kysely } from "kysely";
import type { TurnInput } from "../agents/types.ts";
import { findInboxItem } from "../store/queries/inbox.ts";
import { findOutboxItem } from "../store/queries/outbox.ts";
import { findQuestion } from "../store/queries/questions.ts";
import { findTurn } from "../store/queries/turns.ts";
import type { Database } from "../store/schema.ts";

/** What an id of ours stands for, in lines of words; empty = nothing of that name is there (any more). */
export async function explainId(db: Kysely<Database>, id: string): Promise<readonly string[]> {
  const turn = await findTurn(db, id);
  if (turn) {
    const { person, agent } = JSON.parse(turn.input) as TurnInput;
    const what = turn.kind === "task" ? `the work of ${agent?.id ?? "a sub-agent"} for ${turn.parent}` : "a turn";
    const state = turn.outcome ?? turn.state;
    return [`${id}: ${what} of ${person.id} in ${turn.session}, begun ${toTime(turn.createdAt)}, ${state}`];
  }
  const question = await findQuestion(db, id);
  if (question) {
    const { code, asker, session, state, decision, closedBy, closedHow, closedAt } = question;
    const end = closedAt === null ? "" : ` by ${closedBy} (${closedHow}) at ${toTime(closedAt)}`;
    return [
      `${id}: question ${code} to ${asker} in ${session}, of ${question.turn}: ${decision ?? state}${end}`,
      ...question.calls.map(({ call, tool, summary, state: of }) => `  ${call} ${tool} ${summary}: ${of}`),
    ];
  }
  const item = await findInboxItem(db, id);
  if (item) return [`${id}: ${item.kind} in ${item.session}, ${item.state}`];
  const sent = await findOutboxItem(db, id);
  if (sent) return [`${id}: what was sent to ${sent.session}, ${sent.state}`];
  return [];
}

function toTime(at: number): string {
  return new Date(at).toISOString();
}
