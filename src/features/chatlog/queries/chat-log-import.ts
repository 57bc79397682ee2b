import { readLogState } from "./log-state.ts";
import { sql, type Kysely } from "kysely";
import type { Database } from "../../../store/schema/database.ts";
import { isPostgres } from "../../../store/statements/is-postgres.ts";
import { placesOfSecond } from "./log-places.ts";

/** A message of the log that one of an import may be, too. */
export interface LogTwin {
  readonly saidAt: number;
  readonly person: string;
  readonly name: string;
  readonly text: string;
  readonly key: string;
}

const secondsAtOnce = 200;
/** Messages of one second; a person writes fewer. */
const maxTwins = 10_000;

/** The fields that distinguish imported chats: the platform's id, or else a name, and who may read them. */
export interface ImportedChat {
  readonly name: string;
  /** Its id on its platform; absent if unknown. */
  readonly origin?: string;
  /** The operator chose the name: it matches any chat of that name. */
  readonly isNamed?: true;
  readonly readers: readonly string[];
}

/**
 * The same imported chat with exactly these readers; one with other readers is another chat. Two of one name with
 * different ids are two. One from before ids were kept is taken by the first import that has its name.
 */
export async function findImportedChat(db: Kysely<Database>, wanted: ImportedChat): Promise<number | undefined> {
  const { isNamed, name, origin, readers } = wanted;
  const rows = await db
    .selectFrom("log_chats")
    .innerJoin("log_readers", "log_readers.chat", "log_chats.id")
    .select(["log_chats.id", "log_chats.origin", "log_readers.person"])
    .where("log_chats.kind", "=", "import")
    .where((where) =>
      origin === undefined
        ? where("log_chats.name", "=", name)
        : where.or([
            where("log_chats.origin", "=", origin),
            where.and([where("log_chats.origin", "is", null), where("log_chats.name", "=", name)]),
          ]),
    )
    .orderBy("log_chats.id")
    .execute();
  const people = new Set(readers);
  const chats = [...Map.groupBy(rows, ({ id }) => id)]
    .filter(([, known]) => known.length === people.size && known.every(({ person }) => people.has(person)))
    .map(([id, [first]]) => ({ id, origin: first?.origin ?? "" }));
  const same = chats.find((chat) => chat.origin === (origin ?? ""));
  const old = origin === undefined && isNamed !== true ? undefined : chats[0];
  return (same ?? old)?.id;
}

/** An imported chat takes the name of its newest import, and is known by its id from then on. */
export async function updateImportedChat(db: Kysely<Database>, chat: number, wanted: ImportedChat): Promise<void> {
  if (wanted.origin === undefined) return;
  await db.updateTable("log_chats").set({ name: wanted.name, origin: wanted.origin }).where("id", "=", chat).execute();
}

/**
 * The messages of a chat in these seconds (since 1970), oldest first. A message that was heard live has the time of its
 * arrival, so for those the seconds around count, too.
 */
export async function findLogTwins(
  db: Kysely<Database>,
  chat: number,
  seconds: readonly number[],
  around: { readonly before: number; readonly after: number },
): Promise<readonly LogTwin[]> {
  const spilled = await readLogState(db, "spilled");
  const [before, after] = [around.before, around.after + 1].map((count) => sql.lit(count));
  const found: LogTwin[] = [];
  for (let from = 0; from < seconds.length; from += secondsAtOnce) {
    // Always as many: one statement is prepared for all of them.
    const some = Array.from({ length: secondsAtOnce }, (_, at) => seconds[from + at] ?? -1);
    const list = sql.join(some.map((second) => sql`(${second})`));
    const at = sql`cast(seconds.at as bigint)`;
    const near = sql`m.chat = ${chat} and m.place >= (${at} - ${before}) * ${sql.lit(placesOfSecond)}
      and m.place < (${at} + ${after} + ${spilled}) * ${sql.lit(placesOfSecond)}
      and m.said_at >= (${at} - ${before}) * 1000 and m.said_at < (${at} + ${after}) * 1000
      and (m.key not like 'import:%' or (m.said_at >= ${at} * 1000 and m.said_at < (${at} + 1) * 1000))`;
    // One second after the other, by the index: SQLite takes the tables of a cross join in their order, Postgres would
    // rather read everything once.
    const messages = isPostgres(db)
      ? sql`lateral (select * from log_messages m where ${near} order by m.place limit ${sql.lit(maxTwins)}) m`
      : sql`log_messages m`;
    const { rows } = await sql<Omit<LogTwin, "saidAt"> & { readonly said_at: number }>`
      with seconds (at) as (values ${list})
      select m.said_at, s.person, s.name, m.text, m.key
      from seconds cross join ${messages} join log_senders s on s.id = m.sender
      ${isPostgres(db) ? sql`` : sql`where ${near}`}`.execute(db);
    for (const { said_at: saidAt, ...row } of rows) found.push({ saidAt, ...row });
  }
  return [...new Map(found.map((twin) => [twin.key, twin])).values()].toSorted((a, b) => a.saidAt - b.saidAt);
}

/** When she first said something there, milliseconds since 1970; undefined = never. */
export async function findHerFirstWords(db: Kysely<Database>, chat: number): Promise<number | undefined> {
  const row = await db
    .selectFrom("log_messages")
    .select("said_at")
    .where("chat", "=", chat)
    .where("role", "=", "her")
    .orderBy("place")
    .limit(1)
    .executeTakeFirst();
  return row?.said_at;
}
