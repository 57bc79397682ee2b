import { sql, type Kysely } from "kysely";
import { AppError } from "../../core/errors.ts";
import type { CheckpointDatabase } from "../schema.ts";

type Checkpoints = Kysely<CheckpointDatabase>;

export interface CheckpointKey {
  readonly thread: string;
  readonly namespace: string;
  readonly id: string;
}

export interface StoredCheckpoint extends CheckpointKey {
  readonly parent: string | null;
  readonly format: string;
  readonly checkpoint: Uint8Array;
  readonly metadata: Uint8Array;
}

export interface StoredWrite {
  readonly task: string;
  readonly position: number;
  readonly channel: string;
  readonly format: string;
  readonly value: Uint8Array;
  readonly taskPath: string;
}

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

async function requireFence(db: Checkpoints, thread: string, token: number | undefined): Promise<void> {
  const fence = await db
    .selectFrom("checkpoint_fences")
    .select("token")
    .where("thread", "=", thread)
    .executeTakeFirst();
  if (fence && fence.token !== token) {
    throw new AppError("TURN_LOST", `Thread ${thread} belongs to token ${fence.token}, not ${token ?? "none"}.`);
  }
}

/** Stores a checkpoint; with `prune` its ancestors go, and their writes. */
export async function putCheckpoint(
  db: Checkpoints,
  row: StoredCheckpoint,
  options: { readonly prune: boolean; readonly token: number | undefined },
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await requireFence(tx, row.thread, options.token);
    await tx
      .insertInto("checkpoints")
      .values(row)
      .onConflict((conflict) =>
        conflict
          .columns(["thread", "namespace", "id"])
          .doUpdateSet({ parent: row.parent, format: row.format, checkpoint: row.checkpoint, metadata: row.metadata }),
      )
      .execute();
    if (!options.prune) return;
    await tx
      .deleteFrom("checkpoints")
      .where("thread", "=", row.thread)
      .where("namespace", "=", row.namespace)
      .where("id", "<", row.id)
      .execute();
    await tx
      .deleteFrom("checkpoint_writes")
      .where("thread", "=", row.thread)
      .where("namespace", "=", row.namespace)
      .where("checkpoint", "<", row.id)
      .execute();
  });
}

/** Stores the writes of one task. Special writes (negative position) replace, ordinary ones are kept as first written. */
export async function putCheckpointWrites(
  db: Checkpoints,
  key: CheckpointKey,
  writes: readonly StoredWrite[],
  token: number | undefined,
): Promise<void> {
  if (writes.length === 0) return;
  await db.transaction().execute(async (tx) => {
    await requireFence(tx, key.thread, token);
    await tx
      .insertInto("checkpoint_writes")
      .values(
        writes.map((write) => ({
          thread: key.thread,
          namespace: key.namespace,
          checkpoint: key.id,
          task: write.task,
          position: write.position,
          channel: write.channel,
          format: write.format,
          value: write.value,
          task_path: write.taskPath,
        })),
      )
      .onConflict((conflict) =>
        conflict
          .columns(["thread", "namespace", "checkpoint", "task", "position"])
          .doUpdateSet((expression) => ({
            channel: expression.ref("excluded.channel"),
            format: expression.ref("excluded.format"),
            value: expression.ref("excluded.value"),
            task_path: expression.ref("excluded.task_path"),
          }))
          .where("checkpoint_writes.position", "<", 0),
      )
      .execute();
  });
}

/** One checkpoint, or the newest of the thread when no id is given. */
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
  await db.deleteFrom("checkpoints").where("thread", "=", thread).execute();
  await db.deleteFrom("checkpoint_writes").where("thread", "=", thread).execute();
}

/** Removes the threads that are not listed (turns that have ended), fences included: at start nobody writes late. */
export async function sweepCheckpoints(db: Checkpoints, keep: readonly string[]): Promise<void> {
  const kept = keep.length > 0 ? keep : [""];
  await db.deleteFrom("checkpoints").where("thread", "not in", kept).execute();
  await db.deleteFrom("checkpoint_writes").where("thread", "not in", kept).execute();
  await db.deleteFrom("checkpoint_fences").where("thread", "not in", kept).execute();
}

/** Rows there are, for benches and tests. */
export async function countCheckpoints(db: Checkpoints): Promise<number> {
  const row = await db
    .selectFrom("checkpoints")
    .select(sql<number>`count(*)`.as("count"))
    .executeTakeFirst();
  return row?.count ?? 0;
}
