import { beforeEach, describe, expect, it } from "vitest";
import type { Store } from "../../src/store/open-store.ts";
import { countCheckpoints } from "../../src/store/queries/checkpoints.ts";
import { listEngines } from "../support/store-engines.ts";
import { createTestStore } from "../support/test-store.ts";

const bytes = new Uint8Array([1]);
const row = { thread: "t", namespace: "", id: "1", parent: null, format: "json", checkpoint: bytes, metadata: bytes };
const write = { task: "n", position: 0, channel: "c", format: "json", value: bytes, taskPath: "" };

describe.each(listEngines())("a turn that is removed while its state is on the way to the disk, on %s:", (engine) => {
  let store: Store;
  beforeEach(async () => {
    store = await createTestStore(engine);
    await store.turnCheckpoints.fence("t", 1);
  });
  const left = async () => [
    await countCheckpoints(store.checkpoints),
    (await store.checkpoints.selectFrom("checkpoint_writes").select("task").execute()).length,
  ];

  it("leaves nothing there while it is turned into bytes, and the one that writes hears of it", async () => {
    const gate = Promise.withResolvers<void>();
    const toRow = () => gate.promise.then(() => row);
    store.turnCheckpoints.hold("t", 1, { toRow });
    const flushing = store.turnCheckpoints.flush("t");
    await store.turnCheckpoints.remove("t");
    gate.resolve();
    await expect(flushing).rejects.toMatchObject({ code: "TURN_LOST" });
    expect(await left()).toEqual([0, 0]);
  });

  it("leaves nothing of what a step wrote, either", async () => {
    const gate = Promise.withResolvers<void>();
    store.turnCheckpoints.hold("t", 1, { toRow: () => Promise.resolve(row) });
    store.turnCheckpoints.holdWrites("t", 1, { key: row, toRows: () => gate.promise.then(() => [write]) });
    const flushing = store.turnCheckpoints.flush("t");
    while ((await left())[0] === 0) await new Promise((resolve) => setImmediate(resolve));
    await store.turnCheckpoints.remove("t");
    gate.resolve();
    await expect(flushing).rejects.toMatchObject({ code: "TURN_LOST" });
    expect(await left()).toEqual([0, 0]);
  });

  it("leaves nothing while it is being written", async () => {
    store.turnCheckpoints.hold("t", 1, { toRow: () => Promise.resolve(row) });
    const flushing = store.turnCheckpoints.flush("t");
    await Promise.resolve();
    await Promise.resolve();
    await Promise.allSettled([flushing, store.turnCheckpoints.remove("t")]);
    expect(await left()).toEqual([0, 0]);
  });
});
