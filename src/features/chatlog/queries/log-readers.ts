import { sql, type Kysely } from "kysely";
import type { Database } from "../../../store/schema/database.ts";

/** The person may read the chat from now on. One who left reads again by what they said later, at `saidAt`. */
export async function addLogReader(db: Kysely<Database>, chat: number, person: string, saidAt?: number): Promise<void> {
  await db
    .insertInto("log_readers")
    .values({ chat, person, left_at: null })
    .onConflict((conflict) =>
      saidAt === undefined
        ? conflict.doNothing()
        : conflict.columns(["chat", "person"]).doUpdateSet({ left_at: null }).where("log_readers.left_at", "<", saidAt),
    )
    .execute();
}

/**
 * The person left the group with all its topics. A row is made even while a message still waits to be heard: it may be
 * theirs, and people do not become readers by what they said before they left.
 */
export async function endLogReading(
  db: Kysely<Database>,
  left: { readonly platform: string; readonly account: string; readonly chat: string; readonly person: string },
  leftAt: number,
): Promise<void> {
  const { account, chat, person, platform } = left;
  await sql`insert into log_readers (chat, person, left_at)
    select c.id, ${person}, cast(${leftAt} as bigint) from log_chats c join sessions s on s.id = c.session
    where s.platform = ${platform} and s.account = ${account} and s.chat = ${chat} and s.chat_kind = 'group'
      and (exists (select 1 from log_readers r where r.chat = c.id and r.person = ${person})
        or exists (select 1 from inbox i where i.session = s.id and i.kind = 'message'
          and i.state in ('received', 'queued', 'running', 'kept')))
    on conflict (chat, person) do update set left_at = excluded.left_at
      where log_readers.left_at is null or log_readers.left_at < excluded.left_at`.execute(db);
}
