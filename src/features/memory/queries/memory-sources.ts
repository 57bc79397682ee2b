import type { Kysely } from "kysely";
import type { Database } from "../../../store/schema/database.ts";

/** The message that a memory is from, as the chat log has it. */
export interface MemorySource {
  /** Its number in the chat log. */
  readonly log: number;
  /** The session it was said in; null = imported. */
  readonly session: string | null;
  /** `<platform>:<user>` */
  readonly person: string;
  readonly name: string;
  readonly text: string;
  /** Milliseconds since 1970. */
  readonly saidAt: number;
}

/** The number in the chat log of the message that began a turn; undefined if it is not kept there. */
export async function findTurnSource(db: Kysely<Database>, turn: string): Promise<number | undefined> {
  const row = await db
    .selectFrom("turns")
    .innerJoin("inbox", "inbox.id", "turns.inbox")
    .select(["turns.session", "inbox.payload"])
    .where("turns.id", "=", turn)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { messageId } = JSON.parse(row.payload) as { readonly messageId?: string };
  return messageId === undefined ? undefined : findSaidSource(db, row.session, messageId);
}

/** The number of a message by its id on the platform. */
export async function findSaidSource(
  db: Kysely<Database>,
  session: string,
  messageId: string,
): Promise<number | undefined> {
  const row = await db
    .selectFrom("log_messages")
    .innerJoin("log_chats", "log_chats.id", "log_messages.chat")
    .select("log_messages.id")
    .where("log_chats.session", "=", session)
    .where("log_messages.key", "=", messageId)
    .executeTakeFirst();
  return row?.id;
}

/** Returns the numbers that are still in the chat log. */
export async function readSources(
  db: Kysely<Database>,
  numbers: readonly number[],
): Promise<ReadonlyMap<number, MemorySource>> {
  if (numbers.length === 0) return new Map();
  const rows = await db
    .selectFrom("log_messages")
    .innerJoin("log_senders", "log_senders.id", "log_messages.sender")
    .innerJoin("log_chats", "log_chats.id", "log_messages.chat")
    .select([
      "log_messages.id",
      "log_chats.session",
      "log_senders.person",
      "log_senders.name",
      "log_messages.text",
      "log_messages.said_at",
    ])
    .where("log_messages.id", "in", numbers)
    .execute();
  return new Map(
    rows.map(({ id, name, person, said_at: saidAt, session, text }) => [
      id,
      { log: id, session, person, name, text, saidAt },
    ]),
  );
}
