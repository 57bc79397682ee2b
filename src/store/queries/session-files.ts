import type { Kysely } from "kysely";
import type { Database } from "../schema/database.ts";

/** A file of a saved workspace, or a link, which has a target and no content. */
export interface SavedFile {
  readonly path: string;
  readonly sha256: string | null;
  readonly target: string | null;
  readonly size: number;
  readonly mode: number;
}

/** See schema/file-tables.ts. */
export interface Snapshot {
  readonly version: number;
  readonly node: string;
  readonly whole: number;
}

const rowsAtOnce = 500;

export function findSnapshot(db: Kysely<Database>, session: string): Promise<Snapshot | undefined> {
  return db
    .selectFrom("session_snapshots")
    .select(["version", "node", "whole"])
    .where("session", "=", session)
    .executeTakeFirst();
}

export function listSessionFiles(db: Kysely<Database>, session: string): Promise<readonly SavedFile[]> {
  return db
    .selectFrom("session_files")
    .select(["path", "sha256", "target", "size", "mode"])
    .where("session", "=", session)
    .orderBy("path")
    .execute();
}

/** The row and its files as they were at one moment. */
export function readSnapshot(
  db: Kysely<Database>,
  session: string,
): Promise<{ readonly snapshot: Snapshot; readonly files: readonly SavedFile[] } | undefined> {
  return db
    .transaction()
    .setIsolationLevel("repeatable read")
    .execute(async (tx) => {
      const snapshot = await findSnapshot(tx, session);
      return snapshot && { snapshot, files: await listSessionFiles(tx, session) };
    });
}

/** The next version of a session's files. `before` = the one it follows; false = that is no longer the newest. */
export async function raiseSnapshot(
  db: Kysely<Database>,
  session: string,
  before: Snapshot | undefined,
  next: Snapshot & { readonly at: number },
): Promise<boolean> {
  if (before === undefined) {
    const { numInsertedOrUpdatedRows } = await db
      .insertInto("session_snapshots")
      .values({ session, ...next })
      .onConflict((conflict) => conflict.column("session").doNothing())
      .executeTakeFirst();
    return numInsertedOrUpdatedRows === 1n;
  }
  const { numUpdatedRows } = await db
    .updateTable("session_snapshots")
    .set(next)
    .where("session", "=", session)
    .where("version", "=", before.version)
    .where("node", "=", before.node)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

export async function changeSessionFiles(
  db: Kysely<Database>,
  session: string,
  { changed, gone }: { readonly changed: readonly SavedFile[]; readonly gone: readonly string[] },
): Promise<void> {
  const paths = [...gone, ...changed.map(({ path }) => path)];
  for (let from = 0; from < paths.length; from += rowsAtOnce)
    await db
      .deleteFrom("session_files")
      .where("session", "=", session)
      .where("path", "in", paths.slice(from, from + rowsAtOnce))
      .execute();
  for (let from = 0; from < changed.length; from += rowsAtOnce)
    await db
      .insertInto("session_files")
      .values(
        changed
          .slice(from, from + rowsAtOnce)
          .map(({ mode, path, sha256, size, target }) => ({ session, path, sha256, target, size, mode })),
      )
      .execute();
}

export async function dropSessionFiles(db: Kysely<Database>, session: string): Promise<void> {
  await db.deleteFrom("session_files").where("session", "=", session).execute();
}
