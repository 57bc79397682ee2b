import { Annotation, Command, END, interrupt, START, StateGraph } from "@langchain/langgraph";
import { emptyCheckpoint, uuid6, type Checkpoint } from "@langchain/langgraph-checkpoint";
import { beforeEach, describe, expect, it } from "vitest";
import { StoreCheckpointSaver } from "../../../src/kernel/agent/checkpoint-saver.ts";
import type { Store } from "../../../src/store/open-store.ts";
import { openStore } from "../../support/open-store.ts";
import { countCheckpoints, fenceThread } from "../../../src/store/queries/checkpoints.ts";
import { createStorePlace, listEngines } from "../../support/store-engines.ts";
import { createTestStore } from "../../support/test-store.ts";

const metadata = { source: "loop", step: 0, parents: {} } as const;
let clock = 0;
function makeCheckpoint(values: Record<string, unknown> = {}): Checkpoint {
  clock += 1;
  return { ...emptyCheckpoint(), id: uuid6(clock), channel_values: values };
}

const at = (thread: string, checkpoint?: Checkpoint, more: Record<string, unknown> = {}) => ({
  configurable: { thread_id: thread, checkpoint_ns: "", ...(checkpoint && { checkpoint_id: checkpoint.id }), ...more },
});

describe.each(listEngines())("on %s:", (engine) => {
  let store: Store;
  let saver: StoreCheckpointSaver;
  beforeEach(async () => {
    store = await createTestStore(engine);
    saver = new StoreCheckpointSaver(store, "prune");
  });

  const countWrites = async () =>
    (await store.checkpoints.selectFrom("checkpoint_writes").select("task").execute()).length;

  describe("StoreCheckpointSaver with pruning", () => {
    it("keeps the newest checkpoint of a thread and nothing of those before it", async () => {
      const [one, two] = [makeCheckpoint({ n: 1 }), makeCheckpoint({ n: 2 })];
      await saver.put(at("t"), one, metadata, {});
      await saver.putWrites(at("t", one), [["n", 2]], "task");
      expect(await countWrites()).toBe(1);
      await saver.put(at("t", one), two, metadata, {});
      expect(await countCheckpoints(store.checkpoints)).toBe(1);
      expect(await countWrites()).toBe(0);
      const tuple = await saver.getTuple(at("t"));
      expect(tuple).toMatchObject({ checkpoint: { id: two.id, channel_values: { n: 2 } }, pendingWrites: [] });
      expect(tuple?.parentConfig?.configurable).toMatchObject({ checkpoint_id: one.id });
      expect(await saver.getTuple(at("t", one))).toBeUndefined();
    });

    it("leaves other threads and namespaces alone", async () => {
      await saver.put(at("t"), makeCheckpoint({ n: 1 }), metadata, {});
      await saver.put(at("t2"), makeCheckpoint({ n: 2 }), metadata, {});
      await saver.put(
        { configurable: { thread_id: "t", checkpoint_ns: "child" } },
        makeCheckpoint({ n: 3 }),
        metadata,
        {},
      );
      await saver.put(at("t"), makeCheckpoint({ n: 4 }), metadata, {});
      expect(await countCheckpoints(store.checkpoints)).toBe(3);
    });

    it("removes a thread whole", async () => {
      const one = makeCheckpoint();
      await saver.put(at("t"), one, metadata, {});
      await saver.putWrites(at("t", one), [["n", 2]], "task");
      await saver.deleteThread("t");
      expect([await countCheckpoints(store.checkpoints), await countWrites()]).toEqual([0, 0]);
      expect(await saver.getTuple(at("t"))).toBeUndefined();
    });

    it("gives bytes back as they were", async () => {
      const bytes = new Uint8Array([0, 200, 255, 10]);
      const one = makeCheckpoint({ bytes });
      await saver.put(at("t"), one, metadata, {});
      await saver.putWrites(at("t", one), [["bytes", bytes]], "task");
      const tuple = await saver.getTuple(at("t"));
      expect(tuple?.checkpoint.channel_values["bytes"]).toEqual(bytes);
      expect(tuple?.pendingWrites).toEqual([["task", "bytes", bytes]]);
    });

    it("reads writes in the order of the tasks' paths, not of their coming", async () => {
      const one = makeCheckpoint();
      await saver.put(at("t"), one, metadata, {});
      await saver.putWrites(
        at("t", one),
        [
          ["n", "b1"],
          ["n", "b2"],
        ],
        "task-b",
        "~__pregel_pull, b",
      );
      await saver.putWrites(at("t", one), [["n", "a1"]], "task-a", "~__pregel_pull, a");
      await saver.putWrites(at("t", one), [["n", "again"]], "task-a", "~__pregel_pull, a");
      const tuple = await saver.getTuple(at("t"));
      expect(tuple?.pendingWrites?.map(([, , value]) => value)).toEqual(["a1", "b1", "b2"]);
    });

    it("keeps the last of two special writes of one task, and the first of ordinary ones", async () => {
      const one = makeCheckpoint();
      await saver.put(at("t"), one, metadata, {});
      await saver.putWrites(
        at("t", one),
        [
          ["__interrupt__", "first"],
          ["__interrupt__", "second"],
          ["n", 1],
        ],
        "task",
      );
      await saver.putWrites(at("t", one), [["__interrupt__", "third"]], "task");
      await saver.putWrites(
        at("t", one),
        [
          ["m", 0],
          ["m", 0],
          ["n", 2],
        ],
        "task",
      );
      const tuple = await saver.getTuple(at("t"));
      expect(tuple?.pendingWrites?.map(([, channel, value]) => [channel, value])).toEqual(
        expect.arrayContaining([
          ["__interrupt__", "third"],
          ["n", 1],
        ]),
      );
    });

    it("refuses whoever lost the turn", async () => {
      await fenceThread(store.checkpoints, "t", 2);
      const one = makeCheckpoint();
      const lost = { code: "TURN_LOST" };
      await expect(saver.put(at("t", undefined, { fence: 1 }), one, metadata, {})).rejects.toMatchObject(lost);
      await saver.put(at("t", undefined, { fence: 2 }), one, metadata, {});
      await expect(saver.putWrites(at("t", one, { fence: 1 }), [["n", 1]], "task")).rejects.toMatchObject(lost);
      await expect(saver.putWrites(at("t", one), [["n", 1]], "task")).rejects.toMatchObject(lost);
      // A thread that was deleted still keeps the late writer out.
      await saver.deleteThread("t");
      await expect(saver.put(at("t", undefined, { fence: 1 }), makeCheckpoint(), metadata, {})).rejects.toMatchObject(
        lost,
      );
      expect(await countCheckpoints(store.checkpoints)).toBe(0);
    });

    it.each([[{ $gt: "" }], ["a'; DROP TABLE checkpoints; --"], [""], [7]])(
      "takes plain names only, not %j",
      async (thread_id) => {
        await expect(saver.getTuple({ configurable: { thread_id } })).rejects.toThrow("thread_id");
        await expect(saver.put({ configurable: { thread_id } }, makeCheckpoint(), metadata, {})).rejects.toThrow(
          "thread_id",
        );
      },
    );
  });

  describe("StoreCheckpointSaver that holds", () => {
    const lost = { code: "TURN_LOST" };
    const count = async () => [await countCheckpoints(store.checkpoints), await countWrites()];
    beforeEach(async () => {
      saver = new StoreCheckpointSaver(store, "hold");
      await store.turnCheckpoints.fence("t", 1);
    });

    it("keeps the newest checkpoint and its writes in memory, and stores them when it is told to", async () => {
      const [one, two] = [makeCheckpoint({ n: 1 }), makeCheckpoint({ n: 2 })];
      expect(await saver.getTuple(at("t"))).toBeUndefined();
      await saver.put(at("t", undefined, { fence: 1 }), one, metadata, {});
      await saver.putWrites(at("t", one, { fence: 1 }), [["n", 2]], "task");
      await saver.put(at("t", one, { fence: 1 }), two, metadata, {});
      await saver.putWrites(at("t", two, { fence: 1 }), [["__interrupt__", "may I?"]], "task");
      expect(await count()).toEqual([0, 0]);
      await saver.flush("t");
      expect(await count()).toEqual([1, 1]);
      const [tuple] = [await new StoreCheckpointSaver(store, "prune").getTuple(at("t"))];
      expect(tuple).toMatchObject({
        checkpoint: { id: two.id, channel_values: { n: 2 } },
        pendingWrites: [["task", "__interrupt__", "may I?"]],
        parentConfig: { configurable: { checkpoint_id: one.id } },
      });
    });

    it("stores what it holds before it is read", async () => {
      const one = makeCheckpoint({ n: 1 });
      await saver.put(at("t", undefined, { fence: 1 }), one, metadata, {});
      expect(await saver.getTuple(at("t"))).toMatchObject({ checkpoint: { id: one.id } });
      expect(await count()).toEqual([1, 0]);
    });

    it("refuses whoever lost the turn at each put, not only when it stores", async () => {
      const one = makeCheckpoint();
      await saver.put(at("t", undefined, { fence: 1 }), one, metadata, {});
      await store.turnCheckpoints.fence("t", 2);
      await expect(saver.put(at("t", one, { fence: 1 }), makeCheckpoint(), metadata, {})).rejects.toMatchObject(lost);
      await expect(saver.putWrites(at("t", one, { fence: 1 }), [["n", 1]], "task")).rejects.toMatchObject(lost);
      await expect(saver.put(at("t", one), makeCheckpoint(), metadata, {})).rejects.toMatchObject(lost);
      // What the first one held is the newest state there is.
      await saver.flush("t");
      expect(await saver.getTuple(at("t"))).toMatchObject({ checkpoint: { id: one.id } });
    });

    it("refuses a late writer in another process when it stores", async () => {
      await saver.put(at("t", undefined, { fence: 1 }), makeCheckpoint(), metadata, {});
      await fenceThread(store.checkpoints, "t", 2);
      await expect(saver.flush("t")).rejects.toMatchObject(lost);
      expect(await count()).toEqual([0, 0]);
    });

    it("forgets a turn that has ended, and refuses who comes late", async () => {
      const one = makeCheckpoint();
      await saver.put(at("t", undefined, { fence: 1 }), one, metadata, {});
      await store.turnCheckpoints.remove("t");
      await expect(saver.put(at("t", one, { fence: 1 }), makeCheckpoint(), metadata, {})).rejects.toMatchObject(lost);
      await saver.flush("t");
      expect(await count()).toEqual([0, 0]);
      await store.turnCheckpoints.fence("stored", 1);
      await saver.put(at("stored", undefined, { fence: 1 }), one, metadata, {});
      await saver.flush("stored");
      await store.turnCheckpoints.remove("stored");
      expect(await count()).toEqual([0, 0]);
    });
  });

  describe("a graph on it", () => {
    const State = Annotation.Root({
      ran: Annotation<string[]>({ reducer: (a, b) => [...a, ...b], default: () => [] }),
    });

    function createGraph(opened: Store, ran: string[]) {
      const note = (name: string) => () => {
        ran.push(name);
        return { ran: [name] };
      };
      return new StateGraph(State)
        .addNode("think", note("think"))
        .addNode("ask", () => ({ ran: [`asked ${interrupt<string, string>("may I?")}`] }))
        .addNode("act", note("act"))
        .addEdge(START, "think")
        .addEdge("think", "ask")
        .addEdge("ask", "act")
        .addEdge("act", END)
        .compile({ checkpointer: new StoreCheckpointSaver(opened, "prune") });
    }

    it("an interrupted graph is reopened from the file by another saver and resumes without repeating itself", async () => {
      const place = await createStorePlace(engine);
      const ran: string[] = [];
      const config = { configurable: { thread_id: "t", __pregel_strict_resume: true }, durability: "sync" as const };
      const before = await openStore(place);
      await createGraph(before, ran).invoke({}, config);
      expect(await countCheckpoints(before.checkpoints)).toBe(1);
      await before.close();

      const after = await openStore(place);
      const graph = createGraph(after, ran);
      const [pending] = (await graph.getState(config)).tasks.flatMap((task) => task.interrupts);
      expect(pending?.value).toBe("may I?");
      const answer = { [pending?.id ?? ""]: "yes" };
      expect(await graph.invoke(new Command({ resume: answer }), config)).toEqual({
        ran: ["think", "asked yes", "act"],
      });
      // The same answer once more finds nothing to answer.
      await expect(graph.invoke(new Command({ resume: answer }), config)).rejects.toThrow(/interrupt/i);
      expect(ran).toEqual(["think", "act"]);
      await after.close();
    });
  });
});
