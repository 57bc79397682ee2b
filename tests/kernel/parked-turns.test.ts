import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { countCheckpoints } from "../../src/store/queries/checkpoints.ts";
import { findTurn } from "../../src/store/queries/turns.ts";
import { codeOf, TestGateway } from "../support/gateway.ts";
import { createStorePlace, listEngines } from "../support/store-engines.ts";

describe.each(listEngines())("on %s:", (engine) => {
  let kurisu: TestGateway;
  beforeEach(async () => {
    kurisu = new TestGateway({ place: await createStorePlace(engine), timeoutMs: 40 });
    await kurisu.start();
  });
  afterEach(() => kurisu.dispose());

  const untilClosed = () => kurisu.until(async () => (await kurisu.questions()).length === 0);

  async function park(what: string, user = "owner"): Promise<{ readonly turn: string; readonly code: string }> {
    await kurisu.say(`poke ${what}`, { user });
    const prompt = kurisu.lastPrompt();
    return { turn: prompt.message.turn ?? "", code: codeOf(prompt) };
  }

  describe("a parked turn", () => {
    it("waits in the tables only: nothing of it runs, one checkpoint is kept", async () => {
      const { turn } = await park("a");
      expect(await findTurn(kurisu.store.main, turn)).toMatchObject({ state: "parked" });
      expect(await countCheckpoints(kurisu.store.checkpoints)).toBe(1);
    });

    it("ends at its deadline by itself, with one notice, a record for the model and no call to it", async () => {
      const { turn, code } = await park("a");
      kurisu.clock.advance(40);
      await untilClosed();
      await kurisu.settle();
      expect(await findTurn(kurisu.store.main, turn)).toMatchObject({ state: "ended", outcome: "expired" });
      expect(await countCheckpoints(kurisu.store.checkpoints)).toBe(0);
      expect(kurisu.model.asked).toHaveLength(1);
      expect(
        kurisu.channel.sent.filter((sent) => sent.message.kind === "notice" && sent.text.includes(code)),
      ).toHaveLength(1);
      expect(kurisu.channel.closed).toHaveLength(1);
      await kurisu.say("后来呢");
      const prompt = JSON.stringify(kurisu.model.asked.at(-1)?.request.messages.map((message) => message.content));
      expect(prompt).toContain(`Question ${code} is closed (expiry)`);
    });

    it("asks the same again on 重来, also when only what it had read made it ask", async () => {
      await kurisu.say("read_page x > note a");
      expect(kurisu.did()).toEqual(["x"]);
      for (let times = 0; times < 2; times += 1) {
        kurisu.clock.advance(40);
        await untilClosed();
        await kurisu.settle();
        await kurisu.say("重来");
        expect(kurisu.did()).toEqual(["x"]);
        expect(await kurisu.questions()).toHaveLength(1);
      }
      await kurisu.say(`确认 ${codeOf(kurisu.lastPrompt())}`);
      expect(kurisu.did()).toEqual(["x", "a"]);
    });

    it("ends each at its own deadline", async () => {
      await park("a", "alice");
      kurisu.clock.advance(30);
      await park("b", "bob");
      kurisu.clock.advance(15);
      await kurisu.until(async () => (await kurisu.questions()).length === 1);
      await sleep(30);
      expect((await kurisu.questions()).map((question) => question.asker)).toEqual(["fake:bob"]);
    });

    it("a parked turn whose deadline passed during a stop ends at the start, once", async () => {
      await park("a");
      await kurisu.stop();
      kurisu.clock.advance(3_600_000);
      await kurisu.start();
      await untilClosed();
      await kurisu.restart();
      await kurisu.settle();
      const notices = await kurisu.store.main
        .selectFrom("outbox")
        .select("id")
        .where("id", "like", "%.expired")
        .execute();
      expect(notices).toHaveLength(1);
      expect(kurisu.did()).toEqual([]);
    });

    it("a restart reminds of a parked turn, once per question", async () => {
      const { code } = await park("a");
      await kurisu.restart();
      await kurisu.restart();
      await kurisu.settle();
      const reminders = kurisu.channel.sent.filter(
        (sent) => sent.message.kind === "notice" && sent.text.includes(code),
      );
      expect(reminders).toHaveLength(1);
      await kurisu.say("确认");
      expect(kurisu.did()).toEqual(["a"]);
    });

    it("closes although its card cannot be changed", async () => {
      kurisu.channel.close = () => Promise.reject(new Error("message to edit not found"));
      await park("a");
      await kurisu.say("取消");
      expect(await kurisu.questions()).toEqual([]);
    });

    it("the operator decides a parked turn by code or id, once", async () => {
      const { code } = await park("a");
      await expect(kurisu.gateway.decide("Z9Z9", "approved", "cli:owner")).rejects.toMatchObject({
        code: "APPROVAL_NOT_FOUND",
      });
      expect(await kurisu.gateway.decide(code.toLowerCase(), "approved", "cli:owner")).toMatchObject({
        closedHow: "command",
      });
      await expect(kurisu.gateway.decide(code, "rejected", "cli:owner")).rejects.toMatchObject({
        code: "APPROVAL_NOT_FOUND",
      });
      await kurisu.settle();
      expect(kurisu.did()).toEqual(["a"]);
    });

    it("cannot be decided by the operator after its deadline", async () => {
      const [question] = [await park("a")];
      kurisu.clock.advance(40);
      await expect(kurisu.gateway.decide(question.code, "approved", "cli:owner")).rejects.toMatchObject({
        code: "APPROVAL_NOT_FOUND",
      });
      await untilClosed();
      expect(kurisu.did()).toEqual([]);
    });
  });
});
