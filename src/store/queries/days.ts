import { sql, type Kysely } from "kysely";
import type { UsageSum } from "../../core/usage.ts";
import type { Database } from "../schema/database.ts";

/** The turns of one conversation since then. */
export interface ChatOfDay {
  readonly session: string;
  readonly turns: number;
  readonly lastAt: number;
}

/** The conversations with turns that people began since then, the newest first; the sub-agents' own are not counted. */
export async function listChatsSince(db: Kysely<Database>, since: number): Promise<readonly ChatOfDay[]> {
  const rows = await db
    .selectFrom("turns")
    .select((row) => ["session", row.fn.countAll().as("turns"), row.fn.max("created_at").as("last")])
    .where("created_at", ">=", since)
    .where("kind", "=", "chat")
    .groupBy("session")
    .orderBy("last", "desc")
    .execute();
  return rows.map(({ last, session, turns }) => ({ session, turns: Number(turns), lastAt: last }));
}

/** How often each action is in the audit since then. */
export async function countActionsSince(db: Kysely<Database>, since: number): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom("audit")
    .select((row) => ["action", row.fn.countAll().as("count")])
    .where("at", ">=", since)
    .groupBy("action")
    .execute();
  return new Map(rows.map(({ action, count }) => [action, Number(count)]));
}

export interface AuditedAction {
  readonly seq: number;
  readonly at: number;
  readonly actor: string;
  readonly action: string;
  readonly session: string | null;
  /** JSON, without the words of people. */
  readonly detail: string;
}

/** The newest of these actions since then, the newest first. */
export async function listActionsSince(
  db: Kysely<Database>,
  { actions, limit, since }: { readonly actions: readonly string[]; readonly limit: number; readonly since: number },
): Promise<readonly AuditedAction[]> {
  return db
    .selectFrom("audit")
    .select(["seq", "at", "actor", "action", "session", "detail"])
    .where("at", ">=", since)
    .where("action", "in", actions)
    .orderBy("at", "desc")
    .orderBy("seq", "desc")
    .limit(limit)
    .execute();
}

export interface UsageOfDay extends UsageSum {
  readonly day: string;
  readonly cached: number;
}

/** The sums of each day from this one on, in order; days without requests are left out. */
export async function sumDaysSince(db: Kysely<Database>, day: string): Promise<readonly UsageOfDay[]> {
  const { rows } = await sql<UsageOfDay>`
    select day, cast(sum(calls) as bigint) as calls, cast(sum(estimated) as bigint) as estimated,
      cast(sum(input) as bigint) as input, cast(sum(output) as bigint) as output,
      cast(sum(cached) as bigint) as cached, cast(sum(cost) as bigint) as cost
    from usage where day >= ${day} group by day order by day`.execute(db);
  return rows;
}
