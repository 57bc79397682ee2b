import { sql, type Kysely, type Selectable } from "kysely";
import { compileOnce } from "../../../store/statements/compile-once.ts";
import { rememberRows } from "../../../store/statements/remember-rows.ts";
import type { Database } from "../../../store/schema/database.ts";
import { toVector } from "./log-words.ts";
import { appendToLog, cutLogText, ensureLogSender, waitForLog, type LogEntry } from "./append-to-log.ts";
import { isPostgres } from "../../../store/statements/is-postgres.ts";
import { placesOfSecond, toSecond } from "./log-places.ts";
import { createFullSeconds, type FullSeconds } from "./full-seconds.ts";
import { noteSpilled } from "./log-state.ts";
import { addLogReader } from "./log-readers.ts";

/** A message in a chat of hers. A person who says something may read that chat from then on. */
export interface SaidInChat extends Omit<LogEntry, "chat"> {
  readonly session: string;
}

type Row = Pick<Selectable<Database["log_messages"]>, "id" | "place">;
type Given = Readonly<Record<"session" | "person" | "name" | "role" | "text" | "taint" | "key" | "words", string>> & {
  readonly first: number;
  readonly message: number | null;
  readonly saidAt: number;
};

/** The next place of the second of `first`; no row when it has none left. */
const nextPlace = {
  sqlite: (first: number) => sql`(select coalesce(max(place) + 1, ${first}) as place from log_messages
    where place >= ${first} and place < ${first} + ${sql.lit(placesOfSecond)}) free`,
  // One that no open transaction is about to take: two that wanted the same one would wait for each other's commit.
  postgres: (first: number) => sql`(select place from generate_series(
      coalesce((select max(place) + 1 from log_messages where place >= cast(${first} as bigint)
        and place < cast(${first} as bigint) + ${sql.lit(placesOfSecond)}), cast(${first} as bigint)),
      cast(${first} as bigint) + ${sql.lit(placesOfSecond - 1)}) as next (place)
    where pg_try_advisory_xact_lock(place) limit 1) free`,
};

/** One statement for the common case: chat, reader and sender are known, and the second of `first` has a place left. */
function insertSaid({ engine, reads }: { readonly engine: keyof typeof nextPlace; readonly reads: boolean }) {
  const vector = engine === "postgres";
  return compileOnce<Given, Row>((db, given) => ({
    compile: () =>
      sql<Row>`insert into log_messages
        (place, chat, sender, role, text, taint, key, message, said_at${vector ? sql`, words` : sql``})
        select free.place, c.id, s.id, ${given.role}, ${given.text}, ${given.taint}, ${given.key},
          cast(${given.message} as bigint), cast(${given.saidAt} as bigint)
          ${vector ? sql`, cast(${given.words} as tsvector)` : sql``}
        from log_chats c join log_senders s on s.person = ${given.person} and s.name = ${given.name}
        ${reads ? sql`join log_readers r on r.chat = c.id and r.person = ${given.person} and r.left_at is null` : sql``}
        cross join ${nextPlace[engine](given.first)}
        where c.session = ${given.session} and free.place < cast(${given.first} as bigint) + ${sql.lit(placesOfSecond)}
        on conflict do nothing returning id, place`.compile(db),
  }));
}

const statements = {
  sqlite: {
    person: insertSaid({ engine: "sqlite", reads: true }),
    her: insertSaid({ engine: "sqlite", reads: false }),
  },
  postgres: {
    person: insertSaid({ engine: "postgres", reads: true }),
    her: insertSaid({ engine: "postgres", reads: false }),
  },
};

const spilledStep = 8;
const stores = new WeakMap<object, FullSeconds>();

function fullSecondsOf(db: Kysely<Database>): FullSeconds {
  const { adapter } = db.getExecutor();
  const full = stores.get(adapter) ?? createFullSeconds();
  stores.set(adapter, full);
  return full;
}

/** Adds it, once. In the transaction that stores it otherwise. */
export async function logSaid(db: Kysely<Database>, said: SaidInChat): Promise<void> {
  const { key, message, role, saidAt, sender, session, taint } = said;
  const text = cutLogText(said.text);
  const isVector = isPostgres(db);
  const insert = statements[isVector ? "postgres" : "sqlite"][role];
  const full = fullSecondsOf(db);
  const second = full.choose(toSecond(saidAt));
  const first = second * placesOfSecond;
  const words = isVector ? toVector(text) : "";
  const row = { first, session, role, text, taint, key, saidAt, words, message: message ?? null };
  const { name, person } = sender;
  const add = async (): Promise<boolean> => {
    const [added] = await insert(db, { ...row, name, person });
    if (!added) return false;
    full.note(added.place);
    // In steps, so that a long burst does not write it down with each second.
    await noteSpilled(db, Math.ceil((second - toSecond(saidAt)) / spilledStep) * spilledStep);
    return true;
  };
  if (await add()) return;
  await waitForLog(db);
  const chat = await ensureLogChat(db, session, saidAt);
  if (chat === undefined) return;
  if (role === "person") await addLogReader(db, chat, person, saidAt);
  await ensureLogSender(db, person, name);
  if (await add()) return;
  await appendToLog(db, [{ ...said, chat }], full.note);
}

/** These messages of a chat only asked the log, answered out of it, or are receipts of hers. */
export async function markLogQuestions(db: Kysely<Database>, session: string, keys: readonly string[]): Promise<void> {
  await db
    .updateTable("log_messages")
    .set({ asks: 1 })
    .where("chat", "=", db.selectFrom("log_chats").select("id").where("session", "=", session))
    .where("key", "in", keys)
    .execute();
}

const selectName = rememberRows((db, { session }: { readonly session: string }) =>
  db.selectFrom("log_chats").select("name").where("session", "=", session),
);

/** Stores the name of a live chat as its platform reports it. */
export async function nameLogChat(db: Kysely<Database>, session: string, name: string): Promise<void> {
  const [known] = await selectName(db, { session });
  if (known?.name === name) return;
  await db.updateTable("log_chats").set({ name }).where("session", "=", session).execute();
}

/** Returns undefined if there is no such session. */
export async function ensureLogChat(db: Kysely<Database>, session: string, now: number): Promise<number | undefined> {
  const query = db.selectFrom("log_chats").select("id").where("session", "=", session);
  const found = await query.executeTakeFirst();
  if (found) return found.id;
  await db
    .insertInto("log_chats")
    .columns(["session", "name", "kind", "created_at"])
    .expression((row) =>
      row
        .selectFrom("sessions")
        .select(["id", sql.lit("").as("name"), "chat_kind", sql<number>`cast(${now} as bigint)`.as("created_at")])
        .where("id", "=", session),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return (await query.executeTakeFirst())?.id;
}
