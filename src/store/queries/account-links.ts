import type { Kysely, Selectable } from "kysely";
import type { Database } from "../schema/database.ts";
import { rememberRows } from "../statements/remember-rows.ts";
import type { StoredRole } from "./people.ts";

export type AccountLink = Selectable<Database["account_links"]>;

/** Ended links are kept this long: two accounts stay one vote on what was asked before. */
const keptMs = 14 * 24 * 3_600_000;

const selectStanding = rememberRows((db, { account }: { readonly account: string }) =>
  db.selectNoFrom((of) => [
    of.selectFrom("people").select("role").where("id", "=", account).as("role"),
    of
      .selectFrom("account_links")
      .select("human")
      .where("account", "=", account)
      .where("ended_at", "is", null)
      .as("human"),
  ]),
);

/** The stored role of an account, and whose it is if it is one of several. */
export async function findStanding(
  db: Kysely<Database>,
  account: string,
): Promise<{ readonly role: StoredRole | undefined; readonly human: string | undefined }> {
  const [row] = await selectStanding(db, { account });
  return { role: (row?.role ?? undefined) as StoredRole | undefined, human: row?.human ?? undefined };
}

/** The accounts of a human now, with what is stored of each. */
export async function listLinkedRoles(
  db: Kysely<Database>,
  human: string,
): Promise<readonly { readonly account: string; readonly acts: number; readonly role: StoredRole | undefined }[]> {
  const rows = await db
    .selectFrom("account_links")
    .leftJoin("people", "people.id", "account_links.account")
    .select(["account_links.account", "account_links.acts", "people.role"])
    .where("account_links.human", "=", human)
    .where("account_links.ended_at", "is", null)
    .orderBy("account_links.account")
    .execute();
  return rows.map(({ role, ...row }) => ({ ...row, role: (role ?? undefined) as StoredRole | undefined }));
}

const selectLinksAround = rememberRows((db, { accounts }: { readonly accounts: readonly string[] }) =>
  db
    .selectFrom("account_links")
    .selectAll()
    .where("human", "in", (of) => of.selectFrom("account_links").select("human").where("account", "in", accounts))
    .orderBy("account"),
);

/** Every link, living or ended, of every human to whom one of these accounts ever belonged. */
export function listLinksAround(db: Kysely<Database>, accounts: readonly string[]): Promise<readonly AccountLink[]> {
  return selectLinksAround(db, { accounts });
}

const selectLinkedAccounts = rememberRows((db, { account }: { readonly account: string }) =>
  db
    .selectFrom("account_links")
    .select("account")
    .where("ended_at", "is", null)
    .where("human", "in", (of) =>
      of.selectFrom("account_links").select("human").where("account", "=", account).where("ended_at", "is", null),
    ),
);

/** The accounts that an account's human has now, itself among them; itself alone when it has no others. */
export async function listLinkedAccounts(db: Kysely<Database>, account: string): Promise<readonly string[]> {
  const rows = await selectLinkedAccounts(db, { account });
  return rows.length === 0 ? [account] : rows.map((row) => row.account);
}

const selectActingAccounts = rememberRows((db, { account }: { readonly account: string }) =>
  db
    .selectFrom("account_links")
    .select("account")
    .where("ended_at", "is", null)
    .where("acts", "=", 1)
    .where("human", "in", (of) =>
      of
        .selectFrom("account_links")
        .select("human")
        .where("account", "=", account)
        .where("ended_at", "is", null)
        .where("acts", "=", 1),
    )
    .orderBy("account"),
);

/**
 * The accounts that share what is private with this one, itself among them: only what was linked in private counts, on
 * both sides. An account that was linked from a group may have been talked out of its codes, or be another person's.
 */
export async function listActingAccounts(db: Kysely<Database>, account: string): Promise<readonly string[]> {
  const rows = await selectActingAccounts(db, { account });
  return rows.length === 0 ? [account] : rows.map((row) => row.account);
}

/** Every link that has not ended. */
export function listLiveLinks(db: Kysely<Database>): Promise<readonly AccountLink[]> {
  return db.selectFrom("account_links").selectAll().where("ended_at", "is", null).orderBy("linked_at").execute();
}

/** Linking the same account and human again renews the link. */
export async function saveLink(
  db: Kysely<Database>,
  link: { readonly account: string; readonly human: string; readonly acts: boolean; readonly now: number },
): Promise<void> {
  const acts = link.acts ? 1 : 0;
  await db
    .insertInto("account_links")
    .values({ account: link.account, human: link.human, acts, linked_at: link.now, ended_at: null })
    .onConflict((conflict) =>
      conflict.columns(["account", "human"]).doUpdateSet({ acts, linked_at: link.now, ended_at: null }),
    )
    .execute();
}

export async function endLinks(db: Kysely<Database>, accounts: readonly string[], now: number): Promise<void> {
  await db
    .deleteFrom("account_links")
    .where("ended_at", "<", now - keptMs)
    .execute();
  await db
    .updateTable("account_links")
    .set({ ended_at: now })
    .where("account", "in", accounts)
    .where("ended_at", "is", null)
    .execute();
}

/** The humans of those accounts that are linked. */
export async function findHumans(
  db: Kysely<Database>,
  accounts: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (accounts.length === 0) return new Map();
  const rows = await db
    .selectFrom("account_links")
    .select(["account", "human"])
    .where("ended_at", "is", null)
    .where("account", "in", accounts)
    .execute();
  return new Map(rows.map(({ account, human }) => [account, human]));
}
