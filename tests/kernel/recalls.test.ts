import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeMessage, makeRecall, type Said } from "../support/fake-channel.ts";
import { TestGateway } from "../support/gateway.ts";
import { createStorePlace, listEngines } from "../support/store-engines.ts";

describe.each(listEngines())("on %s:", (engine) => {
  let kurisu: TestGateway;
  beforeEach(async () => {
    kurisu = new TestGateway({ place: await createStorePlace(engine) });
    await kurisu.start();
  });
  afterEach(() => kurisu.dispose());

  const texts = () => kurisu.channel.sent.map(({ text }) => text);
  const asked = () => kurisu.model.asked.map(({ text }) => text.replace(/^\w+: /, ""));

  /** The first message is at work until `release`; the second waits behind it. */
  async function sayTwo(said: Said = {}) {
    const gate = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const before = kurisu.model.script;
    kurisu.model.script = async (view) => {
      begun.resolve();
      await gate.promise;
      return before(view);
    };
    const [first, second] = [makeMessage("第一条", said), makeMessage("第二条", said)];
    await kurisu.channel.deliver(first);
    await begun.promise;
    await kurisu.channel.deliver(second);
    return {
      first,
      second,
      async release() {
        gate.resolve();
        await kurisu.settle();
      },
    };
  }

  describe("a recalled message", () => {
    it("a recalled message that still waits is dropped, and the others go on", async () => {
      const { second, release } = await sayTwo();
      const third = makeMessage("第三条");
      await kurisu.channel.deliver(third, makeRecall(second));
      // The lane is asked only after the recall was looked at.
      await kurisu.until(async () => (await stateOf(kurisu, second.key)) === "done");
      await release();
      expect(asked()).toEqual(["第一条", "第三条"]);
      expect(texts().join()).not.toContain("第二条");
    });

    it("a recalled message that is being answered is stopped silently, and the next one goes on", async () => {
      const { first, release } = await sayTwo();
      await kurisu.channel.deliver(makeRecall(first));
      await kurisu.until(async () => (await stateOf(kurisu, `recall:${first.messageId}:owner`)) === "done");
      await release();
      expect(texts()).toEqual(["听到了，你说的是：第二条"]);
    });

    it("a recalled message that asked for confirmation closes its question, and a later approval runs nothing", async () => {
      const message = makeMessage("poke a");
      await kurisu.channel.deliver(message);
      await kurisu.settle();
      expect(await kurisu.questions()).toHaveLength(1);
      await kurisu.channel.deliver(makeRecall(message));
      await kurisu.settle();
      expect(await kurisu.questions()).toEqual([]);
      expect(kurisu.channel.closed).toHaveLength(1);
      await kurisu.say("确认");
      expect(kurisu.did()).toEqual([]);
    });

    it("a recalled approval that was acted on changes nothing", async () => {
      await kurisu.say("poke a");
      const yes = makeMessage("确认");
      await kurisu.channel.deliver(yes);
      await kurisu.settle();
      expect(kurisu.did()).toEqual(["a"]);
      const before = texts();
      await kurisu.channel.deliver(makeRecall(yes));
      await kurisu.settle();
      expect(kurisu.did()).toEqual(["a"]);
      expect(texts()).toEqual(before);
    });

    it("a recall aborts the running call, and the message's question in another turn stays", async () => {
      await kurisu.say("poke other");
      const started = Promise.withResolvers<void>();
      kurisu.onRun = async (_, { signal }) => {
        started.resolve();
        await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
        return { ok: false, error: "aborted" };
      };
      const message = makeMessage("note a > note b");
      await kurisu.channel.deliver(message);
      await started.promise;
      await kurisu.channel.deliver(makeRecall(message));
      await kurisu.settle();
      expect(kurisu.did()).toEqual(["a"]);
      expect((await kurisu.questions()).map(({ calls }) => calls[0]?.summary)).toEqual(["other"]);
    });

    it("a dropped recalled message stays dropped over a restart", async () => {
      const { second } = await sayTwo();
      await kurisu.channel.deliver(makeRecall(second));
      await kurisu.until(async () => (await stateOf(kurisu, second.key)) === "done");
      kurisu.model.script = () => ({ text: "好" });
      await kurisu.restart();
      await kurisu.settle();
      expect(asked().filter((text) => text === "第二条")).toEqual([]);
    });
  });

  describe("in a group", () => {
    const said = { user: "alice", chat: "lab", group: true } as const;

    it("a message of another person is recalled only by the group's administrators", async () => {
      const { second, release } = await sayTwo(said);
      await kurisu.channel.deliver(makeRecall(second, { user: "bob" }));
      await kurisu.until(async () => (await stateOf(kurisu, `recall:${second.messageId}:bob`)) === "done");
      expect(await stateOf(kurisu, second.key)).toBe("received");
      await kurisu.channel.deliver(makeRecall(second, { user: "carol", administrator: true }));
      await kurisu.until(async () => (await stateOf(kurisu, second.key)) === "done");
      await release();
      expect(asked()).toEqual(["第一条"]);
    });

    it("a recall of an unknown message does nothing", async () => {
      await kurisu.say("在吗", said);
      await kurisu.channel.deliver(makeRecall(makeMessage("别的", said)));
      await kurisu.settle();
      expect(texts()).toEqual(["听到了，你说的是：alice: 在吗"]);
    });
  });
});

async function stateOf(kurisu: TestGateway, key: string): Promise<string | undefined> {
  const row = await kurisu.store.main
    .selectFrom("inbox")
    .select("state")
    .where("event_key", "=", key)
    .executeTakeFirst();
  return row?.state;
}
