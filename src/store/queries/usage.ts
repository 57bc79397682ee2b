import { sql, type Kysely } from "kysely";
import type { UsageRow, UsageSum } from "../../core/usage.ts";
import type { Database } from "../schema/database.ts";

/** Counts one or more requests: one statement. */
export async function addUsage(db: Kysely<Database>, row: UsageRow): Promise<void> {
  await db
    .insertInto("usage")
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(["day", "person", "model"]).doUpdateSet((expression) => ({
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

/** A day's sums: of everybody, and of one person's accounts. One statement. */
export async function sumDay(
  db: Kysely<Database>,
  day: string,
  accounts: readonly string[],
): Promise<{ readonly all: UsageSum; readonly mine: UsageSum }> {
  const { rows } = await sql<UsageSum & { readonly own: number }>`
    select own, cast(sum(calls) as bigint) as calls, cast(sum(estimated) as bigint) as estimated,
      cast(sum(input) as bigint) as input, cast(sum(output) as bigint) as output, cast(sum(cost) as bigint) as cost
    from (select usage.*, case when person in (${sql.join(accounts)}) then 1 else 0 end as own from usage where day = ${day}) as today
    group by own`.execute(db);
  return { all: sumUsage(rows), mine: sumUsage(rows.filter(({ own }) => own === 1)) };
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
