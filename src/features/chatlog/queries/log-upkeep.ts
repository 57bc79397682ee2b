import { readLogState, setLogState } from "./log-state.ts";
import { sql, type Kysely, type Transaction } from "kysely";
import type { ConversationMessage, Taint } from "../../../core/conversation.ts";
import type { Database } from "../../../store/schema/database.ts";
import { toVector } from "./log-words.ts";
import { isPostgres } from "../../../store/statements/is-postgres.ts";
import { findPlaceRange } from "./log-places.ts";
import { logSaid } from "./log-said.ts";

/** A slice takes a few milliseconds, so that it hardly delays other users of the database. */
const rowsOfSlice = 100;

/** Takes some more messages into an index that is being rebuilt, newest first. Returns whether more are left. */
export function rebuildSlice(db: Kysely<Database>, rows = rowsOfSlice): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const high = await readLogState(tx, "indexed_from");
    if (high === 0) return false;
    const below = tx.selectFrom("log_messages").where("place", "<", high);
    const last = await below
      .select("place")
      .orderBy("place", "desc")
      .limit(1)
      .offset(rows - 1)
      .executeTakeFirst();
    const low = last?.place ?? 0;
    if (isPostgres(tx)) await renewVectors(tx, low, high);
    else
      await sql`insert into log_search (rowid, words) select place, kurisu_log_words(text, chat, sender) from log_messages
        where place >= ${low} and place < ${high} order by place`.execute(tx);
    await setLogState(tx, "indexed_from", low);
    return low > 0;
  });
}

async function renewVectors(tx: Transaction<Database>, low: number, high: number): Promise<void> {
  const rows = await tx
    .selectFrom("log_messages")
    .select(["id", "text"])
    .where("place", ">=", low)
    .where("place", "<", high)
    .execute();
  if (rows.length === 0) return;
  const values = rows.map(({ id, text }) => sql`(${id}::bigint, ${toVector(text)}::tsvector)`);
  await sql`update log_messages m set words = v.words from (values ${sql.join(values)}) v (id, words)
    where m.id = v.id`.execute(tx);
}

/** Deletes some of what was said before then. Returns whether more is left. */
export async function pruneLogSlice(db: Kysely<Database>, before: number): Promise<boolean> {
  const { high } = await findPlaceRange(db, { until: before });
  const oldest = db
    .selectFrom("log_messages")
    .select("place")
    .where("place", "<", high)
    .where("said_at", "<", before)
    .orderBy("place")
    .limit(rowsOfSlice);
  const { numDeletedRows } = await db.deleteFrom("log_messages").where("place", "in", oldest).executeTakeFirst();
  return numDeletedRows >= BigInt(rowsOfSlice);
}

/**
 * Copies some of the conversations from before there was a log into it, each message once; nothing older than `since`.
 * Returns whether more is left.
 */
export function backfillSlice(db: Kysely<Database>, since: number): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const to = await readLogState(tx, "backfill_to");
    const from = await readLogState(tx, "backfilled");
    if (from >= to) return false;
    const rows = await tx
      .selectFrom("messages")
      .select(["id", "session", "role", "content", "taint", "created_at"])
      .where("id", ">", from)
      .where("id", "<=", to)
      .orderBy("id")
      .limit(rowsOfSlice)
      .execute();
    for (const row of rows) {
      const said = row.created_at < since ? undefined : readSaid(JSON.parse(row.content) as ConversationMessage);
      if (said === undefined) continue;
      const { created_at: saidAt, id, session, taint } = row;
      await logSaid(tx, { ...said, session, taint: taint as Taint, key: `message:${id}`, message: id, saidAt });
    }
    await setLogState(tx, "backfilled", rows.length < rowsOfSlice ? to : (rows.at(-1)?.id ?? to));
    return rows.length === rowsOfSlice;
  });
}

/** Returns undefined for messages that neither a person nor she said. */
function readSaid(message: ConversationMessage) {
  if (message.role !== "user" && message.role !== "assistant") return undefined;
  const text = message.text.trim();
  if (text === "") return undefined;
  if (message.role === "assistant") return { role: "her", text, sender: { person: "", name: "" } } as const;
  const { senderId: person, senderName: name } = message;
  return { role: "person", text, sender: { person, name } } as const;
}
