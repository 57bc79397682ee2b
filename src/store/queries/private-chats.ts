import type { Kysely } from "kysely";
import type { Database } from "../schema/database.ts";

/** Where somebody last wrote in private: questions for them are asked there. */
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

/** The one who last wrote in a private chat; undefined = nobody, or several accounts have written there. */
export async function findPrivatePerson(db: Kysely<Database>, session: string): Promise<string | undefined> {
  const rows = await db.selectFrom("private_chats").select("person").where("session", "=", session).limit(2).execute();
  return rows.length === 1 ? rows[0]?.person : undefined;
}
