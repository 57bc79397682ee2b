import type { Kysely } from "kysely";
import type { Database } from "../schema/database.ts";

/** A content of a session's workspace that is this person's own: they sent it, or had it written before anything foreign was read. */
interface KnownContent {
  readonly session: string;
  readonly person: string;
  readonly path: string;
  /** Hexadecimal. */
  readonly sha256: string;
}

export async function saveKnownContent(db: Kysely<Database>, content: KnownContent, now: number): Promise<void> {
  await db
    .insertInto("known_contents")
    .values({ ...content, created_at: now })
    .onConflict((conflict) => conflict.columns(["session", "person", "path", "sha256"]).doNothing())
    .execute();
}

/** All of a person's in a session: the paths they were put at, and their digests. */
export async function listKnownContents(
  db: Kysely<Database>,
  session: string,
  person: string,
): Promise<{ readonly paths: ReadonlySet<string>; readonly digests: ReadonlySet<string> }> {
  const rows = await db
    .selectFrom("known_contents")
    .select(["path", "sha256"])
    .where("session", "=", session)
    .where("person", "=", person)
    .execute();
  return { paths: new Set(rows.map(({ path }) => path)), digests: new Set(rows.map(({ sha256 }) => sha256)) };
}
