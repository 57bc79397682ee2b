import type { Kysely } from "kysely";
import type { Database } from "../schema/database.ts";
import { rememberRows } from "../statements/remember-rows.ts";

export interface PersonSettings {
  /** Time zone as in Intl; null means the configured one. */
  readonly zone: string | null;
  /** Minutes of the day in their zone; null when there is none. */
  readonly quietFrom: number | null;
  readonly quietUntil: number | null;
}

const nothingSet: PersonSettings = { zone: null, quietFrom: null, quietUntil: null };

/** The newest settings among these accounts of one human (`listLinkedAccounts`). */
export async function findPersonSettings(db: Kysely<Database>, accounts: readonly string[]): Promise<PersonSettings> {
  const row = await db
    .selectFrom("person_settings")
    .selectAll()
    .where("person", "in", accounts)
    .orderBy("updated_at", "desc")
    .orderBy("person")
    .limit(1)
    .executeTakeFirst();
  return row ? { zone: row.zone, quietFrom: row.quiet_from, quietUntil: row.quiet_until } : nothingSet;
}

/** The given settings change; the rest keeps the values set last on any of the accounts. */
export async function savePersonSettings(
  db: Kysely<Database>,
  person: string,
  accounts: readonly string[],
  change: Partial<PersonSettings> & { readonly now: number },
): Promise<void> {
  const { now, ...given } = change;
  const { zone, quietFrom, quietUntil } = { ...(await findPersonSettings(db, accounts)), ...given };
  const row = { zone, quiet_from: quietFrom, quiet_until: quietUntil, updated_at: now };
  await db
    .insertInto("person_settings")
    .values({ person, ...row })
    .onConflict((conflict) => conflict.column("person").doUpdateSet(row))
    .execute();
}

const selectZone = rememberRows((db, { person }: { readonly person: string }) =>
  db
    .selectFrom("person_settings")
    .select("zone")
    .where((row) =>
      row.or([
        row("person", "=", person),
        row("person", "in", (of) =>
          of
            .selectFrom("account_links")
            .select("account")
            .where("ended_at", "is", null)
            .where("human", "in", (own) =>
              own
                .selectFrom("account_links")
                .select("human")
                .where("account", "=", person)
                .where("ended_at", "is", null),
            ),
        ),
      ]),
    )
    .orderBy("updated_at", "desc")
    .orderBy("person")
    .limit(1),
);

/** The time zone that a person has named on any of their accounts; null when there is none. */
export async function findPersonZone(db: Kysely<Database>, person: string): Promise<string | null> {
  return (await selectZone(db, { person }))[0]?.zone ?? null;
}
