import { randomUUID } from "node:crypto";
import { sql, type Kysely } from "kysely";
import type { ClaimedKey, ClaimQueue, ClaimQueues } from "../../../src/store/engines/claim-queue.ts";
import type { Database } from "../../../src/store/schema/database.ts";

/** Claims in one table of ours: the least that another engine would have to do. A holder is silent after `silenceMs`. */
export async function openTableClaimQueues(db: Kysely<Database>, silenceMs: number): Promise<ClaimQueues> {
  await sql`create table if not exists test_claims (
    queue text, key text, id text, losses integer not null default 0, touched_at timestamptz, primary key (queue, key)
  )`.execute(db);
  const silent = sql`touched_at < clock_timestamp() - ${silenceMs} * interval '1 millisecond'`;
  const open = (queue: string): ClaimQueue => ({
    async offer(keys) {
      for (const key of keys)
        await sql`insert into test_claims (queue, key) values (${queue}, ${key}) on conflict do nothing`.execute(db);
    },
    async take(count) {
      const { rows } = await sql<ClaimedKey>`
        update test_claims set losses = losses + (id is not null)::int, touched_at = clock_timestamp(),
          id = ${randomUUID()} || key
        where (queue, key) in (
          select queue, key from test_claims where queue = ${queue} and (id is null or ${silent})
          limit ${count} for update skip locked)
        returning id, key, losses as "retryCount"`.execute(db);
      return rows;
    },
    async touch(claims) {
      const ids = claims.map(({ id }) => id);
      const { rows } = await sql<{ id: string }>`
        update test_claims set touched_at = clock_timestamp() where queue = ${queue} and id = any(${ids}::text[])
        returning id`.execute(db);
      return new Set(rows.map(({ id }) => id));
    },
    async giveBack({ id }) {
      await sql`delete from test_claims where queue = ${queue} and id = ${id}`.execute(db);
    },
  });
  return {
    open: async (name) => open(name),
    async forgetAll() {
      await sql`delete from test_claims`.execute(db);
    },
    close: async () => undefined,
  };
}
