import { sql, type Kysely } from "kysely";
import { AppError } from "../../core/errors.ts";
import type { AuditAnchor } from "../audit-anchor.ts";
import type { AllTables } from "../tables/tables.ts";
import { verifyAudit } from "../verify-audit.ts";
import { copyTable } from "./copy-table.ts";
import { findFilledTables, refuseFilled } from "./look-at-target.ts";
import { countRows, readTargetShape, type TableShape } from "./table-shape.ts";

/** A table of SQLite, and the file that has it. */
export interface SourceTable extends Pick<TableShape, "columns" | "key" | "name"> {
  readonly file: Kysely<unknown>;
}

export interface MovedTable {
  readonly name: string;
  readonly rows: number;
}

/** The audit's chain: how many rows it has, and the hash of the last. */
export interface Chain {
  readonly rows: number;
  readonly hash: string;
}

/** The parts of a move. */
export interface Filling {
  readonly url: string;
  readonly from: readonly SourceTable[];
  readonly anchors: readonly AuditAnchor[];
  readonly chain: Chain;
  /** Throws once another process may work on the database. */
  readonly assertHeld: () => void;
  readonly tell: (table: string, rows: number) => void;
}

/** Copies all tables in the caller's transaction, and compares. Throws unless all is the same there as in SQLite. */
export async function fillTarget(
  tx: Kysely<unknown>,
  filling: Filling,
  moves: AllTables["moves"],
): Promise<readonly MovedTable[]> {
  const { anchors, assertHeld, chain, from, tell, url } = filling;
  // Triggers would chain the audit a second time and record every row as a change. This also keeps others from writing until the commit.
  for (const { name } of from) await sql`alter table ${sql.table(name)} disable trigger user`.execute(tx);
  const names = from.map(({ name }) => name);
  const filled = await findFilledTables(tx, names, moves);
  if (filled.length > 0) {
    const there = await findDone(tx, filling);
    if (!there) throw refuseFilled(url, filled);
    return there;
  }
  const moved: MovedTable[] = [];
  for (const { file, ...table } of from) {
    const { name } = table;
    const move = moves[name as keyof typeof moves];
    const shape = { ...table, ...(await readTargetShape(tx, name)) };
    if (move?.seeded) await sql`delete from ${sql.table(name)}`.execute(tx);
    await copyTable({ source: file, target: tx, shape, move }, assertHeld);
    await continueNumbers(file, tx, shape);
    const [before, rows] = [await countRows(file, name), await countRows(tx, name)];
    if (before !== rows) throw refuseCounts(name, before, rows);
    moved.push({ name, rows });
    tell(name, rows);
  }
  for (const name of names) await sql`alter table ${sql.table(name)} enable trigger user`.execute(tx);
  const difference = await compareChains(tx, anchors, chain);
  if (difference !== undefined) throw refuseChain(difference);
  assertHeld();
  return moved;
}

/** A move whose COMMIT was not answered may be there as a whole: then the next run finds everything the same. */
async function findDone(
  tx: Kysely<unknown>,
  { anchors, chain, from, tell }: Filling,
): Promise<readonly MovedTable[] | undefined> {
  const there: MovedTable[] = [];
  for (const { file, name } of from) {
    const rows = await countRows(tx, name);
    if (rows !== (await countRows(file, name))) return undefined;
    there.push({ name, rows });
  }
  if (chain.rows === 0 || (await compareChains(tx, anchors, chain)) !== undefined) return undefined;
  for (const { name } of from) await sql`alter table ${sql.table(name)} enable trigger user`.execute(tx);
  for (const { name, rows } of there) tell(name, rows);
  return there;
}

/** New rows are numbered behind every number that was ever given, also those of rows that are gone. */
async function continueNumbers(
  file: Kysely<unknown>,
  tx: Kysely<unknown>,
  { name, numbers }: TableShape,
): Promise<void> {
  for (const { column, sequence } of numbers) {
    const { rows } = await sql<{ seq: number }>`select seq from sqlite_sequence where name = ${name}`.execute(file);
    await sql`select setval(${sequence}::regclass, newest.number) from (
        select greatest(max(${sql.ref(column)}), ${rows[0]?.seq ?? 0}::bigint) as number from ${sql.table(name)}
      ) as newest where newest.number > 0`.execute(tx);
  }
}

/** Undefined when the chain is the same there. */
async function compareChains(
  tx: Kysely<unknown>,
  anchors: readonly AuditAnchor[],
  chain: Chain,
): Promise<string | undefined> {
  const verdict = await verifyAudit({ engine: "postgres", main: tx }, anchors);
  if (verdict.kind === "broken") return verdict.detail;
  if (verdict.hash === chain.hash && verdict.rows === chain.rows) return undefined;
  return `its last hash is ${verdict.hash}, not ${chain.hash}`;
}

function refuseCounts(name: string, before: number, after: number): AppError {
  const counts = `The table ${name} has ${before} rows in SQLite and would have ${after} in Postgres`;
  const remedy = "Run the command again while nothing else uses the data folder.";
  return new AppError("MOVE_REFUSED", `${counts}. Nothing was written. ${remedy}`);
}

function refuseChain(difference: string): AppError {
  const remedy = "Move into a database that was made anew (createdb).";
  return new AppError(
    "MOVE_REFUSED",
    `The audit would not be the same in Postgres: ${difference}. Nothing was written. ${remedy}`,
  );
}
