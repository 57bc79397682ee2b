import type { Kysely } from "kysely";
import type { Taint } from "../../../core/conversation.ts";
import type { Database } from "../../../store/schema/database.ts";
import { rememberRows } from "../../../store/statements/remember-rows.ts";

interface ReactionPlace {
  readonly session: string;
  /** The platform's id of what she said. */
  readonly message: string;
  readonly person: string;
}

interface NotedReaction extends ReactionPlace {
  readonly told: string;
  readonly taint: Taint;
  readonly now: number;
}

/** In place of what the person made of the message before; all but the newest `most` of the session are dropped. */
export async function saveReaction(db: Kysely<Database>, noted: NotedReaction, most: number): Promise<void> {
  const { now, ...row } = noted;
  await forgetReaction(db, noted);
  await db
    .insertInto("reactions")
    .values({ ...row, noted_at: now })
    .execute();
  const newest = db.selectFrom("reactions").select("seq").where("session", "=", noted.session);
  await db
    .deleteFrom("reactions")
    .where("session", "=", noted.session)
    .where("seq", "not in", newest.orderBy("seq", "desc").limit(most))
    .execute();
}

/** Deletes a reaction that was taken away. */
export async function forgetReaction(db: Kysely<Database>, { session, message, person }: ReactionPlace): Promise<void> {
  await db
    .deleteFrom("reactions")
    .where("session", "=", session)
    .where("message", "=", message)
    .where("person", "=", person)
    .execute();
}

const selectOfSession = rememberRows((db, { session }: { readonly session: string }) =>
  db.selectFrom("reactions").select(["seq", "told", "taint", "noted_at"]).where("session", "=", session).orderBy("seq"),
);

/** Oldest first, with the number of the newest of them. */
export async function listReactions(
  db: Kysely<Database>,
  session: string,
  since: number,
): Promise<{
  readonly reactions: readonly { readonly told: string; readonly taint: Taint }[];
  readonly reactedUpTo: number;
}> {
  const rows = (await selectOfSession(db, { session })).filter((row) => row.noted_at >= since);
  const reactions = rows.map(({ told, taint }) => ({ told, taint: taint as Taint }));
  return { reactions, reactedUpTo: rows.at(-1)?.seq ?? 0 };
}

/** Deletes reactions up to this number: the model has seen them, or they are not wanted any more. */
export async function dropReactions(db: Kysely<Database>, session: string, upTo?: number): Promise<void> {
  const all = db.deleteFrom("reactions").where("session", "=", session);
  await (upTo === undefined ? all : all.where("seq", "<=", upTo)).execute();
}
