import { sql, type Kysely } from "kysely";
import type { DayUsage, UsageRow, UsageSum } from "../../core/usage.ts";
import type { Database } from "../schema/database.ts";

/** Counts one or more requests: one statement. */
export async function addUsage(db: Kysely<Database>, row: UsageRow): Promise<void> {
  await db
    .insertInto("usage")
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(["day", "person", "session", "model"]).doUpdateSet((expression) => ({
        calls: expression("usage.calls", "+", expression.ref("excluded.calls")),
        estimated: expression("usage.estimated", "+", expression.ref("excluded.estimated")),
        input: expression("usage.input", "+", expression.ref("excluded.input")),
        output: expression("usage.output", "+", expression.ref("excluded.output")),
        cached: expression("usage.cached", "+", expression.ref("excluded.cached")),
        cost: expression("usage.cost", "+", expression.ref("excluded.cost")),
      })),
    )
    .execute();
}

/** Every row of a day, the largest first. */
export async function listUsage(db: Kysely<Database>, day: string): Promise<UsageRow[]> {
  const rows = await db.selectFrom("usage").selectAll().where("day", "=", day).execute();
  return rows.toSorted((a, b) => b.input + b.output - a.input - a.output);
}

/** A day's sums, with those of one person's accounts and of one conversation. One statement. */
export async function sumDay(
  db: Kysely<Database>,
  day: string,
  accounts: readonly string[],
  chat: string,
): Promise<DayUsage> {
  const { rows } = await sql<UsageSum & { readonly own: number; readonly here: number; readonly model: string }>`
    select own, here, model, cast(sum(calls) as bigint) as calls, cast(sum(estimated) as bigint) as estimated,
      cast(sum(input) as bigint) as input, cast(sum(output) as bigint) as output, cast(sum(cost) as bigint) as cost
    from (select usage.*, case when person in (${sql.join(accounts)}) then 1 else 0 end as own,
      case when session = ${chat} then 1 else 0 end as here from usage where day = ${day}) as today
    group by own, here, model`.execute(db);
  return sumUp(rows, { isMine: ({ own }) => own === 1, isHere: ({ here }) => here === 1 });
}

/** The sums of rows by whose they are. */
export function sumUp<Row extends UsageSum & { readonly model: string }>(
  rows: readonly Row[],
  { isHere, isMine }: { readonly isMine: (row: Row) => boolean; readonly isHere: (row: Row) => boolean },
): DayUsage {
  const models = [...new Set(rows.map(({ model }) => model))];
  return {
    all: sumUsage(rows),
    mine: sumUsage(rows.filter(isMine)),
    chat: sumUsage(rows.filter(isHere)),
    models: new Map(models.map((model) => [model, sumUsage(rows.filter((row) => row.model === model))])),
  };
}

export function sumUsage(rows: readonly UsageSum[]): UsageSum {
  const sum = { calls: 0, estimated: 0, input: 0, output: 0, cost: 0 };
  for (const row of rows) {
    sum.calls += row.calls;
    sum.estimated += row.estimated;
    sum.input += row.input;
    sum.output += row.output;
    sum.cost += row.cost;
  }
  return sum;
}

/** Costs and tokens of one day, model, person or conversation. */
export interface UsageOfKey extends UsageSum {
  readonly key: string;
  readonly cached: number;
}

export const usageKeys = ["day", "model", "person", "session"] as const;
export type UsageKey = (typeof usageKeys)[number];

/** The sums from one day to another, both included, by a column: days in order, all others with the largest first. */
export async function sumUsageBy(
  db: Kysely<Database>,
  by: UsageKey,
  { from, limit, to }: { readonly from: string; readonly to: string; readonly limit: number },
): Promise<readonly UsageOfKey[]> {
  const key = sql.ref(by);
  const order = by === "day" ? sql`key` : sql`sum(cost) desc, sum(input + output) desc, key`;
  const { rows } = await sql<UsageOfKey>`
    select ${key} as key, cast(sum(calls) as bigint) as calls, cast(sum(estimated) as bigint) as estimated,
      cast(sum(input) as bigint) as input, cast(sum(output) as bigint) as output,
      cast(sum(cached) as bigint) as cached, cast(sum(cost) as bigint) as cost
    from usage where day >= ${from} and day <= ${to} group by ${key} order by ${order} limit ${limit}`.execute(db);
  return rows;
}

/**
 * The model requests of all turns that called a tool between two instants, by tool: a turn with several tools counts at each of them.
 * Turns are known as long as the ledger keeps their calls.
 */
export async function sumUsageByTool(
  db: Kysely<Database>,
  { from, limit, to }: { readonly from: number; readonly to: number; readonly limit: number },
): Promise<readonly UsageOfKey[]> {
  const { rows } = await sql<UsageOfKey>`
    with used as (
      select distinct tool, turn from tool_ledger where started_at >= ${from} and started_at < ${to}
    ), spent as (
      select turn, count(*) as calls, sum(estimated) as estimated, sum(input) as input, sum(output) as output,
        sum(cached) as cached, sum(cost) as cost
      from model_calls where turn in (select turn from used) group by turn
    )
    select used.tool as key, cast(sum(calls) as bigint) as calls, cast(sum(estimated) as bigint) as estimated,
      cast(sum(input) as bigint) as input, cast(sum(output) as bigint) as output,
      cast(sum(cached) as bigint) as cached, cast(sum(cost) as bigint) as cost
    from used join spent on spent.turn = used.turn
    group by used.tool order by sum(cost) desc, sum(input + output) desc, used.tool limit ${limit}`.execute(db);
  return rows;
}
