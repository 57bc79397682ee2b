import type { Kysely } from "kysely";
import type { Database } from "../schema/database.ts";

/** The kinds of codes that people enter. Wrong ones of each kind are counted separately. */
type CodeKind = "pairing" | "link";

/** One of the tries that a person has within an hour. */
interface CodeTry {
  readonly person: string;
  readonly kind: CodeKind;
  readonly slot: number;
}

const maxTries = 5;
const hourMs = 3_600_000;
const allSlots = Array.from({ length: maxTries }, (_, index) => index + 1);

/**
 * Takes one of the person's tries; call it before the code is compared, in the same transaction. On Postgres a
 * simultaneous try of the same person waits at the row until that transaction ends, so the limit holds over all
 * processes. Returns undefined when no try is left in this hour.
 */
export async function takeTry(
  db: Kysely<Database>,
  { person, kind, now }: Pick<CodeTry, "person" | "kind"> & { readonly now: number },
): Promise<CodeTry | undefined> {
  for (const slot of await listFreeSlots(db, person, kind, now)) {
    const row = await db
      .insertInto("wrong_codes")
      .values({ person, kind, slot, at: now })
      .onConflict((conflict) =>
        conflict
          .columns(["person", "kind", "slot"])
          .doUpdateSet({ at: now })
          .where("wrong_codes.at", "<=", now - hourMs),
      )
      .returning("slot")
      .executeTakeFirst();
    if (row) return { person, kind, slot };
  }
  return undefined;
}

/** The code was right, so the try does not count. */
export async function giveTryBack(db: Kysely<Database>, { person, kind, slot }: CodeTry): Promise<void> {
  await db
    .deleteFrom("wrong_codes")
    .where("person", "=", person)
    .where("kind", "=", kind)
    .where("slot", "=", slot)
    .execute();
}

async function listFreeSlots(
  db: Kysely<Database>,
  person: string,
  kind: CodeKind,
  now: number,
): Promise<readonly number[]> {
  const rows = await db
    .selectFrom("wrong_codes")
    .select("slot")
    .where("person", "=", person)
    .where("kind", "=", kind)
    .where("at", ">", now - hourMs)
    .execute();
  return allSlots.filter((slot) => !rows.some((row) => row.slot === slot));
}
