import type { Kysely } from "kysely";
import type { Database } from "../../store/schema/database.ts";

export interface Release {
  readonly version: string;
  /** Milliseconds since 1970. */
  readonly since: number;
}

/** The versions that worked on the database, the newest start first. */
export async function listReleases(db: Kysely<Database>, limit = 2): Promise<readonly Release[]> {
  return db
    .selectFrom("releases")
    .select(["version", "since"])
    .orderBy("since", "desc")
    .orderBy("version")
    .limit(limit)
    .execute();
}

/** Returns the version before when this start is the first one with `version`. */
export async function recordRelease(
  db: Kysely<Database>,
  version: string,
  now: number,
): Promise<{ readonly from: string | undefined } | undefined> {
  return db.transaction().execute(async (tx) => {
    const [last] = await listReleases(tx, 1);
    if (last?.version === version) return undefined;
    // A clock that went back must not hide the newest row behind an older one.
    const since = Math.max(now, (last?.since ?? 0) + 1);
    await tx
      .insertInto("releases")
      .values({ version, since })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    return { from: last?.version };
  });
}
