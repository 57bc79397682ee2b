import type { Kysely } from "kysely";
import type { Database } from "../schema/database.ts";

export interface Overheard {
  /** The platform's id. */
  readonly message: string;
  readonly sender: string;
  readonly text: string;
  readonly saidAt: number;
}

/** Adds what was said, and drops all but the newest `most`, and what was said before `since`. */
export async function saveOverheard(
  db: Kysely<Database>,
  session: string,
  { message, sender, text, saidAt }: Overheard,
  keep: { readonly most: number; readonly since: number },
): Promise<void> {
  await db.insertInto("overheard").values({ session, message, sender, text, said_at: saidAt }).execute();
  const newest = db.selectFrom("overheard").select("seq").where("session", "=", session);
  await db
    .deleteFrom("overheard")
    .where("session", "=", session)
    .where((row) =>
      row.or([row("said_at", "<", keep.since), row("seq", "not in", newest.orderBy("seq", "desc").limit(keep.most))]),
    )
    .execute();
}

/** Oldest first, with the number of the newest of them. */
export async function listOverheard(
  db: Kysely<Database>,
  session: string,
  since: number,
): Promise<{ readonly heard: readonly Overheard[]; readonly upTo: number }> {
  const rows = await db
    .selectFrom("overheard")
    .selectAll()
    .where("session", "=", session)
    .where("said_at", ">=", since)
    .orderBy("seq")
    .execute();
  const heard = rows.map(({ message, sender, text, said_at: saidAt }) => ({ message, sender, text, saidAt }));
  return { heard, upTo: rows.at(-1)?.seq ?? 0 };
}

/** It was taken back where it was said. */
export async function forgetOverheard(db: Kysely<Database>, session: string, message: string): Promise<void> {
  await db.deleteFrom("overheard").where("session", "=", session).where("message", "=", message).execute();
}

/** Up to this number it was given to the model, or is not wanted any more. */
export async function dropOverheard(db: Kysely<Database>, session: string, upTo?: number): Promise<void> {
  const all = db.deleteFrom("overheard").where("session", "=", session);
  await (upTo === undefined ? all : all.where("seq", "<=", upTo)).execute();
}
