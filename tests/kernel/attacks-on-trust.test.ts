import { afterEach, describe, expect, it } from "vitest";
import { bindAnswer } from "../../src/kernel/questions/bind-answer.ts";
import { createMessageRate } from "../../src/kernel/inbox/refuse-fast.ts";
import { listPreferences } from "../../src/features/memory/queries/preferences.ts";
import { defaultTerms } from "../../src/kernel/gate/approval-terms.ts";
import type { ApprovalTerms } from "../../src/kernel/gate/types.ts";
import { effectRules } from "../support/effect-tools.ts";
import { makeMessage, type Said } from "../support/fake-channel.ts";
import { TestGateway } from "../support/gateway.ts";
import type { TestGatewayOptions } from "../support/gateway-options.ts";
import { HandClock } from "../support/hand-clock.ts";
import { makeQuestion } from "../support/make-question.ts";
import { createStorePlace, listEngines } from "../support/store-engines.ts";

const inRoom = (user: string): Said => ({ chat: "room", group: true, user });

describe.each(listEngines())("on %s:", (engine) => {
  let kurisu: TestGateway;
  afterEach(() => kurisu.dispose());

  async function start(options: TestGatewayOptions = {}): Promise<void> {
    kurisu = new TestGateway({
      place: await createStorePlace(engine),
      members: ["alice", "bob", "carol", "dave"],
      ...options,
    });
    await kurisu.start();
  }

  describe("a role that is taken away between the question and the yes", () => {
    it.each<[string, Partial<ApprovalTerms>]>([
      ["an owner's yes", { approvers: ["owner"] }],
      ["two people", { votes: 2 }],
      ["another person's yes", { askerMayApprove: false }],
      ["an owner's yes in private", { ask: "owner" }],
    ])("brings the terms of the lower one: %s is not spared", async (_, terms) => {
      await start();
      kurisu.trusted = ["bob"];
      const approval = { ...defaultTerms, ...terms };
      kurisu.rules.current = {
        ...effectRules,
        rules: [
          { tool: "poke", level: "confirm", role: ["trusted"] },
          { tool: "poke", level: "confirm", role: ["member"], approval },
        ],
      };
      await kurisu.say("poke a", inRoom("bob"));
      kurisu.trusted = [];
      await kurisu.say("确认", inRoom("bob"));
      expect(await kurisu.questions()).toEqual([]);
      expect(kurisu.effects).toEqual([]);
    });

    it("changes nothing where both roles have the same terms", async () => {
      await start();
      kurisu.trusted = ["bob"];
      const approval = { ...defaultTerms, approvers: ["owner"] };
      kurisu.rules.current = { ...effectRules, rules: [{ tool: "poke", level: "confirm", approval }] };
      await kurisu.say("poke a", inRoom("bob"));
      kurisu.trusted = [];
      await kurisu.say("确认", inRoom("owner"));
      expect(kurisu.did()).toEqual(["a"]);
    });

    it("takes the vote of the one who lost it along", async () => {
      await start();
      kurisu.trusted = ["bob", "carol", "dave"];
      const approval = { ...defaultTerms, votes: 2, approvers: ["trusted"] };
      kurisu.rules.current = { ...effectRules, rules: [{ tool: "poke", level: "confirm", approval }] };
      await kurisu.say("poke a", inRoom("alice"));
      await kurisu.say("确认", inRoom("bob"));
      kurisu.trusted = ["carol", "dave"];
      await kurisu.say("确认", inRoom("carol"));
      expect(kurisu.effects).toEqual([]);
      expect(kurisu.lastText()).toContain("1/2");
      await kurisu.say("确认", inRoom("dave"));
      expect(kurisu.did()).toEqual(["a"]);
    });
  });

  describe("words that another program put into a person's mouth", () => {
    it("words through another bot do not count as the person's command", async () => {
      await start();
      await kurisu.say("/trust fake:bob", { viaBot: true });
      const { role } = (await kurisu.store.main
        .selectFrom("people")
        .select("role")
        .where("id", "=", "fake:bob")
        .executeTakeFirst()) ?? { role: "member" };
      expect(role).not.toBe("trusted");
    });

    it("words through another bot do not count as the person's lasting wish", async () => {
      await start();
      await kurisu.channel.deliver({ ...makeMessage("以后都用繁体", { user: "alice" }), viaBot: true });
      await kurisu.settle();
      expect(await listPreferences(kurisu.store.main, "fake:alice")).toEqual([]);
    });
  });

  describe("messages over a minute's limit begin no turn either when they are", () => {
    it("「重来」", async () => {
      await start({ limits: { messages: { person: 3 } } });
      await kurisu.say("poke a", { user: "alice" });
      await kurisu.say("/stop", { user: "alice" });
      for (let time = 0; time < 6; time += 1) {
        await kurisu.say("重来", { user: "alice" });
        await kurisu.say("/stop", { user: "alice" });
      }
      expect(kurisu.prompts()).toHaveLength(3);
    });

    it("「改成 …」", async () => {
      await start({ limits: { messages: { person: 3 } } });
      await kurisu.say("poke a", { user: "alice" });
      for (let time = 0; time < 6; time += 1) await kurisu.say(`改成 poke ${time}`, { user: "alice" });
      expect(kurisu.model.asked).toHaveLength(3);
    });

    it.each(["read", "prompt"])("/mcp %s", async (act) => {
      await start({ limits: { messages: { person: 3 } } });
      for (let time = 0; time < 3; time += 1) await kurisu.say(`/mcp ${act} lib a`, { user: "alice" });
      expect(kurisu.lastText()).toMatch(/没有叫 lib 的 MCP 服务器/);
      await kurisu.say(`/mcp ${act} lib a`, { user: "alice" });
      expect(kurisu.lastText()).toMatch(/一分钟最多 3 条/);
    });
  });
});

it("a code that two questions of a chat share decides neither", () => {
  const [one, two] = [makeQuestion(), makeQuestion({ id: "q2", promptMessage: "p2" })];
  const situation = { words: { kind: "approve", code: "K7" }, seq: 50, sentAt: 0, now: 60_000 } as const;
  const told = { decider: { id: "fake:alice" }, mayDecide: () => true, open: [one, two], closed: [] };
  const bound = bindAnswer({ ...situation, ...told, quote: undefined });
  expect(bound).toEqual({ kind: "status", status: { kind: "quote-the-prompt" } });
  const quoted = bindAnswer({ ...situation, ...told, quote: { messageId: "p2", fromUs: true } });
  expect(quoted).toMatchObject({ kind: "decide", question: { id: "q2" } });
});

describe("the count of messages", () => {
  it("a late message does not reset the count", () => {
    const clock = new HandClock();
    clock.advance(3_600_000);
    const rate = createMessageRate({ limits: () => ({ person: 2, owner: 2, all: 100 }), clock });
    const say = (ago: number) => rate({ person: "p", owner: false, sentAt: clock.now() - ago }).kind;
    expect([say(0), say(0), say(0)]).toEqual(["fine", "fine", "over"]);
    expect(say(600_000)).toBe("fine");
    expect(say(0)).toBe("over");
  });
});
