import type { Kysely } from "kysely";
import type { Database } from "../schema/database.ts";

/** The owner of contents, and their session. */
interface ContentOwner {
  readonly session: string;
  readonly person: string;
}

/** Per person and session; the oldest go, and are nobody's then. A folder that is looked through has far less. */
export const maxKnownContents = 5_000;

/** Contents that are this person's own: made before anything foreign was read. One that is there already counts as new. */
export async function saveKnownContents(
  db: Kysely<Database>,
  { session, person }: ContentOwner,
  contents: readonly { readonly path: string; readonly sha256: string }[],
  now: number,
): Promise<void> {
  if (contents.length === 0) return;
  await db
    .insertInto("known_contents")
    .values(contents.map(({ path, sha256 }) => ({ session, person, path, sha256, created_at: now })))
    .onConflict((conflict) =>
      conflict.columns(["session", "person", "path", "sha256"]).doUpdateSet({ created_at: now }),
    )
    .execute();
  const oldest = await ofOwner(db, session, person)
    .select("created_at")
    .orderBy("created_at", "desc")
    .limit(1)
    .offset(maxKnownContents - 1)
    .executeTakeFirst();
  if (!oldest) return;
  await db
    .deleteFrom("known_contents")
    .where("session", "=", session)
    .where("person", "=", person)
    .where("created_at", "<", oldest.created_at)
    .execute();
}

const ofOwner = (db: Kysely<Database>, session: string, person: string) =>
  db.selectFrom("known_contents").where("session", "=", session).where("person", "=", person);

/** All of a person's in a session: the paths they were put at, and their digests. */
export async function listKnownContents(
  db: Kysely<Database>,
  session: string,
  person: string,
): Promise<{ readonly paths: ReadonlySet<string>; readonly digests: ReadonlySet<string> }> {
  const rows = await ofOwner(db, session, person).select(["path", "sha256"]).execute();
  return { paths: new Set(rows.map(({ path }) => path)), digests: new Set(rows.map(({ sha256 }) => sha256)) };
}
