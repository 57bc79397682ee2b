import type { Kysely } from "kysely";
import type { Database } from "../schema/database.ts";

/** A code that lets a person into the web console, at whichever process' page they enter it. */
interface ConsoleCode {
  readonly digest: string;
  readonly account: string;
  readonly role: "owner" | "member";
  readonly expiresAt: number;
}

/** Voids the account's code before, and removes all that are over. */
export async function insertConsoleCode(
  db: Kysely<Database>,
  { account, digest, role, expiresAt }: ConsoleCode,
  now: number,
): Promise<void> {
  const row = { digest, role, expires_at: expiresAt, wrong: 0 };
  await db.deleteFrom("console_codes").where("expires_at", "<=", now).execute();
  await db
    .insertInto("console_codes")
    .values({ account, ...row })
    .onConflict((conflict) => conflict.column("account").doUpdateSet(row))
    .execute();
}

/** Takes the code once: of two processes at the same moment only one gets it. It may be over. */
export async function takeConsoleCode(
  db: Kysely<Database>,
  digest: string,
  maxWrong: number,
): Promise<ConsoleCode | undefined> {
  const row = await db
    .deleteFrom("console_codes")
    .where("digest", "=", digest)
    .where("wrong", "<", maxWrong)
    .returningAll()
    .executeTakeFirst();
  return row && { digest, account: row.account, role: row.role as ConsoleCode["role"], expiresAt: row.expires_at };
}

/**
 * Counts a wrong code against each that is valid. After `maxWrong` of them, at whichever processes, a code is void.
 * Returns false when there was none to guess.
 */
export async function countWrongConsoleCode(
  db: Kysely<Database>,
  { maxWrong, now }: { readonly maxWrong: number; readonly now: number },
): Promise<boolean> {
  const rows = await db
    .updateTable("console_codes")
    .set((row) => ({ wrong: row("wrong", "+", 1) }))
    .where("expires_at", ">", now)
    .where("wrong", "<", maxWrong)
    .returning("account")
    .execute();
  return rows.length > 0;
}

export async function deleteConsoleCodes(db: Kysely<Database>): Promise<void> {
  await db.deleteFrom("console_codes").execute();
}
