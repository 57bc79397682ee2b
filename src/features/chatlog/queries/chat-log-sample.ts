import { setImmediate } from "node:timers/promises";
import { sql, type Kysely } from "kysely";
import type { Database } from "../../../store/schema/database.ts";
import { logColumns, readLogRows, type LogMessage } from "./chat-log.ts";

/** Stretches that the older half of a sample is taken from. */
const stretches = 40;
const page = 400;

/**
 * At most `limit` messages of these chats: one half the newest, the other from every stretch of the time before. The
 * cost is that of reading these rows, however large the log is.
 */
export async function sampleLog(
  db: Kysely<Database>,
  chats: readonly number[],
  limit: number,
): Promise<{ readonly messages: readonly LogMessage[]; readonly total: number }> {
  const total = await countTalk(db, chats);
  if (total <= limit) return { messages: await readPages(db, chats, total), total };
  const newest = await readPages(db, chats, Math.ceil(limit / 2));
  const upTo = newest.at(-1)?.place ?? 0;
  const edge = await db
    .selectFrom("log_messages")
    .select("place")
    .where("chat", "in", chats)
    .orderBy("place")
    .limit(1)
    .executeTakeFirst();
  const from = edge?.place ?? upTo;
  const older: LogMessage[] = [];
  let before = upTo;
  for (let at = stretches; at > 0; at -= 1) {
    const start = Math.min(before, from + Math.ceil(((upTo - from) * at) / stretches));
    const found = await readBefore(db, chats, start, Math.floor((limit - newest.length) / stretches));
    older.push(...found);
    before = found.at(-1)?.place ?? before;
    await setImmediate();
  }
  return { messages: [...newest, ...older], total };
}

/** Neither questions to the log nor her answers to them and her receipts. */
async function countTalk(db: Kysely<Database>, chats: readonly number[]): Promise<number> {
  if (chats.length === 0) return 0;
  const { count } = await db
    .selectFrom("log_messages")
    .select(({ fn }) => fn.countAll<number | string>().as("count"))
    .where("chat", "in", chats)
    .where("asks", "=", 0)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** The newest of them; others have their turn after each page. */
async function readPages(
  db: Kysely<Database>,
  chats: readonly number[],
  limit: number,
): Promise<readonly LogMessage[]> {
  const found: LogMessage[] = [];
  while (found.length < limit) {
    const before = found.at(-1)?.place ?? Number.MAX_SAFE_INTEGER;
    const some = await readBefore(db, chats, before, Math.min(page, limit - found.length));
    if (some.length === 0) break;
    found.push(...some);
    await setImmediate();
  }
  return found;
}

/** Chat by chat, so that each is read along its own index. */
async function readBefore(
  db: Kysely<Database>,
  chats: readonly number[],
  before: number,
  limit: number,
): Promise<readonly LogMessage[]> {
  const found: LogMessage[] = [];
  for (const chat of chats)
    found.push(
      ...(await readLogRows(
        db,
        sql`select ${logColumns} from log_messages m join log_senders s on s.id = m.sender
          where m.chat = ${chat} and m.place < ${before} and m.asks = 0 order by m.place desc limit ${limit}`,
      )),
    );
  return found.toSorted((a, b) => b.place - a.place).slice(0, limit);
}
