import type { Kysely } from "kysely";
import { isOwnPlatform } from "../../../core/own-platforms.ts";
import type { Database } from "../../../store/schema/database.ts";
import { listActingAccounts } from "../../../store/queries/account-links.ts";
import type { NamedHuman } from "./read-texts.ts";

/**
 * The human who has this account, with all accounts that both sides linked in private. An account that was linked from
 * a group has the id of the human, too, but may belong to another person: it gives access to none of the others, nor
 * they to it.
 */
export async function findHuman(db: Kysely<Database>, account: string): Promise<NamedHuman> {
  const accounts = await listActingAccounts(db, account);
  const links = await db
    .selectFrom("account_links")
    .select(["account", "human"])
    .where("ended_at", "is", null)
    .where("human", "in", (of) =>
      of.selectFrom("account_links").select("human").where("account", "=", account).where("ended_at", "is", null),
    )
    .execute();
  const ids = [...new Set(links.map(({ human }) => human))];
  return links.every((link) => accounts.includes(link.account))
    ? { accounts, humans: ids }
    : { accounts, humans: [], shared: ids };
}

/**
 * Private chats that are theirs alone: those under their own id, and on platforms where a chat has a name (the command
 * line, the console), those in which only they have written.
 */
export async function listPrivateSessions(
  db: Kysely<Database>,
  accounts: readonly string[],
): Promise<readonly string[]> {
  const found = new Set<string>();
  for (const account of accounts) {
    const [platform = "", ...rest] = account.split(":");
    const user = rest.join(":");
    const own = [user, `private:${user}`, `direct:${user}`];
    const rows = await db
      .selectFrom("sessions")
      .select(["id", "chat"])
      .where("platform", "=", platform)
      .where("chat_kind", "=", "private")
      .$if(!isOwnPlatform(platform), (query) => query.where("chat", "in", own))
      .execute();
    for (const { id } of rows) if (!isOwnPlatform(platform) || (await isAlone(db, id, accounts))) found.add(id);
  }
  return [...found];
}

async function isAlone(db: Kysely<Database>, session: string, accounts: readonly string[]): Promise<boolean> {
  const rows = await db
    .selectFrom("messages")
    .select("content")
    .where("session", "=", session)
    .where("role", "=", "user")
    .execute();
  const senders = new Set(rows.map(({ content }) => (JSON.parse(content) as { readonly senderId: string }).senderId));
  return senders.size > 0 && [...senders].every((sender) => accounts.includes(sender));
}

/** Whether there is a chat of this platform besides these. */
export async function hasOtherChats(
  db: Kysely<Database>,
  platform: string,
  chats: readonly string[],
): Promise<boolean> {
  const rows = await db.selectFrom("sessions").select("id").where("platform", "=", platform).execute();
  return rows.some(({ id }) => !chats.includes(id));
}

/** Imported talk that they brought along and only they may read. */
export async function listOwnImports(db: Kysely<Database>, accounts: readonly string[]): Promise<readonly number[]> {
  const readers = (is: "in" | "not in") => db.selectFrom("log_readers").select("chat").where("person", is, accounts);
  const rows = await db
    .selectFrom("log_chats")
    .select("id")
    .where("kind", "=", "import")
    .where("id", "in", readers("in"))
    .where("id", "not in", readers("not in"))
    .execute();
  return rows.map(({ id }) => id);
}
