import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeMessage, makePress, type Said } from "../support/fake-channel.ts";
import { codeOf, pressOf, TestGateway } from "../support/gateway.ts";
import { createStorePlace, listEngines } from "../support/store-engines.ts";

const room = { chat: "room", group: true } as const;
const alice: Said = { ...room, user: "alice" };
const bob: Said = { ...room, user: "bob" };
const owner: Said = { ...room, user: "owner" };
const guest: Said = { ...room, user: "mallory" };

describe.each(listEngines())("on %s:", (engine) => {
  let kurisu: TestGateway;
  beforeEach(async () => {
    kurisu = new TestGateway({ place: await createStorePlace(engine) });
    await kurisu.start();
  });
  afterEach(() => kurisu.dispose());

  describe("in a group", () => {
    it("only the one who asked decides, in words or by button", async () => {
      await kurisu.say("poke a", alice);
      await kurisu.say("确认", bob);
      expect(kurisu.lastText()).toContain("alice");
      await kurisu.press(kurisu.lastPrompt(), "approve", bob);
      expect(kurisu.channel.toasts.at(-1)).toContain("alice");
      await kurisu.say("确认", guest);
      await kurisu.press(kurisu.lastPrompt(), "approve", guest);
      expect(kurisu.did()).toEqual([]);
      await kurisu.say("确认", alice);
      expect(kurisu.did()).toEqual(["a"]);
    });

    it("an owner who is there decides too", async () => {
      await kurisu.say("poke a", alice);
      await kurisu.say("确认", owner);
      expect(kurisu.effects).toMatchObject([{ what: "a", person: "fake:alice" }]);
    });

    it("an owner somewhere else does not", async () => {
      await kurisu.say("poke a", alice);
      await kurisu.say(`确认 ${codeOf(kurisu.lastPrompt())}`);
      await kurisu.say("确认", { quote: kurisu.lastPrompt().id });
      await kurisu.channel.deliver(pressOf(kurisu.lastPrompt(), "approve", { user: "owner", chat: "owner" }));
      await kurisu.settle();
      expect(kurisu.did()).toEqual([]);
      expect(await kurisu.questions("fake:bot:room")).toHaveLength(1);
    });

    it("two people's questions are told apart by who speaks", async () => {
      await kurisu.say("poke a", alice);
      await kurisu.say("poke b", bob);
      await kurisu.say("确认", bob);
      expect(kurisu.did()).toEqual(["b"]);
      await kurisu.say("取消", alice);
      expect(kurisu.did()).toEqual(["b"]);
    });

    it("another person's everyday refusal is ordinary talk, and answered", async () => {
      await kurisu.say("poke a", alice);
      await kurisu.say("不要", bob);
      expect(kurisu.lastText()).toContain("不要");
      expect(await kurisu.questions()).toHaveLength(1);
    });

    it.each([
      ["edited", { edited: true }],
      ["forwarded", { forwarded: true }],
      ["written through another bot", { viaBot: true }],
      ["a caption", { caption: true }],
      ["a bot's", { sender: "bot" }],
      ["anonymous", { sender: "anonymous" }],
    ] as const)("an approval that is %s decides nothing", async (_, how) => {
      await kurisu.say("poke a", alice);
      await kurisu.say("确认", { ...alice, ...how });
      await kurisu.say(`确认 ${codeOf(kurisu.lastPrompt())}`, { ...alice, ...how });
      expect(kurisu.did()).toEqual([]);
      expect(await kurisu.questions()).toHaveLength(1);
    });

    it("an anonymous press decides nothing", async () => {
      await kurisu.say("poke a", alice);
      await kurisu.press(kurisu.lastPrompt(), "approve", { ...alice, sender: "anonymous" });
      expect(kurisu.did()).toEqual([]);
    });

    it("a press with made-up data decides nothing", async () => {
      await kurisu.say("poke a", alice);
      const { id } = kurisu.lastPrompt();
      for (const data of ["a:none:y", "a::y", "y", "", `a:${id}:y`, "a:q_1:y:y"]) {
        await kurisu.channel.deliver(makePress(data, { ...alice, messageId: id }));
      }
      await kurisu.settle();
      expect(kurisu.did()).toEqual([]);
      expect(await kurisu.questions()).toHaveLength(1);
    });

    it("a guest has only what reads", async () => {
      await kurisu.say("poke a; peek p; note n", guest);
      expect(kurisu.prompts()).toEqual([]);
      expect(kurisu.did()).toEqual(["p"]);
      expect(kurisu.model.asked[0]?.tools).toEqual(["peek", "read_page"]);
    });

    it("a question that was not delivered yet cannot be confirmed", async () => {
      kurisu.channel.onSend = (message) =>
        message.kind === "question" ? { kind: "later", afterMs: 60_000, reason: "slow down" } : undefined;
      await kurisu.say("poke a", alice);
      const [question] = await kurisu.questions();
      await kurisu.say("确认", alice);
      await kurisu.say(`确认 ${question?.code}`, alice);
      expect(kurisu.did()).toEqual([]);
      await kurisu.say(`取消 ${question?.code}`, alice);
      expect(await kurisu.questions()).toEqual([]);
    });

    it("talk that is not meant for her is left alone, answers are not", async () => {
      await kurisu.dispose();
      kurisu = new TestGateway({ mentionOnly: true });
      await kurisu.start();
      await kurisu.channel.deliver(makeMessage("我们去吃饭吧", { ...bob, addressed: false }));
      await kurisu.say("poke a", alice);
      await kurisu.say("确认", { ...alice, addressed: false });
      expect(kurisu.did()).toEqual(["a"]);
      expect(kurisu.model.asked.map((view) => view.text)).not.toContain("bob: 我们去吃饭吧");
    });
  });
});
