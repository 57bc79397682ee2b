import { createReadStream } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { sql, type Kysely } from "kysely";
import { AppError } from "../../core/errors.ts";
import { postgresEngine } from "../migrations/engine.ts";
import { checkpointMigrations, migrate } from "../migrations/migrate.ts";
import type { AllTables } from "../tables/tables.ts";
import { openPostgresPool } from "../engines/connect-postgres.ts";
import { describeConnectionFault, describeDatabase } from "../engines/describe-connection-fault.ts";
import { parseDatabaseAddress } from "../engines/parse-database-address.ts";
import { listPostgresTables, type PostgresDump } from "./dump-postgres.ts";

/** Characters of rows that one statement brings. */
const maxCharacters = 1_000_000;
const setting = "set idle_in_transaction_session_timeout = 0";
const ledgers = ["kurisu_migrations", "kurisu_checkpoint_migrations"] as const;

/** A schema beside the one in use, in which a backup is made ready. */
export interface StagedSchema {
  /** The database's address, with that schema as the one in use. */
  readonly url: string;
  /** Whether the schema in use has tables of ours. */
  isOccupied(): Promise<boolean>;
  /** Makes the tables as they were when the backup was made, and fills them from `folder`. */
  load(folder: string, facts: PostgresDump, tables: AllTables): Promise<void>;
  /** In one transaction: what is in use goes to the schema `aside`, and what was staged to its place. */
  exchange(aside: string): Promise<void>;
  /** Removes the staged schema, and closes the connection. */
  close(): Promise<void>;
}

/** `name` = a schema that is not there yet. */
export async function stageSchema(given: string, name: string): Promise<StagedSchema> {
  const pool = openPostgresPool<unknown>(given, { name: "restore", size: 1, setting });
  const { db } = pool;
  const url = nameSchema(given, name);
  let made = false;
  const attempt = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work();
    } catch (error) {
      throw describeConnectionFault(given, error);
    }
  };
  return {
    url,
    isOccupied: () => attempt(async () => (await listPostgresTables(db)).some((table) => table === ledgers[0])),
    load: (folder, facts, tables) =>
      attempt(async () => {
        await sql`create schema ${sql.id(name)}`.execute(db);
        made = true;
        await loadTables(url, name, { folder, facts, tables });
      }),
    exchange: (aside) => attempt(() => exchangeSchemas(db, { staged: name, aside })),
    async close() {
      try {
        if (made) await sql`drop schema if exists ${sql.id(name)} cascade`.execute(db);
      } finally {
        await pool.close();
      }
    },
  };
}

function nameSchema(given: string, schema: string): string {
  const address = parseDatabaseAddress(given);
  if (address === undefined) throw new AppError("DATABASE_REFUSED", `${describeDatabase(given)} cannot be read.`);
  const options = address.searchParams.get("options");
  address.searchParams.set("options", `${options === null ? "" : `${options} `}-c search_path=${schema}`);
  return address.href;
}

async function loadTables(
  url: string,
  schema: string,
  given: { readonly folder: string; readonly facts: PostgresDump; readonly tables: AllTables },
): Promise<void> {
  const { facts, folder, tables } = given;
  const pool = openPostgresPool<unknown>(url, { name: "restore", size: 2, setting });
  const { db } = pool;
  try {
    const where = describeDatabase(url);
    const [main, checkpoints] = ledgers;
    await migrate(db, postgresEngine, pick(tables.migrations, facts.steps[main]), where, main, schema);
    await migrate(db, postgresEngine, pick(checkpointMigrations, facts.steps[checkpoints]), where, checkpoints, schema);
    await db.transaction().execute(async (tx) => {
      const there = await listPostgresTables(tx);
      for (const [table, rows] of Object.entries(facts.tables)) {
        // The migrations have just filled these.
        if (ledgers.some((ledger) => table.startsWith(ledger))) continue;
        if (!there.includes(table)) throw mismatch(`${table} is no table of Kurisu`);
        const loaded = await loadTable(tx, table, join(folder, `${table}.ndjson`));
        if (loaded !== rows) throw mismatch(`${table} has ${loaded} rows instead of ${rows}`);
      }
      for (const [sequence, { called, value }] of Object.entries(facts.sequences))
        await sql`select setval(${`"${sequence.replaceAll('"', '""')}"`}::regclass, ${value}, ${called})`.execute(tx);
    });
  } finally {
    await pool.close();
  }
}

