import { sql, type Kysely } from "kysely";
import type { CheckpointDatabase } from "../schema/database.ts";
import { requireFence, type CheckpointWriter } from "./checkpoint-writer.ts";

export function createSqliteCheckpointWriter(db: Kysely<CheckpointDatabase>): CheckpointWriter {
  return {
    put: (row, { prune, token }) =>
      db.transaction().execute(async (tx) => {
        requireFence(row.thread, await readFence(tx, row.thread), token);
        await tx
          .insertInto("checkpoints")
          .values(row)
          .onConflict((conflict) =>
            conflict.columns(["thread", "namespace", "id"]).doUpdateSet({
              parent: row.parent,
              format: row.format,
              checkpoint: row.checkpoint,
              metadata: row.metadata,
            }),
          )
          .execute();
        if (!prune) return;
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
      }),

    async putWrites(key, writes, token) {
      if (writes.length === 0) return;
      await db.transaction().execute(async (tx) => {
        requireFence(key.thread, await readFence(tx, key.thread), token);
        await tx
          .insertInto("checkpoint_writes")
          .values(
            writes.map(({ taskPath, ...write }) => ({
              thread: key.thread,
              namespace: key.namespace,
              checkpoint: key.id,
              ...write,
              task_path: taskPath,
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
    },

    async sweep(keep) {
      // A single parameter, however many turns wait for an answer: the number of parameters has a limit.
      const kept = sql<string>`(select value from json_each(${JSON.stringify(keep)}))`;
      await db.deleteFrom("checkpoints").where("thread", "not in", kept).execute();
      await db.deleteFrom("checkpoint_writes").where("thread", "not in", kept).execute();
      await db.deleteFrom("checkpoint_fences").where("thread", "not in", kept).execute();
    },
  };
}

async function readFence(db: Kysely<CheckpointDatabase>, thread: string): Promise<number | null> {
  const row = await db.selectFrom("checkpoint_fences").select("token").where("thread", "=", thread).executeTakeFirst();
  return row?.token ?? null;
}
