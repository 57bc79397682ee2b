import { existsSync } from "node:fs";
import { join } from "node:path";
import { sql, type Kysely } from "kysely";
import { AppError, describeError } from "../../core/errors.ts";
import type { AuditAnchor } from "../audit-anchor.ts";
import { describeDatabase } from "../engines/describe-connection-fault.ts";
import { lockDataFolder } from "../engines/lock-data-folder.ts";
import { lockDatabase } from "../engines/lock-database.ts";
import { openPostgresStore } from "../engines/open-postgres-store.ts";
import { openStore, type Store } from "../open-store.ts";
import { raiseAuditMark } from "../queries/audit-chain.ts";
import type { AllTables } from "../tables/tables.ts";
import { verifyAudit } from "../verify-audit.ts";
import { copyTable } from "./copy-table.ts";
import { refuseFilledTables, lookAtTarget } from "./look-at-target.ts";
import { writeMovedNote } from "./moved-note.ts";
import { countRows, readSourceShape, readTargetShape, type TableShape } from "./table-shape.ts";

export interface Moved {
  readonly tables: readonly { readonly name: string; readonly rows: number }[];
  readonly audit: { readonly rows: number; readonly head: string };
  readonly ms: number;
}

export interface MoveOptions {
  readonly home: string;
  readonly url: string;
  readonly anchors: readonly AuditAnchor[];
  /** Counts and checks, and writes no row. */
  readonly dryRun: boolean;
  /** Hears of each table when it is there. */
  readonly tell: (table: string, rows: number) => void;
}

interface SourceTable extends Pick<TableShape, "columns" | "key" | "name"> {
  readonly file: Kysely<unknown>;
}

/**
 * Copies every row of the data folder's SQLite files into an empty Postgres database, in one transaction there: it is whole
 * afterwards, or nothing of it is there. The SQLite files keep their rows.
 */
export async function moveStore(options: MoveOptions, tables: AllTables): Promise<Moved> {
  const { dryRun, home, url } = options;
  const begun = performance.now();
  if (!existsSync(join(home, "kurisu.db")))
    throw new AppError("MOVE_REFUSED", `${home} has no kurisu.db. Set KURISU_HOME to the data folder that is to be moved.`);
  await using stack = new AsyncDisposableStack();
  const folder = lockDataFolder(home, "migrate-store");
  stack.defer(() => folder.release());
  const assertHeld = await holdTarget(url, stack);
  const source = await openStore({ home }, tables);
  stack.defer(() => source.close());
  const chain = await verifySource(source, options.anchors);
  const from = await listSources(source, tables);
  if (dryRun) await lookAtTarget(url, tables);
  const moved = dryRun ? await countSources(from, options) : await copyAll({ source, from, chain, assertHeld }, options, tables);
  if (!dryRun) writeMovedNote(home, { at: new Date().toISOString(), to: describeDatabase(url) });
  return { tables: moved, audit: { rows: chain.rows, head: chain.hash }, ms: Math.round(performance.now() - begun) };
}

/** The lock of the database, until the end; answers what throws once another process may have taken it. */
async function holdTarget(url: string, stack: AsyncDisposableStack): Promise<() => void> {
  let fault: AppError | undefined;
  const lock = await lockDatabase({
    url,
    purpose: "migrate-store",
    tries: 10,
    onLost: (lost) => (fault = lost),
    onTrouble: () => undefined,
  });
  stack.defer(() => lock.release());
  return () => {
    if (fault) throw fault;
  };
}

interface Chain {
  readonly rows: number;
  readonly hash: string;
}

async function verifySource(source: Store, anchors: readonly AuditAnchor[]): Promise<Chain> {
  const verdict = await verifyAudit(source, anchors);
  if (verdict.kind === "intact") return verdict;
  throw new AppError(
    "MOVE_REFUSED",
    `The audit in SQLite is broken (${verdict.damage}): ${verdict.detail}. Nothing was written. Restore a backup whose audit is intact (kurisu audit verify), then move that.`,
  );
}

async function listSources(source: Store, tables: AllTables): Promise<readonly SourceTable[]> {
  const files = [source.main, source.checkpoints] as readonly Kysely<unknown>[];
  const found: SourceTable[] = [];
  for (const name of Object.keys(tables.people).toSorted())
    for (const file of files) {
      const shape = await readSourceShape(file, name);
      if (shape) found.push({ ...shape, name, file });
    }
  return found;
}

