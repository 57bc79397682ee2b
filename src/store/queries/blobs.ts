import { sql, type Kysely } from "kysely";
import type { Database } from "../schema/database.ts";

export interface Content {
  /** The digest of `bytes`, in hexadecimal. */
  readonly sha256: string;
  readonly bytes: Uint8Array;
}

/** A quarter of what a row may have: a backup reads a hundred rows at once, in hexadecimal. */
export const partBytes = 256 * 1024;
/** Contents of one transaction, and parts of one statement. */
const batchBytes = 4 * 1024 * 1024;
const batchParts = 16;

/**
 * Stores contents that are not there yet. The caller names them within the hour in a row of their own; until then
 * `sweepBlobs` spares them.
 */
export async function keepBlobs(db: Kysely<Database>, contents: readonly Content[], now: number): Promise<void> {
  for (const batch of cutBatches(contents)) {
    await db.transaction().execute(async (tx) => {
      const digests = batch.map(({ sha256 }) => sha256);
      // Also when they are there: a sweep that runs at this moment looks at the row again, and leaves it.
      const there = await tx
        .updateTable("blobs")
        .set({ at: now })
        .where("sha256", "in", digests)
        .returning("sha256")
        .execute();
      const known = new Set(there.map(({ sha256 }) => sha256));
      const parts = batch
        .filter(({ sha256 }) => !known.has(sha256))
        .flatMap((content) => cutParts(content).map((part) => ({ ...part, at: now })));
      for (let from = 0; from < parts.length; from += batchParts)
        await tx
          .insertInto("blobs")
          .values(parts.slice(from, from + batchParts))
          // Another process has just stored the same content.
          .onConflict((conflict) => conflict.columns(["sha256", "part"]).doUpdateSet({ at: now }))
          .execute();
    });
  }
}

/** Undefined when it is not there. */
export async function readBlob(db: Kysely<Database>, sha256: string): Promise<Buffer | undefined> {
  const parts = await db.selectFrom("blobs").select("bytes").where("sha256", "=", sha256).orderBy("part").execute();
  return parts.length === 0 ? undefined : Buffer.concat(parts.map(({ bytes }) => bytes));
}

/** Deletes what no workspace and no outgoing file has any more, and no process asked for since `before`. */
export async function sweepBlobs(db: Kysely<Database>, before: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom("blobs")
    .where("at", "<", before)
    .where(({ exists, not, selectFrom }) =>
      not(exists(selectFrom("session_files").select(sql.lit(1).as("one")).whereRef("sha256", "=", "blobs.sha256"))),
    )
    .where(({ exists, not, selectFrom }) =>
      not(exists(selectFrom("outgoing_files").select(sql.lit(1).as("one")).whereRef("sha256", "=", "blobs.sha256"))),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
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

/** In the order of their digests, so that two processes with the same contents wait for each other instead of locking. */
function cutBatches(contents: readonly Content[]): readonly (readonly Content[])[] {
  const batches: Content[][] = [];
  let room = 0;
  for (const content of contents.toSorted((left, right) => (left.sha256 < right.sha256 ? -1 : 1))) {
    if (room <= 0 || batches.length === 0) {
      batches.push([]);
      room = batchBytes;
    }
    batches.at(-1)?.push(content);
    room -= content.bytes.length + 1024;
  }
  return batches;
}
