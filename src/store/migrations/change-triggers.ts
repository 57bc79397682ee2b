import { createHash } from "node:crypto";
import { sql, type Kysely } from "kysely";
import type { Engine } from "./engine.ts";

/** Says what is noted of a table whose rows the console shows while they change: `changes`, tables/change-tables.ts. */
export interface Followed {
  readonly topic: string;
  /** The column that says which row it was; none where that is an account of a person. */
  readonly id?: string;
  /** The column with the conversation. */
  readonly session?: string;
  /** The columns whose new values are told; added and deleted rows always are. */
  readonly updates: readonly string[];
}

/** Its name tells what it does, so that another Kurisu knows without reading it whether it is the one that is wanted. */
interface ChangeTrigger {
  readonly name: string;
  readonly table: string;
  readonly statements: readonly string[];
}

const start = "follow_";

/**
 * Gives each table that is followed its triggers, and takes away those of another Kurisu. Not a part of a migration: a
 * table may come to be followed, or otherwise, in any release. An open store with the right ones costs one query.
 */
export async function followTables(
  db: Kysely<unknown>,
  engine: Engine,
  followed: Readonly<Record<string, Followed | undefined>>,
): Promise<void> {
  const wanted = Object.entries(followed).flatMap(([table, how]) => (how ? createTriggers(engine, table, how) : []));
  if (isSame(wanted, await listTriggers(db, engine))) return;
  await db.transaction().execute(async (tx) => {
    // Another process may be doing the same; of SQLite only one writes.
    if (engine.name === "postgres") await sql`select pg_advisory_xact_lock(1265988201, 26223)`.execute(tx);
    const there = await listTriggers(tx, engine);
    const names = new Set(wanted.map(({ name }) => name));
    for (const { name, table } of there)
      if (!names.has(name))
        await (
          engine.name === "postgres"
            ? sql`drop trigger ${sql.ref(name)} on ${sql.table(table)}; drop function ${sql.ref(`kurisu_${name}`)}()`
            : sql`drop trigger ${sql.ref(name)}`
        ).execute(tx);
    const known = new Set(there.map(({ name }) => name));
    for (const { name, statements } of wanted)
      if (!known.has(name)) for (const statement of statements) await sql.raw(statement).execute(tx);
  });
}

type FoundTrigger = Pick<ChangeTrigger, "name" | "table">;

function isSame(wanted: readonly FoundTrigger[], there: readonly FoundTrigger[]): boolean {
  const names = new Set(there.map(({ name }) => name));
  return wanted.length === there.length && wanted.every(({ name }) => names.has(name));
}

async function listTriggers(db: Kysely<unknown>, { name }: Engine): Promise<readonly FoundTrigger[]> {
  const { rows } =
    name === "sqlite"
      ? await sql<FoundTrigger>`select name, tbl_name as "table" from sqlite_schema
          where type = 'trigger' and substr(name, 1, ${start.length}) = ${start}`.execute(db)
      : await sql<FoundTrigger>`select tgname::text as name, relname::text as "table" from pg_trigger
          join pg_class on pg_class.oid = tgrelid
          where not tgisinternal and relnamespace = current_schema()::regnamespace
            and starts_with(tgname::text, ${start})`.execute(db);
  return rows;
}

function createTriggers(engine: Engine, table: string, followed: Followed): readonly ChangeTrigger[] {
  const columns = followed.updates.map(quote);
  const differs = columns.map((column) => `old.${column} is distinct from new.${column}`);
  const events = [
    { event: "insert", of: "insert", only: "", row: "new" },
    ...(columns.length === 0
      ? []
      : [
          {
            event: "update",
            of: `update of ${columns.join(", ")}`,
            only: ` when (${differs.join(" or ")})`,
            row: "new",
          } as const,
        ]),
    { event: "delete", of: "delete", only: "", row: "old" },
  ] as const;
  return events.map(({ event, of, only, row }) => {
    const insert = insertChange(followed, row);
    const digest = createHash("sha256").update([of, only, insert].join("\n")).digest("hex").slice(0, 8);
    const name = `${start}${table}_${event}_${digest}`;
    const statements =
      engine.name === "sqlite"
        ? [`create trigger ${name} after ${of} on "${table}"${only} begin ${insert}; end`]
        : [
            `create or replace function kurisu_${name}() returns trigger language plpgsql as $body$
              begin ${insert}; return null; end $body$`,
            `create trigger ${name} after ${of} on "${table}" for each row${only} execute function kurisu_${name}()`,
          ];
    return { name, table, statements };
  });
}

function insertChange({ id, session, topic }: Followed, row: "new" | "old"): string {
  const value = (column: string | undefined) =>
    column === undefined ? "null" : `cast(${row}.${quote(column)} as text)`;
  return `insert into changes (topic, id, session) values ('${topic}', ${value(id)}, ${value(session)})`;
}

const quote = (column: string): string => `"${column}"`;
