import type { Kysely } from "kysely";
import type { Database } from "../../../store/schema/database.ts";
import { appendMemoryEvents } from "../../memory/queries/memory-events.ts";
import { eraseMemories } from "../../memory/queries/write-memories.ts";

/** Her answers that are looked at for an echo. */
const maxAnswers = 50;
/** A shorter text occurs in answers by chance. */
const minEchoLength = 4;

/**
 * Deletes what depends on a message before its words are deleted: memories that were extracted from it, and if it is
 * withdrawn also those she kept of it by a tool. Memories that these had replaced become valid again. Her answers in
 * the log that hold all of its words verbatim are deleted, too. Call it before the message itself is changed or gone.
 */
export async function deleteDerivedData(
  db: Kysely<Database>,
  on: {
    readonly session: string;
    readonly message: string;
    readonly person?: string;
    /** The words in its place; absent = it was taken back. */
    readonly instead?: string;
    readonly now: number;
  },
): Promise<void> {
  const { instead, message, now, person, session } = on;
  const said = await db
    .selectFrom("log_messages as m")
    .innerJoin("log_chats as c", "c.id", "m.chat")
    .innerJoin("log_senders as s", "s.id", "m.sender")
    .select(["m.id", "m.chat", "m.place", "m.text", "s.person"])
    .where("c.session", "=", session)
    .where("m.key", "=", message)
    .where("m.role", "=", "person")
    .executeTakeFirst();
  if (said === undefined || (person !== undefined && said.person !== person)) return;
  // Platforms also report edits that change no word.
  if (said.text.trim() === instead?.trim()) return;
  const taken = await db
    .selectFrom("memories")
    .select(["id", "person"])
    .where("source_log", "=", said.id)
    .where("person", "=", said.person)
    .where("origin", "in", instead === undefined ? ["said", "extracted", "tool"] : ["said", "extracted"])
    .where("state", "!=", "forgotten")
    .execute();
  for (const { id, person: by } of taken) {
    const after = await db
      .selectFrom("memories")
      .select(["superseded_by", "invalid_at"])
      .where("id", "=", id)
      .executeTakeFirst();
    const later = after?.superseded_by ?? null;
    await db
      .updateTable("memories")
      .set({ superseded_by: later, invalid_at: after?.invalid_at ?? null, ...(later === null && { state: "active" }) })
      .where("superseded_by", "=", id)
      .where("state", "=", "superseded")
      .execute();
    await eraseMemories(db, [id]);
    await appendMemoryEvents(db, [{ memory: id, kind: "forgotten", person: by, other: null, at: now }]);
  }
  const echo = said.text.trim();
  if (echo.length < minEchoLength) return;
  const answers = await db
    .selectFrom("log_messages")
    .select(["id", "text"])
    .where("chat", "=", said.chat)
    .where("place", ">", said.place)
    .where("role", "=", "her")
    .orderBy("place")
    .limit(maxAnswers)
    .execute();
  const echoes = answers.filter(({ text }) => text.includes(echo)).map(({ id }) => id);
  if (echoes.length > 0) await db.deleteFrom("log_messages").where("id", "in", echoes).execute();
}
