import { sql, type Kysely, type RawBuilder } from "kysely";
import type { Database } from "../../../store/schema/database.ts";
import { isPostgres } from "../../../store/statements/is-postgres.ts";
import type { ReadableRows } from "./memories.ts";
import { toArray, toBytes } from "./vectors.ts";

/** The ways to compare: an extension of the database, or a loop over the vectors. Their answers are the same. */
export type VectorEngine = "sqlite-vec" | "pgvector" | "loop";

export interface NearItem {
  readonly item: number;
  /** The cosine, -1 to 1. */
  readonly nearness: number;
}

interface Sought {
  readonly model: string;
  /** A vector of length 1. */
  readonly vector: Float32Array;
  readonly limit: number;
}

const rowsAtOnce = 500;

/** The way of this database. */
export async function findVectorEngine(db: Kysely<Database>): Promise<VectorEngine> {
  if (isPostgres(db)) {
    const { rows } = await sql`select 1 from pg_extension where extname = 'vector'`.execute(db);
    return rows.length > 0 ? "pgvector" : "loop";
  }
  const { rows } = await sql`select 1 from pragma_function_list where name = 'vec_distance_cosine'`.execute(db);
  return rows.length > 0 ? "sqlite-vec" : "loop";
}

/** The messages of these chats whose meaning is nearest, the nearest first. */
export function findNearestInLog(
  db: Kysely<Database>,
  engine: VectorEngine,
  chats: readonly number[],
  sought: Sought,
): Promise<readonly NearItem[]> {
  if (chats.length === 0) return Promise.resolve([]);
  return findNearest(db, engine, sought, sql`vectors v`, sql`v.kind = 'log' and v.chat in (${sql.join(chats)})`);
}

/** The memories that may be read whose meaning is nearest, the nearest first. */
export function findNearestMemories(
  db: Kysely<Database>,
  engine: VectorEngine,
  { accounts, persona, place }: ReadableRows,
  sought: Sought,
): Promise<readonly NearItem[]> {
  if (place === "" && accounts.length === 0) return Promise.resolve([]);
  const whose = place === "" ? sql`m.person in (${sql.join(accounts)})` : sql`m.place = ${place}`;
  return findNearest(
    db,
    engine,
    sought,
    sql`memories m join vectors v on v.kind = 'memory' and v.item = m.id`,
    sql`m.persona = ${persona} and m.state <> 'forgotten' and ${whose}`,
  );
}

/** Vectors of another model, or another length, are no candidates. */
async function findNearest(
  db: Kysely<Database>,
  engine: VectorEngine,
  { limit, model, vector }: Sought,
  tables: RawBuilder<unknown>,
  where: RawBuilder<unknown>,
): Promise<readonly NearItem[]> {
  const candidates = sql`${tables} where ${where} and v.model = ${model} and v.dimensions = ${vector.length}`;
  switch (engine) {
    case "loop":
      return loop(db, vector, limit, candidates);
    case "sqlite-vec":
      return order(db, limit, sql`vec_distance_cosine(v.data, ${toBytes(vector)})`, candidates);
    case "pgvector":
      return order(db, limit, sql`v.data::vector <=> ${toArray(vector)}::real[]::vector`, candidates);
  }
}

async function order(
  db: Kysely<Database>,
  limit: number,
  distance: RawBuilder<unknown>,
  candidates: RawBuilder<unknown>,
): Promise<readonly NearItem[]> {
  const { rows } = await sql<NearItem>`
    select v.item, 1 - (${distance}) as nearness from ${candidates} order by nearness desc, item desc limit ${limit}`.execute(
    db,
  );
  return rows;
}

/** In slices, so that neither memory use nor running turns suffer. */
async function loop(
  db: Kysely<Database>,
  vector: Float32Array,
  limit: number,
  candidates: RawBuilder<unknown>,
): Promise<readonly NearItem[]> {
  let best: readonly NearItem[] = [];
  for (let before = Number.MAX_SAFE_INTEGER; ;) {
    const { rows } = await sql<{ item: number; data: Uint8Array | readonly number[] }>`
      select v.item, v.data from ${candidates} and v.item < ${before} order by v.item desc limit ${rowsAtOnce}`.execute(
      db,
    );
    const some = rows.map(({ data, item }) => ({ item, nearness: compare(vector, readVector(data)) }));
    best = [...best, ...some].toSorted((a, b) => b.nearness - a.nearness || b.item - a.item).slice(0, limit);
    const last = rows.at(-1);
    if (last === undefined || rows.length < rowsAtOnce) return best;
    before = last.item;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function readVector(data: Uint8Array | readonly number[]): ArrayLike<number> {
  if (!(data instanceof Uint8Array)) return data;
  const whole = data.byteOffset % 4 === 0 ? data : data.slice();
  return new Float32Array(whole.buffer, whole.byteOffset, whole.byteLength / 4);
}

function compare(one: Float32Array, other: ArrayLike<number>): number {
  let product = 0;
  for (let at = 0; at < one.length; at += 1) product += (one[at] ?? 0) * (other[at] ?? 0);
  return product;
}
