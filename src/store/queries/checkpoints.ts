import { sql, type Kysely } from "kysely";
import { isPostgres } from "../statements/is-postgres.ts";
import type { CheckpointDatabase } from "../schema/database.ts";
import type { CheckpointKey, StoredCheckpoint, StoredWrite } from "./checkpoint-writer.ts";

type Checkpoints = Kysely<CheckpointDatabase>;

/** From now on only the holder of this token may write the thread. */
export async function fenceThread(db: Checkpoints, thread: string, token: number): Promise<void> {
  await db
    .insertInto("checkpoint_fences")
    .values({ thread, token })
    .onConflict((conflict) =>
      conflict.column("thread").doUpdateSet({ token }).where("checkpoint_fences.token", "<", token),
    )
    .execute();
}

/** The checkpoint with this id, or the newest of the thread when no id is given. */
export async function findCheckpoint(
  db: Checkpoints,
  thread: string,
  namespace: string,
  id: string | undefined,
): Promise<StoredCheckpoint | undefined> {
  let query = db.selectFrom("checkpoints").selectAll().where("thread", "=", thread).where("namespace", "=", namespace);
  if (id !== undefined) query = query.where("id", "=", id);
  return query.orderBy("id", "desc").limit(1).executeTakeFirst();
}

export async function readCheckpointWrites(db: Checkpoints, key: CheckpointKey): Promise<StoredWrite[]> {
  const rows = await db
    .selectFrom("checkpoint_writes")
    .selectAll()
    .where("thread", "=", key.thread)
    .where("namespace", "=", key.namespace)
    .where("checkpoint", "=", key.id)
    .execute();
  return rows.map((row) => ({
    task: row.task,
    position: row.position,
    channel: row.channel,
    format: row.format,
    value: row.value,
    taskPath: row.task_path,
  }));
}

export interface CheckpointQuery {
  readonly thread?: string | undefined;
  readonly namespace?: string | undefined;
  readonly id?: string | undefined;
  readonly before?: string | undefined;
}

/** Newest first. */
export async function listCheckpoints(db: Checkpoints, wanted: CheckpointQuery): Promise<StoredCheckpoint[]> {
  let query = db.selectFrom("checkpoints").selectAll();
  if (wanted.thread !== undefined) query = query.where("thread", "=", wanted.thread);
  if (wanted.namespace !== undefined) query = query.where("namespace", "=", wanted.namespace);
  if (wanted.id !== undefined) query = query.where("id", "=", wanted.id);
  if (wanted.before !== undefined) query = query.where("id", "<", wanted.before);
  return query.orderBy("id", "desc").execute();
}

/** Removes everything of a thread but its fence, which a late writer must still run into. */
export async function deleteCheckpoints(db: Checkpoints, thread: string): Promise<void> {
  if (isPostgres(db)) {
    await sql`with gone as (delete from checkpoint_writes where thread = ${thread})
      delete from checkpoints where thread = ${thread}`.execute(db);
    return;
  }
  await db.deleteFrom("checkpoints").where("thread", "=", thread).execute();
  await db.deleteFrom("checkpoint_writes").where("thread", "=", thread).execute();
}

/** Rows there are, for benches and tests. */
export async function countCheckpoints(db: Checkpoints): Promise<number> {
  const row = await db
    .selectFrom("checkpoints")
    .select(sql<number>`count(*)`.as("count"))
    .executeTakeFirst();
  return row?.count ?? 0;
}
