// full: processes report themselves in a Postgres database
import { type Kysely, sql } from "kysely";
import { describe, expect, it } from "vitest";
import { createKnownSecrets } from "../../src/core/known-secrets.ts";
import { createLog } from "../../src/core/log.ts";
import { type NodeWatch, watchNodes } from "../../src/kernel/claims/watch-nodes.ts";
import { runAlone } from "../../src/store/queries/run-alone.ts";
import { reportNode, silentMs } from "../../src/store/queries/nodes.ts";
import type { Database } from "../../src/store/schema/database.ts";
import { untilTestEnds } from "../support/keep-until.ts";
import { joinCluster } from "../support/join-cluster.ts";
import { postgresIsThere } from "../support/postgres.ts";
import { createStorePlace } from "../support/store-engines.ts";
import { addSession, openTestStore } from "../support/test-store.ts";
import { waitUntil } from "../support/wait-until.ts";

const log = createLog({ level: "silent", secrets: createKnownSecrets([]) });
/** Below the 5 s after which a process looks by itself. */
const soonMs = 2_500;

const report = { role: "worker", place: "", address: "", version: "1.0.0", policy: "a", sessions: 0, channels: [] };

/** Processes of one database, each with its report on itself. */
async function openProcesses() {
  const place = await createStorePlace("postgres");
  return async (id: string) => {
    const store = await openTestStore({ ...place, node: id });
    const cluster = await joinCluster(place, store, "worker");
    if (cluster === undefined) throw new Error("this store has no cluster");
    untilTestEnds(() => cluster.close());
    const channels: string[] = [];
    const describe = () => ({ ...report, id, channels: [...channels] });
    const watch = watchNodes({ ...cluster, describe, log });
    untilTestEnds(() => watch.stop());
    await watch.start();
    return { watch, channels, store };
  };
}

const known = ({ list }: NodeWatch) => list().map(({ id, channels }) => [id, ...channels].join(" "));

describe.runIf(postgresIsThere())("a process of several", () => {
  it("knows at once of another one that starts, changes or ends", async () => {
    const open = await openProcesses();
    const { watch } = await open("first");
    expect(known(watch)).toEqual(["first"]);
    const other = await open("second");
    await waitUntil("the second process", () => known(watch).length === 2, soonMs);
    other.channels.push("telegram");
    await other.watch.start();
    await waitUntil("its platform", () => known(watch)[1] === "second telegram", soonMs);
    await other.watch.stop();
    await waitUntil("its end", () => known(watch).length === 1, soonMs);
  });

  it("ends the open transactions of a frozen one, and of no other", async () => {
    const open = await openProcesses();
    const { watch, store } = await open("first");
    const change = (session: string) => async (db: Kysely<Database>) => {
      await db
        .updateTable("sessions")
        .set({ chat: `${session}-moved` })
        .where("id", "=", session)
        .execute();
    };
    const [frozen, slow, waiting] = [await open("frozen"), await open("slow"), await open("waiting")];
    for (const id of ["of-frozen", "of-slow"]) await addSession(store, id);
    const released = Promise.withResolvers<void>();
    const begin = async (session: string, db: Kysely<Database>) => {
      const locked = Promise.withResolvers<void>();
      const over = db.transaction().execute(async (tx) => {
        await change(session)(tx);
        locked.resolve();
        await released.promise;
      });
      await locked.promise;
      return { over };
    };
    const { over: kept } = await begin("of-slow", slow.store.main);
    const { over } = await begin("of-frozen", frozen.store.main);
    const lost = over.then(
      () => "committed",
      () => "lost",
    );
    // Its connections are all taken by work that waits for the frozen one, so that it does not report itself either.
    const waited = waiting.store.main.transaction().execute(change("of-frozen"));
    for (const [id, { watch: ended }] of Object.entries({ frozen, waiting })) {
      await ended.stop();
      await reportNode(store.main, { ...report, id });
      const before = sql<number>`seen_at - ${silentMs + 1}`;
      await store.main.updateTable("nodes").set({ seen_at: before }).where("id", "=", id).execute();
    }
    await watch.start();
    await change("of-frozen")(store.main);
    released.resolve();
    await Promise.all([kept, waited]);
    expect(await lost).toBe("lost");
    expect(await frozen.store.main.selectFrom("sessions").select("chat").orderBy("id").execute()).toEqual([
      { chat: "of-frozen-moved" },
      { chat: "of-slow-moved" },
    ]);
  });

  it("takes over what a frozen one held as the only process", async () => {
    const open = await openProcesses();
    const { watch, store } = await open("first");
    const frozen = await open("frozen");
    const end = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const held = runAlone(frozen.store.main, "vectors", () => {
      begun.resolve();
      return end.promise;
    }).catch(() => "lost");
    await begun.promise;
    await frozen.watch.stop();
    await reportNode(store.main, { ...report, id: "frozen" });
    const before = sql<number>`seen_at - ${silentMs + 1}`;
    await store.main.updateTable("nodes").set({ seen_at: before }).where("id", "=", "frozen").execute();
    await waitUntil("the lock", async () => {
      await watch.start();
      return (await runAlone(store.main, "vectors", async () => "done")) === "done";
    });
    end.resolve();
    expect(await held).toBe("lost");
  });
});
