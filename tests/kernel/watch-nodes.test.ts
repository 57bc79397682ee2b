import { describe, expect, it } from "vitest";
import { createKnownSecrets } from "../../src/core/known-secrets.ts";
import { createLog } from "../../src/core/log.ts";
import { type NodeWatch, watchNodes } from "../../src/kernel/claims/watch-nodes.ts";
import { untilTestEnds } from "../support/keep-until.ts";
import { joinCluster } from "../support/join-cluster.ts";
import { postgresIsThere } from "../support/postgres.ts";
import { createStorePlace } from "../support/store-engines.ts";
import { openTestStore } from "../support/test-store.ts";
import { waitUntil } from "../support/wait-until.ts";

const log = createLog({ level: "silent", secrets: createKnownSecrets([]) });
/** Below the 5 s after which a process looks by itself. */
const soonMs = 2_500;

/** Processes of one database, each with its report on itself. */
async function openProcesses() {
  const place = await createStorePlace("postgres");
  return async (id: string) => {
    const store = await openTestStore(place);
    const cluster = await joinCluster(place, store, "worker");
    if (cluster === undefined) throw new Error("this store has no cluster");
    untilTestEnds(() => cluster.close());
    const channels: string[] = [];
    const report = { role: "worker", place: id, address: "", version: "1.0.0", policy: "a", sessions: 0 };
    const describe = () => ({ ...report, id, channels: [...channels] });
    const watch = watchNodes({ store, describe, signals: cluster.signals, log });
    untilTestEnds(() => watch.stop());
    await watch.start();
    return { watch, channels };
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
});
