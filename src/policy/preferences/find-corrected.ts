import type { Kysely } from "kysely";
import { toCanonicalJson } from "../../core/canonical-json.ts";
import { listClosedQuestions, type AskedCall, type Question } from "../../store/queries/questions.ts";
import type { Database } from "../../store/schema.ts";

/** What is put right later than this is another matter. */
const windowMs = 10 * 60_000;

/**
 * The calls that a person took back with 「改成 …」 right before they agreed to this question, with nothing asked of them in
 * between: those that it puts right.
 */
export async function findCorrected(db: Kysely<Database>, question: Question): Promise<readonly AskedCall[]> {
  const { asker, agent, createdAt, id, session } = question;
  const before = (await listClosedQuestions(db, session, createdAt - windowMs))
    .filter((one) => one.id !== id && one.asker === asker && one.agent === agent && one.createdAt <= createdAt)
    .toSorted((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1));
  const end = before.findIndex(({ closedHow, closedBy }) => closedHow !== "changed" || closedBy !== asker);
  return before.slice(0, end < 0 ? before.length : end).flatMap(({ calls }) => calls);
}

/** Names of the arguments that a call has otherwise than those it takes the place of. */
export function listChangedArguments(call: AskedCall, corrected: readonly AskedCall[]): readonly string[] {
  const same = corrected.filter(({ tool }) => tool === call.tool);
  const names = new Set([call, ...same].flatMap((one) => Object.keys(one.arguments)));
  const valueOf = (one: AskedCall, name: string) => toCanonicalJson(one.arguments[name] ?? null);
  return [...names].filter((name) => same.some((one) => valueOf(one, name) !== valueOf(call, name)));
}
