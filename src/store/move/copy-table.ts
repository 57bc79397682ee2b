import { sql, type Kysely } from "kysely";
import type { Move } from "../tables/tables.ts";
import type { TableShape } from "./table-shape.ts";

type Row = Readonly<Record<string, unknown>>;

const rowsAtOnce = { first: 100, most: 2_000 } as const;
/** Letters of a page, about: rows with much in them come in smaller pages. */
const maxLetters = 4_000_000;

/**
 * Copies the rows of one table in the order of their key. A page is one statement with one parameter a column, so that the
 * server reads it once for all pages. Answers their number.
 */
export async function copyTable(
  {
    source,
    target,
    shape,
    move,
  }: {
    readonly source: Kysely<unknown>;
    readonly target: Kysely<unknown>;
    readonly shape: TableShape;
    readonly move: Move | undefined;
  },
  beforePage: () => void,
): Promise<number> {
  let [copied, size, last]: [number, number, Row | undefined] = [0, rowsAtOnce.first, undefined];
  for (;;) {
    beforePage();
    const rows: readonly Row[] = await readPage(source, shape, last, size);
    if (rows.length > 0) {
      const letters = await writePage(target, shape, move?.convert === undefined ? rows : rows.map(move.convert));
      copied += rows.length;
      last = rows.at(-1);
      const fitting = Math.floor((size * maxLetters) / Math.max(letters, 1));
      const following = Math.max(1, Math.min(size * 2, fitting, rowsAtOnce.most));
      if (rows.length < size) return copied;
      size = following;
    } else return copied;
  }
}

async function readPage(
  source: Kysely<unknown>,
  { key, name }: TableShape,
  last: Row | undefined,
  size: number,
): Promise<readonly Row[]> {
  const columns = sql.join(key.map((column) => sql.ref(column)));
  const behind = last && sql`where (${columns}) > (${sql.join(key.map((column) => last[column]))})`;
  const { rows } = await sql<Row>`select * from ${sql.table(name)} ${behind ?? sql``}
    order by ${columns} limit ${size}`.execute(source);
  return rows;
}

/** Answers how many letters were sent. */
async function writePage(target: Kysely<unknown>, { name, types }: TableShape, rows: readonly Row[]): Promise<number> {
  const columns = Object.keys(rows[0] ?? {});
  const values = columns.map((column) => rows.map((row) => toServerText(row[column] as StoredValue)));
  const lists = values.map((list) => sql`${list}::text[]`);
  const cast = columns.map((column, index) => sql`${sql.ref(`c${index}`)}::${sql.raw(types[column] ?? "text")}`);
  const places = columns.map((_, index) => sql.ref(`c${index}`));
  await sql`insert into ${sql.table(name)} (${sql.join(columns.map((column) => sql.ref(column)))})
    select ${sql.join(cast)} from unnest(${sql.join(lists)}) as given (${sql.join(places)})`.execute(target);
  return values.flat().reduce((sum, text) => sum + (text?.length ?? 0), 0);
}

/** As SQLite and the converters of tables give it. */
type StoredValue = string | number | bigint | boolean | Uint8Array | readonly (string | number)[] | null | undefined;

/** A value as the server reads it in any type: bytes in hexadecimal, a list in braces. */
function toServerText(value: StoredValue): string | null {
  if (value === null || value === undefined) return null;
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString("hex")}`;
  return typeof value === "object" ? `{${value.join(",")}}` : String(value);
}
