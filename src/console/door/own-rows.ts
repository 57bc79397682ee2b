import type { Kysely } from "kysely";
import { listPrivateSessions } from "../../features/erase/queries/find-human.ts";
import { listActingAccounts } from "../../store/queries/account-links.ts";
import type { ConsoleLogin } from "../../store/queries/console-sessions.ts";
import type { Database } from "../../store/schema/database.ts";

/** The rows that a login may see and change. */
export type OwnRows =
  | { readonly kind: "all" }
  | {
      readonly kind: "own";
      /** All accounts of the person that were linked in private. */
      readonly accounts: readonly string[];
      /** Private conversations that are theirs alone. */
      readonly sessions: readonly string[];
    };

/** An owner has all of them, a member those of their own accounts. */
export async function findOwnRows(
  db: Kysely<Database>,
  { person, role }: Pick<ConsoleLogin, "person" | "role">,
): Promise<OwnRows> {
  if (role === "owner") return { kind: "all" };
  const accounts = await listActingAccounts(db, person);
  return { kind: "own", accounts, sessions: await listPrivateSessions(db, accounts) };
}

export const isOwnSession = (rows: OwnRows, session: string): boolean =>
  rows.kind === "all" || rows.sessions.includes(session);

export const isOwnAccount = (rows: OwnRows, account: string): boolean =>
  rows.kind === "all" || rows.accounts.includes(account);
