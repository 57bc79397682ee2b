import type { Kysely } from "kysely";
import { listLinkedAccounts } from "../../../../store/queries/account-links.ts";
import { listReminders, type Reminder } from "../../queries/reminders.ts";
import type { Database } from "../../../../store/schema/database.ts";

/** The pending reminders of all accounts of a person, the next first; with `session` only what was set there. */
export async function listOwnReminders(
  db: Kysely<Database>,
  person: string,
  session: string | undefined,
): Promise<readonly Reminder[]> {
  const all = await listReminders(db, await listLinkedAccounts(db, person));
  return session === undefined ? all : all.filter((reminder) => reminder.session === session);
}
