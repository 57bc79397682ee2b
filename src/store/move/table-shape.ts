import { sql, type Kysely } from "kysely";

/** A table as the server has it, and the order in which SQLite gives its rows. */
export interface TableShape {
  readonly name: string;
  /** The columns of SQLite's key, in their order. */
  readonly key: readonly string[];
  /** The columns of the SQLite table; the server may have more. */
  readonly columns: readonly string[];
  /** The server's type of each of its columns, as SQL. */
  readonly types: Readonly<Record<string, string>>;
  /** The columns that number its rows, with their sequences. */
  readonly numbers: readonly { readonly column: string; readonly sequence: string }[];
}

/** Undefined where this SQLite file has no such table. */
export async function readSourceShape(
  file: Kysely<unknown>,
  name: string,
): Promise<Pick<TableShape, "columns" | "key"> | undefined> {
  const { rows } = await sql<{ name: string; pk: number }>`
    select name, pk from pragma_table_info(${name}) order by cid`.execute(file);
  if (rows.length === 0) return undefined;
  const key = rows.filter(({ pk }) => pk > 0).toSorted((one, other) => one.pk - other.pk);
  return { columns: rows.map((column) => column.name), key: key.map((column) => column.name) };
}

/** Empty where the database has no such table. */
export async function readTargetShape(
  db: Kysely<unknown>,
  name: string,
): Promise<Pick<TableShape, "numbers" | "types">> {
  const { rows } = await sql<{ column: string; type: string; sequence: string | null }>`
    select attname::text as column, format_type(atttypid, atttypmod) as type,
      pg_get_serial_sequence(quote_ident(relname), attname) as sequence
    from pg_attribute join pg_class on pg_class.oid = attrelid
    where relname = ${name} and relkind = 'r' and relnamespace = current_schema()::regnamespace
      and attnum > 0 and not attisdropped`.execute(db);
  return {
    types: Object.fromEntries(rows.map(({ column, type }) => [column, type])),
    numbers: rows.flatMap(({ column, sequence }) => (sequence === null ? [] : [{ column, sequence }])),
  };
}

export async function countRows(db: Kysely<unknown>, name: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(name)}`.execute(db);
  return rows[0]?.count ?? 0;
}
