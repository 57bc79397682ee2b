import { sql, type Kysely } from "kysely";
import type { Database } from "../../../store/schema/database.ts";
import { logColumns, readLogRows, type LogChat, type LogMessage } from "./chat-log.ts";

export interface LogSender {
  readonly id: number;
  /** `<platform>:<platform's user id>`; "" = not known, or hers. */
  readonly person: string;
  readonly name: string;
  /** Shared by all their accounts; absent = they have only this one. */
  readonly human?: string;
}

/** The senders of all messages in these chats. */
export async function listLogSenders(db: Kysely<Database>, chats: readonly number[]): Promise<readonly LogSender[]> {
  if (chats.length === 0) return [];
  const rows = await db
    .selectFrom("log_senders")
    .leftJoin("account_links", (join) =>
      join.onRef("account_links.account", "=", "log_senders.person").on("account_links.ended_at", "is", null),
    )
    .select(["log_senders.id", "log_senders.person", "log_senders.name", "account_links.human"])
    .where((of) =>
      of.exists(
        of
          .selectFrom("log_messages")
          .select(sql`1`.as("one"))
          .whereRef("log_messages.sender", "=", "log_senders.id")
          .where("log_messages.chat", "in", chats),
      ),
    )
    .orderBy("log_senders.id")
    .execute();
  return rows.map(({ human, ...row }) => ({ ...row, ...(human !== null && { human }) }));
}

/** Counts the messages of these senders in these chats, and finds the first and last time. */
export async function measureLog(
  db: Kysely<Database>,
  { chats, senders }: { readonly chats: readonly number[]; readonly senders: readonly number[] },
): Promise<{ readonly bySender: ReadonlyMap<number, number>; readonly from?: number; readonly to?: number }> {
  if (chats.length === 0 || senders.length === 0) return { bySender: new Map() };
  const rows = await db
    .selectFrom("log_messages")
    .select(["sender", (of) => of.fn.countAll<number | string>().as("count")])
    .where("sender", "in", senders)
    .where("chat", "in", chats)
    .groupBy("sender")
    .execute();
  let from: number | undefined;
  let to: number | undefined;
  for (const chat of chats) {
    const [first, last] = [await readEdge(db, chat, "asc"), await readEdge(db, chat, "desc")];
    if (first !== undefined) from = Math.min(first, from ?? first);
    if (last !== undefined) to = Math.max(last, to ?? last);
  }
  return {
    bySender: new Map(rows.map(({ count, sender }) => [sender, Number(count)])),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
  };
}

async function readEdge(db: Kysely<Database>, chat: number, direction: "asc" | "desc"): Promise<number | undefined> {
  const row = await db
    .selectFrom("log_messages")
    .select("said_at")
    .where("chat", "=", chat)
    .orderBy("place", direction)
    .limit(1)
    .executeTakeFirst();
  return row?.said_at;
}

/** The newest messages of these senders, newest first. Read along the index of each sender in each chat. */
export async function listMessagesOf(
  db: Kysely<Database>,
  asked: {
    readonly chats: readonly number[];
    readonly senders: readonly number[];
    readonly limit: number;
    /** Said then or earlier. */
    readonly to: number;
  },
): Promise<readonly LogMessage[]> {
  const { chats, limit, senders, to } = asked;
  if (chats.length === 0 || senders.length === 0) return [];
  const pairs = await db
    .selectFrom("log_messages")
    .select(["sender", "chat"])
    .distinct()
    .where("sender", "in", senders)
    .where("chat", "in", chats)
    .execute();
  const found: LogMessage[] = [];
  for (const { chat, sender } of pairs)
    found.push(
      ...(await readLogRows(
        db,
        sql`select ${logColumns} from log_messages m join log_senders s on s.id = m.sender
          where m.sender = ${sender} and m.chat = ${chat} and m.said_at <= ${to}
            and not (m.asks = 1 and m.role = 'her') order by m.place desc limit ${limit}`,
      )),
    );
  return found.toSorted((a, b) => b.place - a.place).slice(0, limit);
}

/** The chats themselves, for those who may read them. */
export async function readLogChats(db: Kysely<Database>, chats: readonly number[]): Promise<readonly LogChat[]> {
  return chats.length === 0 ? [] : selectChats(db, chats);
}

/** Every chat of the log, for the owner of the data folder. */
export async function listAllLogChats(db: Kysely<Database>): Promise<readonly LogChat[]> {
  return selectChats(db);
}

async function selectChats(db: Kysely<Database>, chats?: readonly number[]): Promise<readonly LogChat[]> {
  const rows = await db
    .selectFrom("log_chats")
    .select(["id", "kind", "name", "session"])
    .$if(chats !== undefined, (query) => query.where("id", "in", chats ?? []))
    .orderBy("id")
    .execute();
  return rows.map((row) => ({ ...row, kind: row.kind as LogChat["kind"] }));
}

/** The platform's ids of messages, by their numbers. */
export async function readLogKeys(db: Kysely<Database>, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db.selectFrom("log_messages").select(["id", "key"]).where("id", "in", ids).execute();
  return new Map(rows.map(({ id, key }) => [id, key]));
}
