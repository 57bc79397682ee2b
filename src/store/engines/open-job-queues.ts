import { PgBoss } from "pg-boss";
import type { ClaimedKey, ClaimQueue, ClaimQueues } from "./claim-queue.ts";

/** The least that pg-boss accepts: a holder that is silent for so long has lost what it held. */
const heartbeatSeconds = 10;
/** A claim ends by silence and not by age; pg-boss itself would allow a day at the most. */
const neverSeconds = 2_147_483_647;

/**
 * The claims of all processes on one database, held by pg-boss (https://pgboss.io): a job is a key, its heartbeat is the
 * sign of life of the holder, and the supervisor of any process returns what a silent holder had. `schema` is the
 * schema of its own tables, beside ours. `onFault` hears of faults in the background; everything is tried again.
 */
export async function openJobQueues(options: {
  readonly url: string;
  readonly schema: string;
  readonly onFault: (error: unknown) => void;
}): Promise<ClaimQueues> {
  const boss = new PgBoss({
    connectionString: options.url,
    application_name: "kurisu claims",
    schema: options.schema,
    max: 3,
    schedule: false,
    superviseIntervalSeconds: 1,
    monitorIntervalSeconds: 1,
    maintenanceIntervalSeconds: 300,
    persistWarnings: false,
    reindex: false,
  });
  boss.on("error", options.onFault);
  await boss.start();

  async function open(name: string): Promise<ClaimQueue> {
    // `exclusive`: at most one job of a key that waits or is held.
    if (!(await boss.getQueue(name)))
      await boss.createQueue(name, {
        policy: "exclusive",
        heartbeatSeconds,
        retryLimit: 1_000_000,
        retryDelay: 0,
        deleteAfterSeconds: 60,
      });
    const { schema } = options;
    const never = `update "${schema}".queue set expire_seconds = ${neverSeconds} where name = $1`;
    await boss.getDb().executeSql(never, [name]);
    return {
      async offer(keys) {
        await boss.insert(
          name,
          keys.map((key) => ({ singletonKey: key, data: { key } })),
        );
      },
      async take(count) {
        const jobs = await boss.fetch<{ readonly key: string }>(name, { batchSize: count });
        return jobs.map(({ id, data, retryCount }) => ({ id, key: data.key, retryCount }));
      },
      async touch(claims) {
        if (claims.length === 0) return new Set();
        // The ids that it answers are missing in its types (12.38).
        const answer: { readonly settled?: readonly string[] } = await boss.touch(name, [...claims]);
        return new Set(answer.settled);
      },
      async giveBack(claim: ClaimedKey) {
        // With the attempt, so that the claim of a later holder stays.
        await boss.complete(name, claim);
      },
    };
  }

  async function forgetAll(): Promise<void> {
    await boss.deleteAllJobs();
  }

  return { open, forgetAll, close: () => boss.stop({ graceful: false, close: true }) };
}
