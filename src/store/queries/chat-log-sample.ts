import { sql, type Kysely } from "kysely";
import type { Database } from "../schema/database.ts";
import { logColumns, readLogRows, type LogMessage } from "./chat-log.ts";

/** Stretches that the older half of a sample is taken from. */
const stretches = 40;

/**
 * At most so many messages of these chats: the newest, as the one half, and some of every stretch of the time before, as the
 * other. The cost is that of so many rows, however much there is.
 */
export async function sampleLog(
  db: Kysely<Database>,
  chats: readonly number[],
  most: number,
): Promise<readonly LogMessage[]> {
  if (chats.length === 0) return [];
  const newest = await readBefore(db, chats, Number.MAX_SAFE_INTEGER, most + 1);
  if (newest.length <= most) return newest;
  const half = newest.slice(0, Math.ceil(most / 2));
  const upTo = half.at(-1)?.place ?? 0;
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
    const found = await readBefore(db, chats, start, Math.floor((most - half.length) / stretches));
    older.push(...found);
    before = found.at(-1)?.place ?? before;
  }
  return [...half, ...older];
}

/** Chat by chat, so that each is read along its own index. */
async function readBefore(
  db: Kysely<Database>,
  chats: readonly number[],
  before: number,
  most: number,
): Promise<readonly LogMessage[]> {
  const found: LogMessage[] = [];
  for (const chat of chats)
    found.push(
      ...(await readLogRows(
        db,
        sql`select ${logColumns} from log_messages m join log_senders s on s.id = m.sender
          where m.chat = ${chat} and m.place < ${before} order by m.place desc limit ${most}`,
      )),
    );
  return found.toSorted((a, b) => b.place - a.place).slice(0, most);
}
