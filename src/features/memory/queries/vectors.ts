import { sql, type Kysely } from "kysely";
import type { Database } from "../../../store/schema/database.ts";
import { isPostgres } from "../../../store/statements/is-postgres.ts";

/** The owner of a vector: a message of the log, or a memory. */
export type VectorKind = "log" | "memory";

/** A text that has no vector of the model yet. */
export interface UnreadText {
  readonly item: number;
  /** 0 = a memory. */
  readonly chat: number;
  readonly text: string;
}

const textOf = {
  log: sql<string>`m.text`,
  memory: sql<string>`m.content`,
} as const;
const from = {
  log: sql`log_messages m`,
  memory: sql`memories m`,
} as const;
const chatOf = { log: sql`m.chat`, memory: sql`0` } as const;
const isKept = { log: sql`true`, memory: sql`m.state <> 'forgotten'` } as const;

/** The newest texts after an id that have no vector of this model, the newest first. */
export async function listUnread(
  db: Kysely<Database>,
  kind: VectorKind,
  model: string,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<readonly UnreadText[]> {
  const { rows } = await sql<UnreadText>`
    select m.id as item, ${chatOf[kind]} as chat, ${textOf[kind]} as text from ${from[kind]}
    left join vectors v on v.kind = ${kind} and v.item = m.id and v.model = ${model}
    where m.id > ${after} and v.item is null and ${isKept[kind]} order by m.id desc limit ${limit}`.execute(db);
  return rows;
}

/** The id that `count` newer ones follow; 0 if there are fewer. */
export async function findNewestBut(db: Kysely<Database>, kind: VectorKind, count: number): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select id from ${from[kind]} order by id desc limit 1 offset ${count}`.execute(db);
  return rows[0]?.id ?? 0;
}

/**
 * Keeps the vectors of texts that are still as they were: a text that was taken away or changed while the model read it
 * leaves nothing behind.
 */
export async function saveVectors(
  db: Kysely<Database>,
  kind: VectorKind,
  model: string,
  read: readonly (UnreadText & { readonly vector: Float32Array })[],
): Promise<void> {
  if (read.length === 0) return;
  await db.transaction().execute(async (tx) => {
    const held = isPostgres(db) ? sql`for share` : sql``;
    const { rows } = await sql<UnreadText>`
      select m.id as item, ${chatOf[kind]} as chat, ${textOf[kind]} as text from ${from[kind]}
      where m.id in (${sql.join(read.map(({ item }) => item))}) and ${isKept[kind]} ${held}`.execute(tx);
    const now = new Map(rows.map((row) => [row.item, row]));
    const values = read.flatMap(({ chat, item, text, vector }) => {
      const row = now.get(item);
      if (row?.text !== text || row.chat !== chat) return [];
      const data = isPostgres(db) ? sql`${toArray(vector)}::real[]` : sql`${toBytes(vector)}`;
      return [sql`(${kind}, ${item}, ${chat}, ${model}, ${vector.length}, ${data})`];
    });
    if (values.length === 0) return;
    await sql`insert into vectors (kind, item, chat, model, dimensions, data) values ${sql.join(values)}
      on conflict (kind, item) do update set chat = excluded.chat, model = excluded.model,
        dimensions = excluded.dimensions, data = excluded.data`.execute(tx);
  });
}

/** As SQLite keeps it, and as sqlite-vec reads it. */
export function toBytes(vector: Float32Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
}

/** As Postgres writes an array of numbers. */
export function toArray(vector: Float32Array): string {
  return `{${vector.join(",")}}`;
}