async function countSources(from: readonly SourceTable[], { tell }: MoveOptions): Promise<Moved["tables"]> {
  const counted: { name: string; rows: number }[] = [];
  for (const { file, name } of from) {
    const rows = await countRows(file, name);
    counted.push({ name, rows });
    tell(name, rows);
  }
  return counted;
}

interface Copying {
  readonly source: Store;
  readonly from: readonly SourceTable[];
  readonly chain: Chain;
  readonly assertHeld: () => void;
}

async function copyAll(copying: Copying, options: MoveOptions, tables: AllTables): Promise<Moved["tables"]> {
  const target = await openPostgresStore(options.url, tables);
  try {
    const moved = await target.main
      .transaction()
      .execute((tx) => fillTarget(tx as unknown as Kysely<unknown>, copying, options, tables));
    // The mark is outside of transactions: raised before, it would say of a move that was taken back that rows are gone.
    await raiseAuditMark(target);
    return moved;
  } catch (error) {
    if (error instanceof AppError) throw error;
    const where = describeDatabase(options.url);
    const remedy = "Nothing of it is kept there; run the command again once that is mended.";
    throw new AppError("STORE_FAILED", `The move to ${where} failed: ${describeError(error)}. ${remedy}`, { cause: error });
  } finally {
    await target.close();
  }
}

async function fillTarget(
  tx: Kysely<unknown>,
  { assertHeld, chain, from }: Copying,
  { anchors, tell, url }: MoveOptions,
  { moves }: AllTables,
): Promise<Moved["tables"]> {
  // Triggers would chain the audit anew and note every row as a change. This also keeps others from writing until the commit.
  for (const { name } of from) await sql`alter table ${sql.table(name)} disable trigger user`.execute(tx);
  await refuseFilledTables(tx, { names: from.map(({ name }) => name), moves, url });
  const moved: { name: string; rows: number }[] = [];
  for (const { file, ...table } of from) {
    const move = moves[table.name as keyof typeof moves];
    const shape = { ...table, ...(await readTargetShape(tx, table.name)) };
    if (move?.seeded) await sql`delete from ${sql.table(table.name)}`.execute(tx);
    await copyTable({ source: file, target: tx, shape, move }, assertHeld);
    await continueNumbers(file, tx, shape);
    moved.push({ name: table.name, rows: await compareCounts(file, tx, table.name) });
    tell(table.name, moved.at(-1)?.rows ?? 0);
  }
  for (const { name } of from) await sql`alter table ${sql.table(name)} enable trigger user`.execute(tx);
  await compareChains(tx as Store["main"], anchors, chain);
  assertHeld();
  return moved;
}

/** New rows are numbered behind every number that was ever given, also those of rows that are gone. */
async function continueNumbers(file: Kysely<unknown>, tx: Kysely<unknown>, { name, numbers }: TableShape): Promise<void> {
  const known = await sql<{ known: number }>`select count(*) as known from sqlite_schema where name = 'sqlite_sequence'`.execute(file);
  const given = known.rows[0]?.known
    ? await sql<{ seq: number }>`select seq from sqlite_sequence where name = ${name}`.execute(file)
    : undefined;
  for (const { column, sequence } of numbers)
    await sql`select setval(${sequence}::regclass, newest.number) from (
        select greatest(max(${sql.ref(column)}), ${given?.rows[0]?.seq ?? 0}::bigint) as number from ${sql.table(name)}
      ) as newest where newest.number > 0`.execute(tx);
}

async function compareCounts(file: Kysely<unknown>, tx: Kysely<unknown>, name: string): Promise<number> {
  const [before, after] = [await countRows(file, name), await countRows(tx, name)];
  if (before === after) return after;
  throw new AppError(
    "MOVE_REFUSED",
    `The table ${name} has ${before} rows in SQLite and would have ${after} in Postgres. Nothing was written. Run the command again while nothing else uses the data folder.`,
  );
}

async function compareChains(main: Store["main"], anchors: readonly AuditAnchor[], chain: Chain): Promise<void> {
  const verdict = await verifyAudit({ engine: "postgres", main }, anchors);
  if (verdict.kind === "intact" && verdict.hash === chain.hash && verdict.rows === chain.rows) return;
  const found = verdict.kind === "broken" ? verdict.detail : `its last hash is ${verdict.hash}, not ${chain.hash}`;
  throw new AppError(
    "MOVE_REFUSED",
    `The audit would not be the same in Postgres: ${found}. Nothing was written. Move into a database that was made anew (createdb).`,
  );
}
