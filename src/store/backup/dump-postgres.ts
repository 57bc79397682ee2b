import { sql, type Kysely } from "kysely";
import { findAuditHead } from "../queries/audit-chain.ts";
import type { Database } from "../schema/database.ts";
import type { DatabaseFacts } from "./examine-copy.ts";

/** Rows that are in memory at once: a checkpoint may be large. */
const rowsAtOnce = 100;

interface PostgresSequence {
  readonly value: number;
  readonly called: boolean;
}

export interface PostgresDump extends DatabaseFacts {
  readonly sequences: Readonly<Record<string, PostgresSequence>>;
}

/** Takes rows of a table, each as JSON in one line. */
export type TakeRows = (table: string, lines: readonly string[]) => Promise<void>;

/**
 * Reads every table of the schema in one transaction that sees the database as it was when it began. Writers are not
 * held up. Checkpoints are tables of the same database, so they belong to the rows beside them.
 */
export async function dumpPostgres(db: Kysely<Database>, take: TakeRows, signal?: AbortSignal): Promise<PostgresDump> {
  return db
    .transaction()
    .setIsolationLevel("repeatable read")
    .setAccessMode("read only")
    .execute(async (tx) => {
      // Packing what was read takes time between two statements.
      await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx);
      const tables: Record<string, number> = {};
      const names = await listPostgresTables(tx);
      for (const name of names) {
        await take(name, []);
        tables[name] = await dumpTable(tx, name, take, signal);
      }
      const ledgers = names.filter((name) => name.endsWith("_migrations"));
      const steps: Record<string, readonly string[]> = {};
      for (const ledger of ledgers) steps[ledger] = await listSteps(tx, ledger);
      const audit = (await findAuditHead(tx)) ?? null;
      return { steps, tables, audit, sequences: await readSequences(tx) };
    });
}

export async function listPostgresTables<Tables>(db: Kysely<Tables>): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname::text as name from pg_class
    where relnamespace = current_schema()::regnamespace and relkind = 'r' order by relname`.execute(db);
  return rows.map(({ name }) => name);
}

async function dumpTable(
  tx: Kysely<Database>,
  name: string,
  take: TakeRows,
  signal: AbortSignal | undefined,
): Promise<number> {
  await sql`declare kurisu_backup no scroll cursor for
    select row_to_json(rows)::text as line from ${sql.table(name)} as rows`.execute(tx);
  let count = 0;
  for (;;) {
    signal?.throwIfAborted();
    const { rows } = await sql<{ line: string }>`fetch ${sql.raw(String(rowsAtOnce))} from kurisu_backup`.execute(tx);
    if (rows.length === 0) break;
    await take(
      name,
      rows.map(({ line }) => line),
    );
    count += rows.length;
  }
  await sql`close kurisu_backup`.execute(tx);
  return count;
}

async function listSteps(tx: Kysely<Database>, ledger: string): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(ledger)} order by name`.execute(tx);
  return rows.map(({ name }) => name);
}

async function readSequences(tx: Kysely<Database>): Promise<PostgresDump["sequences"]> {
  const { rows: names } = await sql<{ name: string }>`
    select relname::text as name from pg_class
    where relnamespace = current_schema()::regnamespace and relkind = 'S' order by relname`.execute(tx);
  const found: Record<string, PostgresSequence> = {};
  for (const { name } of names) {
    const { rows } = await sql<{ value: number | string; called: boolean }>`
      select last_value as value, is_called as called from ${sql.table(name)}`.execute(tx);
    if (rows[0]) found[name] = { value: Number(rows[0].value), called: rows[0].called };
  }
  return found;
}
