import type { Kysely, Selectable } from "kysely";
import { compileOnce } from "../statements/compile-once.ts";
import type { Database } from "../schema/database.ts";

export type LedgerRow = Selectable<Database["tool_ledger"]>;

export async function findLedgerRow(db: Kysely<Database>, turn: string, call: string): Promise<LedgerRow | undefined> {
  return db.selectFrom("tool_ledger").selectAll().where("turn", "=", turn).where("call", "=", call).executeTakeFirst();
}

export async function listLedger(db: Kysely<Database>, turn: string): Promise<LedgerRow[]> {
  return [...(await selectOfTurn(db, { turn }))];
}

const selectOfTurn = compileOnce((db, { turn }: { readonly turn: string }) =>
  db.selectFrom("tool_ledger").selectAll().where("turn", "=", turn).orderBy("started_at"),
);

export interface LedgerStart {
  readonly turn: string;
  readonly call: string;
  readonly tool: string;
  readonly hash: string;
  readonly token: number;
  readonly now: number;
}

/** Claims the one execution of a call. False when it was claimed before. */
export async function startLedgerRow(db: Kysely<Database>, start: LedgerStart): Promise<boolean> {
  const row = await db
    .insertInto("tool_ledger")
    .values({
      turn: start.turn,
      call: start.call,
      tool: start.tool,
      hash: start.hash,
      state: "started",
      outcome: null,
      token: start.token,
      started_at: start.now,
      finished_at: null,
    })
    .onConflict((conflict) => conflict.columns(["turn", "call"]).doNothing())
    .returning("turn")
    .executeTakeFirst();
  return row !== undefined;
}

export async function finishLedgerRow(
  db: Kysely<Database>,
  turn: string,
  call: string,
  outcome: string,
  now: number,
): Promise<void> {
  await db
    .updateTable("tool_ledger")
    .set({ state: "done", outcome, finished_at: now })
    .where("turn", "=", turn)
    .where("call", "=", call)
    .where("state", "=", "started")
    .execute();
}

/** How often each tool was called since then, and when last, by its name as it was called. Read from the index alone. */
export async function countCallsSince(
  db: Kysely<Database>,
  since: number,
): Promise<ReadonlyMap<string, { readonly count: number; readonly lastAt: number }>> {
  const rows = await db
    .selectFrom("tool_ledger")
    .select((row) => ["tool", row.fn.countAll().as("count"), row.fn.max("started_at").as("last")])
    .where("started_at", ">=", since)
    .groupBy("tool")
    .execute();
  return new Map(rows.map(({ count, last, tool }) => [tool, { count: Number(count), lastAt: last }]));
}
