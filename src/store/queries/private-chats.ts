import type { Kysely } from "kysely";
import type { Database } from "../schema/database.ts";

/** The chat where the person last wrote in private: questions for them are asked there. */
export async function savePrivateChat(db: Kysely<Database>, person: string, session: string): Promise<void> {
  await db
    .insertInto("private_chats")
    .values({ person, session })
    .onConflict((conflict) =>
      conflict.column("person").doUpdateSet({ session }).where("private_chats.session", "!=", session),
    )
    .execute();
}

export async function listPrivateChats(
  db: Kysely<Database>,
): Promise<readonly { readonly person: string; readonly session: string }[]> {
  return db.selectFrom("private_chats").selectAll().orderBy("person").execute();
}
