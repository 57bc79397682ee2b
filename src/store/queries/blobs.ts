import { sql, type Kysely } from "kysely";
import type { Database } from "../schema/database.ts";

export interface Content {
  /** The digest of `bytes`, in hexadecimal. */
  readonly sha256: string;
  readonly bytes: Uint8Array;
}

/** A quarter of what a row may have: a backup reads a hundred rows at once, in hexadecimal. */
const partBytes = 256 * 1024;
/** Contents that are looked for at once, and parts of one statement. */
const batchDigests = 500;
const batchParts = 16;

/** Stores contents that are not there yet, in the transaction that names them: `sweepBlobs` waits for its end. */
export async function keepBlobs(tx: Kysely<Database>, contents: readonly Content[]): Promise<void> {
  for (let from = 0; from < contents.length; from += batchDigests) {
    const batch = contents.slice(from, from + batchDigests);
    const digests = batch.map(({ sha256 }) => sha256);
    // Also when they are there: this holds a sweep back.
    await sql`lock table blobs in row exclusive mode`.execute(tx);
    const there = await tx
      .selectFrom("blobs")
      .select("sha256")
      .where("part", "=", 0)
      .where("sha256", "in", digests)
      .execute();
    const known = new Set(there.map(({ sha256 }) => sha256));
    const parts = batch.filter(({ sha256 }) => !known.has(sha256)).flatMap(cutParts);
    for (let first = 0; first < parts.length; first += batchParts)
      await tx
        .insertInto("blobs")
        .values(parts.slice(first, first + batchParts))
        // Another process has just stored the same content.
        .onConflict((conflict) => conflict.columns(["sha256", "part"]).doNothing())
        .execute();
  }
}

/** Undefined when it is not there. */
export async function readBlob(db: Kysely<Database>, sha256: string): Promise<Buffer | undefined> {
  const parts = await db.selectFrom("blobs").select("bytes").where("sha256", "=", sha256).orderBy("part").execute();
  return parts.length === 0 ? undefined : Buffer.concat(parts.map(({ bytes }) => bytes));
}

/** Deletes what no workspace and no outgoing file has any more. New contents wait until it has ended, and it for theirs. */
export function sweepBlobs(db: Kysely<Database>): Promise<number> {
  return db.transaction().execute(async (tx) => {
    await sql`lock table blobs in share row exclusive mode`.execute(tx);
    const { numDeletedRows } = await tx
      .deleteFrom("blobs")
      .where(({ exists, not, selectFrom }) =>
        not(exists(selectFrom("session_files").select(sql.lit(1).as("one")).whereRef("sha256", "=", "blobs.sha256"))),
      )
      .where(({ exists, not, selectFrom }) =>
        not(exists(selectFrom("outgoing_files").select(sql.lit(1).as("one")).whereRef("sha256", "=", "blobs.sha256"))),
      )
      .executeTakeFirst();
    return Number(numDeletedRows);
  });
}

/** An empty content has one part, too. */
function cutParts({ bytes, sha256 }: Content) {
  const count = Math.max(1, Math.ceil(bytes.length / partBytes));
  return Array.from({ length: count }, (_, part) => ({
    sha256,
    part,
    bytes: bytes.subarray(part * partBytes, (part + 1) * partBytes),
  }));
}
