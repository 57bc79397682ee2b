import { sql, type Kysely } from "kysely";
import type { CheckpointDatabase } from "../schema/database.ts";
import { requireFence, type CheckpointWriter, type StoredWrite } from "./checkpoint-writer.ts";

interface Answer {
  readonly fence: number | null;
}

/**
 * All parts of a statement see the database as it was before it; nothing here needs to see what another part wrote. The
 * fence is locked (`for share`) until the statement has ended, so a process that moves it waits, and then finds what
 * was written.
 */
export function createPostgresCheckpointWriter(db: Kysely<CheckpointDatabase>): CheckpointWriter {
  const admit = (thread: string, token: number | undefined) => sql`
    fence as (select token from checkpoint_fences where thread = ${thread} for share),
    admitted as (select 1 where not exists (select from fence where token is distinct from ${token ?? null}::bigint))`;

  return {
    async put(row, { prune, token }) {
      const { rows } = await sql<Answer>`
        with ${admit(row.thread, token)},
        stored as (
          insert into checkpoints (thread, namespace, id, parent, format, checkpoint, metadata)
          select ${row.thread}::text, ${row.namespace}::text, ${row.id}::text, ${row.parent}::text, ${row.format}::text,
            ${row.checkpoint}::bytea, ${row.metadata}::bytea
          from admitted
          on conflict (thread, namespace, id) do update set parent = excluded.parent, format = excluded.format,
            checkpoint = excluded.checkpoint, metadata = excluded.metadata
        ),
        pruned as (
          delete from checkpoints using admitted
          where ${prune} and thread = ${row.thread} and namespace = ${row.namespace} and id < ${row.id}
        ),
        pruned_writes as (
          delete from checkpoint_writes using admitted
          where ${prune} and thread = ${row.thread} and namespace = ${row.namespace} and checkpoint < ${row.id}
        )
        select (select token from fence) as fence`.execute(db);
      requireFence(row.thread, rows[0]?.fence ?? null, token);
    },

    async putWrites(key, writes, token) {
      if (writes.length === 0) return;
      const kept = keepLastOfEach(writes);
      const { rows } = await sql<Answer>`
        with ${admit(key.thread, token)},
        stored as (
          insert into checkpoint_writes (thread, namespace, checkpoint, task, position, channel, format, value, task_path)
          select ${key.thread}::text, ${key.namespace}::text, ${key.id}::text, given.*
          from admitted, unnest(
            ${kept.map((write) => write.task)}::text[], ${kept.map((write) => write.position)}::integer[],
            ${kept.map((write) => write.channel)}::text[], ${kept.map((write) => write.format)}::text[],
            ${kept.map((write) => write.value)}::bytea[], ${kept.map((write) => write.taskPath)}::text[]
          ) as given
          on conflict (thread, namespace, checkpoint, task, position) do update set channel = excluded.channel,
            format = excluded.format, value = excluded.value, task_path = excluded.task_path
          where checkpoint_writes.position < 0
        )
        select (select token from fence) as fence`.execute(db);
      requireFence(key.thread, rows[0]?.fence ?? null, token);
    },

    async sweep(keep) {
      const kept = sql<string>`(select unnest(${keep}::text[]))`;
      await db.deleteFrom("checkpoints").where("thread", "not in", kept).execute();
      await db.deleteFrom("checkpoint_writes").where("thread", "not in", kept).execute();
      await db.deleteFrom("checkpoint_fences").where("thread", "not in", kept).execute();
    },
  };
}

/** A statement cannot write a row twice; two interrupts of one task have the same place, and the later one counts. */
function keepLastOfEach(writes: readonly StoredWrite[]): StoredWrite[] {
  return [...new Map(writes.map((write) => [`${write.position} ${write.task}`, write])).values()];
}
