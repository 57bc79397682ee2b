import type { CompiledQuery, Kysely } from "kysely";
import type { TableWrites } from "./table-writes.ts";
import type { Database } from "../schema/database.ts";

type Value = string | number | null;

interface Remembered<Row> {
  readonly rows: readonly Row[];
  readonly places: readonly string[];
  readonly mark: number;
}

interface RowColumns {
  readonly table: keyof Database;
  readonly columns: readonly string[];
}

const maxAnswers = 256;

/**
 * A read whose answers stay in memory until one of its tables is written: for tables that many turns read and few
 * write. A transaction that wrote one of them itself reads the store. `build` depends on nothing but `given`.
 *
 * Some columns of a table change with every message. With `columns` the rows that were found stay in memory until one
 * of those columns is written or a row is deleted; that nothing was found is not kept.
 */
export function rememberRows<Given extends Readonly<Record<string, Value | readonly Value[]>>, Row>(
  build: (db: Kysely<Database>, given: Given) => { compile(): CompiledQuery<Row> },
  columns?: RowColumns,
): (db: Kysely<Database>, given: Given) => Promise<readonly Row[]> {
  const stores = new WeakMap<TableWrites, Map<string, Remembered<Row>>>();

  function open(writes: TableWrites): Map<string, Remembered<Row>> {
    const answers = new Map<string, Remembered<Row>>();
    stores.set(writes, answers);
    return answers;
  }

  return async (db, given) => {
    const { writes } = db.getExecutor().adapter as { readonly writes?: TableWrites };
    if (!writes) return (await db.executeQuery(build(db, given).compile())).rows;
    const answers = stores.get(writes) ?? open(writes);
    const key = JSON.stringify(given);
    const known = answers.get(key);
    if (known && writes.mark(known.places) === known.mark) return known.rows;
    if (known) dropOutdated(answers, writes);
    const query = build(db, given).compile();
    const places = columns?.columns.map((name) => `${columns.table}.${name}`) ?? findTables(query.sql);
    const mark = writes.mark(places);
    const { rows } = await db.executeQuery(query);
    const isUnsure = columns !== undefined && rows.length === 0;
    if (mark === undefined || isUnsure || writes.mark(places) !== mark) return rows;
    const [oldest] = answers.keys();
    if (answers.size >= maxAnswers && oldest !== undefined) answers.delete(oldest);
    answers.set(key, { rows, places, mark });
    return rows;
  };
}

/** Deleted rows do not stay in memory behind an answer that nothing asks for again. */
function dropOutdated<Row>(answers: Map<string, Remembered<Row>>, writes: TableWrites): void {
  for (const [key, { mark, places }] of answers) if (writes.mark(places) !== mark) answers.delete(key);
}

function findTables(sql: string): readonly string[] {
  if (/\bfrom\s+"?\w+"?(?:\s+(?:as\s+)?"?\w+"?)?\s*,/i.test(sql))
    throw new Error(`a remembered read joins its tables by JOIN, not by a comma: ${sql}`);
  return [...new Set([...sql.matchAll(/\b(?:from|join)\s+"?([a-z_]+)/gi)].map(([, table = ""]) => table))];
}
