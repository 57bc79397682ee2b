import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { InboundMessage } from "../../../src/channels/types.ts";
import { noteWishes } from "../../../src/features/memory/preferences/note-wishes.ts";
import { listPreferences } from "../../../src/features/memory/queries/preferences.ts";
import { TestGateway } from "../../support/gateway.ts";
import { createStorePlace, listUsualEngines } from "../../support/store-engines.ts";

describe.each(listUsualEngines())("how a person likes things, on %s:", (engine) => {
  let kurisu: TestGateway;
  beforeEach(async () => {
    kurisu = new TestGateway({ place: await createStorePlace(engine) });
    await kurisu.start();
  });
  afterEach(() => kurisu.dispose());

  /** What the model was told in its newest request. */
  const told = () => JSON.stringify(kurisu.model.asked.at(-1)?.request.messages);
  const group = (user: string) => ({ user, chat: "group", group: true }) as const;
  const say = async (...said: Parameters<TestGateway["say"]>) => {
    kurisu.clock.advance(1);
    await kurisu.say(...said);
  };
  const notesOf = async (person: string) =>
    (await listPreferences(kurisu.store.main, `fake:${person}`)).map(({ text }) => text);

  it("a wish is noted when the person says it, shown, used, and forgotten on request", async () => {
    await say("以后都用简体。");
    expect(told()).toContain("- 以后都用简体");
    await say("搜索给我 3 条就行");
    await say("/preferences");
    expect(kurisu.lastText()).toContain("1. 以后都用简体（你说的）\n2. 搜索给我 3 条就行（你说的）");
    await say("以后都用繁体");
    await say("/preferences add 叫我凤凰院<凶真>");
    await say("/preferences forget 2");
    expect(kurisu.lastText()).toContain("搜索给我 3 条就行");
    await say("/preferences");
    expect(kurisu.lastText()).toContain("1. 以后都用繁体（你说的）\n2. 叫我凤凰院‹凶真›（你加的）");
    expect(kurisu.lastText()).not.toContain("简体");
    await say("你好");
    expect(told()).toContain("- 叫我凤凰院‹凶真›");
    await say("/preferences forget all");
    await say("你好");
    expect(told()).not.toContain("how this person likes things");
    for (const wrong of ["/preferences forget 9", "/preferences forget", "/preferences burn"]) {
      await say(wrong);
      expect(kurisu.lastText()).toMatch(/没有第 9 条|用法/);
    }
    await say(`/preferences add ${"长".repeat(200)}`);
    expect(kurisu.lastText()).toContain("120");
  });

  it("nothing is learnt from words that a command or a bot put into the person's mouth", async () => {
    const person = { id: "fake:owner", name: "owner", role: "owner" } as const;
    const sender = { kind: "person", id: "owner", name: "owner" } as const;
    const text = "以后都用简体。";
    const note = (more: { ordered?: NonNullable<InboundMessage["ordered"]>; viaBot?: true }) =>
      noteWishes(kurisu.store.main, { text, sender, forwarded: false, viaBot: false, ...more }, person, 1);
    await note({ ordered: [{ name: "mcp_read", arguments: {} }] });
    await note({ viaBot: true });
    expect(await notesOf("owner")).toEqual([]);
    await note({});
    expect(await notesOf("owner")).toEqual(["以后都用简体"]);
  });

  it("approvals and rejections become a habit, which changes nothing about what needs approval", async () => {
    for (let time = 0; time < 3; time += 1) {
      await say("poke a");
      await say("确认");
    }
    await say("/preferences");
    expect(kurisu.lastText()).toContain("usually agrees to poke (seen)");
    const asked = kurisu.prompts().length;
    await say("poke a");
    expect(kurisu.prompts().length).toBe(asked + 1);
    expect(kurisu.did()).toHaveLength(3);
    await say("取消");
    await say("/preferences");
    expect(kurisu.lastText()).not.toContain("usually agrees");
    await say("poke a");
    await say("取消");
    await say("/preferences");
    expect(kurisu.lastText()).toContain("has refused poke several times");
    expect(kurisu.did()).toHaveLength(3);
  });

  it("each person has their own wishes, and a group never shows another's", async () => {
    await say("以后都用简体", group("alice"));
    await say("以后都用繁体", group("bob"));
    expect(told()).toContain("- 以后都用繁体");
    expect(told()).not.toContain("- 以后都用简体");
    for (const telling of ["/preferences", "/preferences list", "/preferences forget 1"]) {
      await say(telling, group("bob"));
      expect(kurisu.lastText()).toMatch(/in private|私聊/);
      expect(kurisu.lastText()).not.toContain("繁体");
    }
    expect(await notesOf("bob")).toEqual(["以后都用繁体"]);
    await say("/preferences forget all", group("bob"));
    expect([await notesOf("alice"), await notesOf("bob")]).toEqual([["以后都用简体"], []]);
  });

  it("wishes do not come from forwards, from guests, or from an approval by another person", async () => {
    await say("以后都用简体", { forwarded: true });
    await say("以后都用简体", group("stranger"));
    await say("poke a", group("alice"));
    await say("确认", { ...group("owner"), quote: kurisu.lastPrompt().id });
    for (const person of ["owner", "stranger", "alice"]) expect(await notesOf(person)).toEqual([]);
  });

  it("the wishes are bounded: the oldest said one goes, added ones stay", async () => {
    await say("/preferences add 第一条");
    for (let number = 0; number < 25; number += 1) await say(`别再说第${number}句话`);
    const notes = await notesOf("owner");
    expect(notes).toHaveLength(20);
    expect(notes).toContain("第一条");
    expect(notes).toContain("别再说第24句话");
    expect(notes).not.toContain("别再说第5句话");
    for (let number = 0; number < 25; number += 1) await say(`/preferences add 又${number}`);
    expect(kurisu.lastText()).toContain("最多记 20 条");
  });
});
