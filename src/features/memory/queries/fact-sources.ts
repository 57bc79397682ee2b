import { sql, type Kysely } from "kysely";
import type { Taint } from "../../../core/conversation.ts";
import { compileOnce } from "../../../store/statements/compile-once.ts";
import type { Database } from "../../../store/schema/database.ts";

/** The speaker of messages, where they spoke, and to which persona. */
export interface FactSpeaker {
  readonly session: string;
  /** `<platform>:<user>` */
  readonly person: string;
  readonly persona: string;
}

/** A message that a model is yet to read for facts. */
export interface FactSource {
  /** Its number in the chat log. */
  readonly log: number;
  /** Their name at that time. */
  readonly name: string;
  readonly text: string;
  readonly taint: Taint;
  readonly saidAt: number;
}

interface Waiting {
  readonly waiting: number;
  readonly previous_at: number | null;
  readonly said_at: number;
}

const insertSource = compileOnce<Readonly<Record<"session" | "person" | "persona" | "key", string>>, Waiting>(
  (db, given) => ({
    compile: () => {
      const theirs = sql`from fact_sources w where w.session = ${given.session} and w.person = ${given.person}
        and w.persona = ${given.persona}`;
      return sql<Waiting>`insert into fact_sources (log, session, person, persona, said_at, waiting, previous_at)
        select m.id, ${given.session}, ${given.person}, ${given.persona}, m.said_at,
          1 + (select count(*) ${theirs}), (select max(w.said_at) ${theirs})
        from log_messages m join log_chats c on c.id = m.chat
        where c.session = ${given.session} and m.key = ${given.key}
        on conflict do nothing returning waiting, previous_at, said_at`.compile(db);
    },
  }),
);

/**
 * Queues a message for a model that reads it. One statement. Returns how many are waiting, and for how long none had
 * come; undefined if the chat log does not keep it.
 */
export async function noteFactSource(
  db: Kysely<Database>,
  speaker: FactSpeaker,
  messageId: string,
): Promise<{ readonly waiting: number; readonly quietMs: number } | undefined> {
  const { persona, person, session } = speaker;
  const [row] = await insertSource(db, { session, person, persona, key: messageId });
  if (row === undefined) return undefined;
  const { previous_at: before, said_at: saidAt, waiting } = row;
  return { waiting, quietMs: before === null ? 0 : saidAt - before };
}

/** The newest of a person's that wait and that the chat log still has, oldest first. */
export async function listFactSources(
  db: Kysely<Database>,
  { persona, person, session }: FactSpeaker,
  most: number,
): Promise<readonly FactSource[]> {
  const rows = await db
    .selectFrom("fact_sources")
    .innerJoin("log_messages", "log_messages.id", "fact_sources.log")
    .innerJoin("log_senders", "log_senders.id", "log_messages.sender")
    .select(["fact_sources.log", "log_senders.name", "log_messages.text", "log_messages.taint", "log_messages.said_at"])
    .where("fact_sources.session", "=", session)
    .where("fact_sources.person", "=", person)
    .where("fact_sources.persona", "=", persona)
    // Skip log numbers that belong to another sender by now, or to the sender's old account.
    .where("log_senders.person", "=", person)
    .where("log_messages.role", "=", "person")
    .orderBy("fact_sources.log", "desc")
    .limit(most)
    .execute();
  return rows
    .map(({ log, name, said_at: saidAt, taint, text }) => ({ log, name, text, taint: taint as Taint, saidAt }))
    .toReversed();
}

/** Takes these messages and all earlier ones off the queue. Returns those that were still waiting. */
export async function takeFactSources(
  db: Kysely<Database>,
  { persona, person, session }: FactSpeaker,
  upTo: number,
): Promise<ReadonlySet<number>> {
  const rows = await db
    .deleteFrom("fact_sources")
    .where("session", "=", session)
    .where("person", "=", person)
    .where("persona", "=", persona)
    .where("log", "<=", upTo)
    .returning("log")
    .execute();
  return new Set(rows.map(({ log }) => log));
}

/** Ends the reading of everything that these accounts have said so far. */
export async function dropFactSources(
  db: Kysely<Database>,
  { accounts, persona }: { readonly accounts: readonly string[]; readonly persona: string },
): Promise<void> {
  await db.deleteFrom("fact_sources").where("person", "in", accounts).where("persona", "=", persona).execute();
}

/** The contents of an account's memories of these messages. */
export async function listKnownOfSources(
  db: Kysely<Database>,
  { persona, person }: Pick<FactSpeaker, "person" | "persona">,
  logs: readonly number[],
): Promise<readonly { readonly log: number; readonly content: string }[]> {
  if (logs.length === 0) return [];
  const rows = await db
    .selectFrom("memories")
    .select(["source_log", "content"])
    .where("person", "=", person)
    .where("persona", "=", persona)
    .where("source_log", "in", logs)
    .execute();
  return rows.map(({ content, source_log: log }) => ({ log: log ?? 0, content }));
}
