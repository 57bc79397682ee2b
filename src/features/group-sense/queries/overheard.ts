import type { Kysely } from "kysely";
import type { Database } from "../../../store/schema/database.ts";

/**
 * Group talk that was not addressed to her: kept briefly, and not much of it. `most` = of one turn; `kept` = for
 * members who missed it.
 */
export const overheardLimits = { most: 30, kept: 100, ageMs: 6 * 3_600_000 } as const;

export interface Overheard {
  /** The platform's id. */
  readonly message: string;
  /** The name; `person` and `human` as of a message of the conversation. */
  readonly sender: string;
  readonly person?: string;
  readonly human?: string;
  readonly text: string;
  readonly saidAt: number;
}

/** Adds a message, and deletes all but the newest `most`, and those before `since`. */
export async function saveOverheard(
  db: Kysely<Database>,
  session: string,
  { human, message, person, sender, text, saidAt }: Overheard,
  keep: { readonly most: number; readonly since: number },
): Promise<void> {
  const row = { session, message, sender, text, said_at: saidAt, person: person ?? null, human: human ?? null };
  await db.insertInto("overheard").values(row).execute();
  const newest = db.selectFrom("overheard").select("seq").where("session", "=", session);
  await db
    .deleteFrom("overheard")
    .where("session", "=", session)
    .where((row) =>
      row.or([row("said_at", "<", keep.since), row("seq", "not in", newest.orderBy("seq", "desc").limit(keep.most))]),
    )
    .execute();
}

/** The talk since then, oldest first. */
export async function listOverheard(
  db: Kysely<Database>,
  session: string,
  since: number,
): Promise<readonly (Overheard & { readonly seq: number; readonly told: boolean })[]> {
  const rows = await db
    .selectFrom("overheard")
    .selectAll()
    .where("session", "=", session)
    .where("said_at", ">=", since)
    .orderBy("seq")
    .execute();
  return rows.map(({ human, message, person, said_at: saidAt, sender, seq, text, told }) => ({
    message,
    sender,
    text,
    saidAt,
    seq,
    told: told === 1,
    ...(person !== null && { person }),
    ...(human !== null && { human }),
  }));
}

/** The newest `most` that no turn was given yet, oldest first, with the number of the last. */
export async function listUntold(
  db: Kysely<Database>,
  session: string,
  { most, since }: { readonly most: number; readonly since: number },
): Promise<{ readonly heard: readonly Overheard[]; readonly upTo: number }> {
  const heard = (await listOverheard(db, session, since)).filter(({ told }) => !told).slice(-most);
  return { heard, upTo: heard.at(-1)?.seq ?? 0 };
}

/** Up to this number it was given to the model. */
export async function markTold(db: Kysely<Database>, session: string, upTo: number): Promise<void> {
  await db.updateTable("overheard").set({ told: 1 }).where("session", "=", session).where("seq", "<=", upTo).execute();
}

/** Deletes a message that its author withdrew. */
export async function forgetOverheard(db: Kysely<Database>, session: string, message: string): Promise<void> {
  await db.deleteFrom("overheard").where("session", "=", session).where("message", "=", message).execute();
}

/** Deletes messages that are not needed any more. */
export async function dropOverheard(db: Kysely<Database>, session: string): Promise<void> {
  await db.deleteFrom("overheard").where("session", "=", session).execute();
}
