import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { listTurns } from "../../../src/store/queries/turns.ts";
import { Gate } from "../../support/gate.ts";
import { codeOf, TestGateway } from "../../support/gateway.ts";
import { sendAgents, testAgents } from "../../support/send-agents.ts";
import { createStorePlace, listUsualEngines } from "../../support/store-engines.ts";

describe.each(listUsualEngines())("sub-agents and world lines on %s:", (engine) => {
  let kurisu: TestGateway;
  beforeEach(async () => {
    kurisu = new TestGateway({ place: await createStorePlace(engine), agents: testAgents });
    kurisu.model.script = sendAgents();
    await kurisu.start();
    await kurisu.say("早");
  });
  afterEach(() => kurisu.dispose());

  const readPrompts = () =>
    kurisu.model.asked.flatMap(({ request }) => request.messages.map((message) => message.text)).join("\n");
  const living = async () => (await listTurns(kurisu.store.main, ["running", "parked"])).map(({ id }) => id);

  it.each([
    ["that the turn waits for", "派 worker: poke 秘密", 'poke: "秘密"'],
    ["in the background", "派 bg worker: poke 秘密", "(in the background) was stopped"],
  ])(
    "a sub-agent %s and that asks something ends when a person leaves the branch, and nothing of it arrives later",
    async (_, words, kept) => {
      await kurisu.say(words);
      const code = codeOf(kurisu.lastPrompt());
      const asked = kurisu.model.asked.length;
      await kurisu.say("/dmail 0 换个话题");
      await kurisu.settle();
      expect(kurisu.channel.sent.at(-2)?.text).toMatch(
        new RegExp(`^D-Mail 已送达.*${code} 也一并作废，没有执行。`, "s"),
      );
      expect(kurisu.lastText()).toBe("听到了，你说的是：换个话题");
      expect(kurisu.channel.closed.at(-1)?.text).toMatch(/^⊘/);
      expect(await living()).toEqual([]);
      const { messages } = kurisu.model.asked.at(-1)?.request ?? { messages: [] };
      expect(kurisu.model.asked).toHaveLength(asked + 1);
      expect(JSON.stringify(messages)).not.toContain("秘密");
      await kurisu.say(`确认 ${code}`);
      expect(kurisu.did()).toEqual([]);
      await kurisu.say("/worldline 1");
      await kurisu.say("后来呢");
      expect(readPrompts()).toContain(kept);
      expect(readPrompts()).toContain(`Question ${code} is closed (worldline)`);
    },
  );

  it("the branch cannot change while a sub-agent runs, and another sub-agent's question stays open", async () => {
    const gate = new Gate();
    kurisu.onRun = async ({ what }, { signal }) => {
      if (what === "慢") await gate.pass(signal);
      return { ok: true, output: what };
    };
    const sent = kurisu.say("派 bg worker: note 慢 | worker: poke 快");
    await kurisu.until(async () => gate.waiting > 0 && (await kurisu.questions()).length === 1);
    const moving = [kurisu.say("/dmail 0 换个话题"), kurisu.say("/worldline 2")];
    await kurisu.until(() => kurisu.channel.sent.some(({ text }) => text.startsWith("没有 2 这条世界线")));
    expect(kurisu.channel.sent.some(({ text }) => text.includes("现在动过去会出悖论"))).toBe(true);
    expect(await kurisu.questions()).toHaveLength(1);
    gate.open();
    await Promise.all([sent, ...moving]);
    // Its report is told on its own line before anybody can leave it.
    expect(kurisu.channel.sent.filter(({ text }) => text.includes("worked in the background"))).toHaveLength(1);
    await kurisu.say("/dmail 0 换个话题");
    const prompt = JSON.stringify(kurisu.model.asked.at(-1)?.request.messages.map(({ content }) => content));
    expect(prompt).toContain("换个话题");
    expect(prompt).not.toMatch(/慢|快/);
    expect(await living()).toEqual([]);
  });

  it("the model is told that a sub-agent worked on the branch that was left", async () => {
    await kurisu.say("派 worker: note 秘密");
    await kurisu.say("/dmail 0 换个话题");
    const prompt = JSON.stringify(kurisu.model.asked.at(-1)?.request.messages.map(({ content }) => content));
    expect(prompt).toContain("They ran: task.");
    expect(prompt).not.toContain("秘密");
  });
});