function pick<Step>(steps: Readonly<Record<string, Step>>, names: readonly string[] = []): Record<string, Step> {
  return Object.fromEntries(Object.entries(steps).filter(([name]) => names.includes(name)));
}

/** Triggers are off: they would chain the audit a second time and record each row as a change. */
async function loadTable(tx: Kysely<unknown>, table: string, file: string): Promise<number> {
  await sql`alter table ${sql.table(table)} disable trigger user`.execute(tx);
  await sql`delete from ${sql.table(table)}`.execute(tx);
  let [count, size] = [0, 0];
  let batch: string[] = [];
  const flush = async (): Promise<void> => {
    if (batch.length === 0) return;
    await sql`insert into ${sql.table(table)}
      select * from json_populate_recordset(null::${sql.table(table)}, ${`[${batch.join(",")}]`}::json)`.execute(tx);
    [batch, size] = [[], 0];
  };
  for await (const line of createInterface({ input: createReadStream(file, "utf8"), crlfDelay: Infinity })) {
    batch.push(line);
    count += 1;
    size += line.length;
    if (size >= maxCharacters) await flush();
  }
  await flush();
  await sql`alter table ${sql.table(table)} enable trigger user`.execute(tx);
  return count;
}

function mismatch(detail: string): AppError {
  return new AppError("BACKUP_DAMAGED", `The backup does not fit: ${detail}. Nothing was touched; take another one.`);
}

interface SchemaObject {
  readonly kind: "table" | "sequence" | "function";
  readonly name: string;
  /** As ALTER wants it. */
  readonly signature: string;
}

async function exchangeSchemas(
  db: Kysely<unknown>,
  { aside, staged }: { readonly staged: string; readonly aside: string },
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ schema: string }>`select current_schema() as schema`.execute(tx);
    const inUse = String(rows[0]?.schema);
    const wanted = await listObjects(tx, staged);
    const present = (await listObjects(tx, inUse)).filter((one) =>
      wanted.some(({ kind, name }) => kind === one.kind && name === one.name),
    );
    if (present.length > 0) await sql`create schema ${sql.id(aside)}`.execute(tx);
    for (const one of present) await moveObject(tx, one, inUse, aside);
    for (const one of wanted) await moveObject(tx, one, staged, inUse);
  });
}

/** Sequences that belong to a column go with its table. */
async function listObjects(tx: Kysely<unknown>, schema: string): Promise<readonly SchemaObject[]> {
  const { rows } = await sql<SchemaObject>`
    select case relkind when 'r' then 'table' else 'sequence' end as kind, relname::text as name, quote_ident(relname) as signature
      from pg_class where relnamespace = ${schema}::regnamespace and (relkind = 'r' or relkind = 'S' and not exists (
        select 1 from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype in ('a', 'i')))
    union all
    select 'function', proname::text, quote_ident(proname) || '(' || pg_get_function_identity_arguments(oid) || ')'
      from pg_proc where pronamespace = ${schema}::regnamespace and proname like 'kurisu%'`.execute(tx);
  return rows;
}

async function moveObject(tx: Kysely<unknown>, one: SchemaObject, from: string, to: string): Promise<void> {
  const { kind, signature } = one;
  await sql`alter ${sql.raw(kind)} ${sql.id(from)}.${sql.raw(signature)} set schema ${sql.id(to)}`.execute(tx);
}
