import { sql, type Kysely } from "kysely";
import { rememberRows } from "../../../store/statements/remember-rows.ts";
import type { Database } from "../../../store/schema/database.ts";

export interface Preference {
  readonly key: string;
  readonly origin: "said" | "added" | "learned";
  /** The words; of an option its value; of a tool empty. */
  readonly text: string;
  readonly kept: number;
  readonly refused: number;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** All that is stored of a person, oldest first: also what was not seen often enough to be shown. */
const selectOfPerson = rememberRows((db, { person }: { readonly person: string }) =>
  db.selectFrom("preferences").selectAll().where("person", "=", person).orderBy("created_at").orderBy("key"),
);

export async function listPreferences(db: Kysely<Database>, person: string): Promise<readonly Preference[]> {
  const rows = await selectOfPerson(db, { person });
  return rows.map(({ key, origin, text, kept, refused, created_at, updated_at }) => ({
    key,
    origin: origin as Preference["origin"],
    text,
    kept,
    refused,
    createdAt: created_at,
    updatedAt: updated_at,
  }));
}

/** A note in words; older ones on the same subject are replaced. */
export async function savePreference(
  db: Kysely<Database>,
  note: {
    readonly person: string;
    readonly key: string;
    readonly origin: "said" | "added";
    readonly text: string;
    readonly now: number;
    /** The time of the note that it replaces. */
    readonly createdAt?: number;
  },
): Promise<void> {
  const { person, key, origin, text, now, createdAt = now } = note;
  const changed = { origin, text, updated_at: now };
  await db
    .insertInto("preferences")
    .values({ person, key, kept: 0, refused: 0, created_at: createdAt, ...changed })
    .onConflict((conflict) => conflict.columns(["person", "key"]).doUpdateSet(changed))
    .execute();
}

/**
 * Counts what a person did. An approval ends a row of rejections, another value the row of the one before. True if it is
 * the first of its key.
 */
export async function countPreference(
  db: Kysely<Database>,
  seen: {
    readonly person: string;
    readonly key: string;
    readonly text: string;
    readonly kept: boolean;
    /** How often it counts; once if left out. */
    readonly times?: number;
    readonly now: number;
  },
): Promise<boolean> {
  const { person, key, text, kept, times = 1, now } = seen;
  const first = { kept: kept ? times : 0, refused: kept ? 0 : times };
  // Bare, as integers: Postgres would take a parameter in both places for a text.
  const more = sql.lit(times);
  const row = (column: "kept" | "refused") =>
    sql<number>`case when preferences.text = ${text} then preferences.${sql.ref(column)} + ${more} else ${more} end`;
  const { created_at } = await db
    .insertInto("preferences")
    .values({ person, key, origin: "learned", text, ...first, created_at: now, updated_at: now })
    .onConflict((conflict) =>
      conflict.columns(["person", "key"]).doUpdateSet({
        text,
        kept: kept ? row("kept") : 0,
        refused: kept ? 0 : row("refused"),
        updated_at: now,
      }),
    )
    .returning("created_at")
    .executeTakeFirstOrThrow();
  return created_at === now;
}

export async function deletePreferences(db: Kysely<Database>, person: string, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  await db.deleteFrom("preferences").where("person", "=", person).where("key", "in", keys).execute();
}
