import type { Kysely } from "kysely";
import type { Database } from "../schema/database.ts";

/** The verdict on one call of a turn. No call runs without one. */
export interface CallDecision {
  readonly call: string;
  readonly tool: string;
  /** The digest of the call as it was judged; "" for one that can never run. */
  readonly hash: string;
  readonly verdict: "allow" | "ask" | "deny";
  /** For a denial, the text that the model received; else the line of the rules that decided. */
  readonly reason: string;
  /** Version of the rules. */
  readonly policy: string;
  /** The grant that allowed it. */
  readonly grant: string | null;
}

/**
 * Writes the verdicts of one round. A judge that runs again after a crash rewrites them: nothing of its round can have
 * run before. Inside a transaction that holds the turn.
 */
export async function saveDecisions(
  db: Kysely<Database>,
  turn: string,
  decisions: readonly CallDecision[],
  now: number,
): Promise<void> {
  if (decisions.length === 0) return;
  await db
    .insertInto("decisions")
    .values(decisions.map((decision) => ({ turn, ...decision, created_at: now })))
    .onConflict((conflict) =>
      conflict.columns(["turn", "call"]).doUpdateSet((expression) => ({
        tool: expression.ref("excluded.tool"),
        hash: expression.ref("excluded.hash"),
        verdict: expression.ref("excluded.verdict"),
        reason: expression.ref("excluded.reason"),
        policy: expression.ref("excluded.policy"),
        grant: expression.ref("excluded.grant"),
        created_at: expression.ref("excluded.created_at"),
      })),
    )
    .execute();
}

export async function findDecision(
  db: Kysely<Database>,
  turn: string,
  call: string,
): Promise<CallDecision | undefined> {
  const row = await db
    .selectFrom("decisions")
    .select(["call", "tool", "hash", "verdict", "reason", "policy", "grant"])
    .where("turn", "=", turn)
    .where("call", "=", call)
    .executeTakeFirst();
  return row && { ...row, verdict: row.verdict as CallDecision["verdict"] };
}

/** Kept for some weeks. */
export async function listDecisions(
  db: Kysely<Database>,
  turns: readonly string[],
): Promise<readonly (CallDecision & { readonly turn: string })[]> {
  if (turns.length === 0) return [];
  const rows = await db
    .selectFrom("decisions")
    .select(["turn", "call", "tool", "hash", "verdict", "reason", "policy", "grant"])
    .where("turn", "in", turns)
    .execute();
  return rows.map((row) => ({ ...row, verdict: row.verdict as CallDecision["verdict"] }));
}
