import { chatlogWords } from "../../../src/features/chatlog/words.ts";
import { afterEach, describe, expect, it } from "vitest";
import { wordsFor } from "../../../src/core/words/words.ts";
import { composeReply } from "../../../src/models/offline/compose-reply.ts";
import { offlinePhrasesSchema } from "../../../src/models/offline/phrases.ts";
import { createListMissedTool } from "../../../src/features/chatlog/tools/list-missed.ts";
import type { Tool } from "../../../src/kernel/tools/types.ts";
import { effectRules } from "../../support/effect-tools.ts";
import { makeMessage, makeRecall, type Said } from "../../support/fake-channel.ts";
import { TestGateway } from "../../support/gateway.ts";
import { createStorePlace, listUsualEngines, type EngineName } from "../../support/store-engines.ts";

let kurisu: TestGateway;
afterEach(() => kurisu.dispose());

const missed = chatlogWords.zh.missed;
const club = { group: true, chat: "club" } as const;
const minuteMs = 60_000;

interface Missed {
  readonly by: readonly { readonly from: string; readonly count: number }[];
  readonly messages: readonly { readonly from: string; readonly text: string; readonly minutesAgo: number }[];
  readonly olderLeftOut?: number;
  readonly onlySaidToYou?: string;
  readonly toHearAll?: string;
}

async function start({ engine = listUsualEngines()[0] as EngineName, isOffline = false, observe = true }) {
  const parts = { database: () => kurisu.store.main, hearsAll: () => observe };
  kurisu = new TestGateway({
    place: await createStorePlace(engine),
    mentionOnly: true,
    observe,
    isOffline,
    tools: [createListMissedTool(parts)] as Tool[],
  });
  const safe = [...effectRules.permissions.safe, "list_missed"];
  kurisu.rules.current = { ...effectRules, permissions: { ...effectRules.permissions, safe } };
  kurisu.model.script = ({ request, text, tools, results }) => {
    if (isOffline) {
      const phrases = offlinePhrasesSchema.parse({});
      return composeReply({ messages: request.messages, tools, language: "zh", phrases });
    }
    const asks = /错过/.test(text) && results.length === 0 && tools.includes("list_missed");
    return asks ? { calls: [{ name: "list_missed", arguments: {} }] } : { text: "好。" };
  };
  await kurisu.start();
}

/** Each is said a minute after the one before: `!` to her, anything else beside her. */
async function talk(...said: readonly (readonly [user: string, text: string, chat?: string])[]): Promise<void> {
  for (const [user, text, chat = "club"] of said) {
    const toHer = text.startsWith("!");
    await kurisu.say(toHer ? text.slice(1) : text, { ...club, chat, user, addressed: toHer });
    kurisu.clock.advance(minuteMs);
  }
}

/** What the model was given for its newest question. */
function given(): Missed {
  const result = kurisu.model.asked.findLast(({ results }) => results.length > 0)?.results.at(-1) ?? "{}";
  const { error, ok, output } = JSON.parse(result) as { ok: boolean; output: Missed; error?: string };
  if (!ok) throw new Error(error);
  return output;
}

const told = () => given().messages.map(({ from, text }) => `${from.replace(/#.*/, "")}: ${text}`);
const alice: Said = { ...club, user: "alice" };

describe.each(listUsualEngines())("the summary of a group for a member who was away, on %s:", (engine) => {
  it("the summary covers what others said since the person spoke, to her and beside her, as words of others", async () => {
    await start({ engine });
    await talk(
      ["bob", "很早的话"],
      ["alice", "!在吗"],
      ["bob", "!明天几点？"],
      ["carol", "周六去海边"],
      ["bob", "好啊"],
    );
    const before = kurisu.model.asked.length;
    await kurisu.say("/missed", alice);
    expect(kurisu.model.asked).toHaveLength(before + 1);
    expect(told()).toEqual(["bob: 明天几点？", "you: 好。", "carol: 周六去海边", "bob: 好啊"]);
    expect(given().by.map(({ count }) => count)).toEqual([2, 1, 1]);
    expect(given().messages.map(({ minutesAgo }) => minutesAgo)).toEqual([3, 3, 2, 1]);
    expect(given().messages[0]?.from).toMatch(/^bob#[0-9a-f]{6}$/);
    expect(given()).not.toHaveProperty("onlySaidToYou");
    expect(kurisu.lastText()).toBe("好。");
    const [row] = await kurisu.store.main
      .selectFrom("messages")
      .select("taint")
      .where("role", "=", "assistant")
      .orderBy("id", "desc")
      .limit(1)
      .execute();
    expect(row?.taint).toBe("untrusted");
    // They have just spoken: nothing is new, not even what was given to a turn. Others missed it still.
    kurisu.clock.advance(minuteMs);
    await kurisu.say("我错过了什么？", alice);
    expect(given().messages).toEqual([]);
    await talk(["carol", "我又说了一句"]);
    await kurisu.say("我错过了什么？", { ...club, user: "bob" });
    expect(told()).toEqual([
      "alice: 我错过了什么？",
      "you: 好。",
      "alice: 我错过了什么？",
      "you: 好。",
      "carol: 我又说了一句",
    ]);
    await kurisu.say("/missed 1", alice);
    expect(told()).toEqual(expect.arrayContaining(["bob: 很早的话", "carol: 周六去海边"]));
    expect(told().filter((line) => line.startsWith("alice"))).toEqual([]);
  });

  it("holds nothing of other chats, nothing that was taken back, and nothing that /new put aside", async () => {
    await start({ engine });
    await talk(["bob", "别的群里的话", "other"], ["bob", "!别的群里对她说", "other"], ["bob", "留下的话"]);
    await kurisu.say("私下说的密码", { user: "bob" });
    await kurisu.say("私下说的", { user: "alice" });
    const withdrawn = makeMessage("收回的话", { ...club, user: "carol", addressed: false });
    await kurisu.channel.deliver(withdrawn);
    await kurisu.settle();
    await kurisu.channel.deliver(makeRecall(withdrawn));
    await kurisu.settle();
    await kurisu.say("/missed", alice);
    expect(told()).toEqual(["bob: 留下的话"]);
    await kurisu.say("/new", alice);
    kurisu.clock.advance(minuteMs);
    await kurisu.say("/missed", alice);
    expect(given().messages).toEqual([]);
  });
});

it("the summary knows only what was said to her where she does not listen, and tells owners how to change that", async () => {
  await start({ observe: false });
  await talk(["alice", "!在吗"], ["bob", "不是对她说的"], ["bob", "!对她说的"]);
  const asked = kurisu.model.asked.length;
  await kurisu.say("/missed", alice);
  expect(kurisu.lastText()).toMatch(/只听得到对我说的话（observe 没有打开）.*channels\.yaml .*observe: true/);
  expect(kurisu.model.asked).toHaveLength(asked);
  await kurisu.say("我错过了什么？", alice);
  expect(told()).toEqual(["bob: 对她说的", "you: 好。"]);
  expect(given().onlySaidToYou).toContain("only what is said to you");
  expect(given()).not.toHaveProperty("toHearAll");
  await kurisu.say("我错过了什么？", { ...club, user: "owner" });
  expect(given().toHearAll).toContain("observe: true");
});

it("the summary is bounded in lines, letters and age, and keeps the newest", async () => {
  await start({});
  await talk(["bob", "太旧的话"]);
  kurisu.clock.advance(6 * 60 * minuteMs);
  for (let at = 0; at < 105; at += 1)
    await kurisu.channel.deliver(makeMessage(`第${at}句`, { ...club, user: "bob", addressed: false }));
  await kurisu.settle();
  kurisu.clock.advance(minuteMs);
  await kurisu.say("/missed", alice);
  expect(told()).toHaveLength(100);
  expect(told()[0]).toBe("bob: 第5句");
  kurisu.clock.advance(minuteMs);
  for (let at = 0; at < 40; at += 1)
    await kurisu.channel.deliver(makeMessage(`${at} ${"长".repeat(500)}`, { ...club, user: "bob", addressed: false }));
  await kurisu.settle();
  await kurisu.say("/missed", alice);
  expect(told().join("").length).toBeLessThanOrEqual(8_000);
  expect(given().olderLeftOut).toBe(40 - told().length);
  expect(told().at(-1)).toMatch(/^bob: 39 长+…$/);
});

it("the summary is for members in groups: guests, private chats and other words get a plain answer", async () => {
  await start({});
  await talk(["bob", "一句话"]);
  const asked = kurisu.model.asked.length;
  await kurisu.say("/missed", { ...club, user: "mallory" });
  expect(kurisu.lastText()).toContain(wordsFor("zh").access.ownerOnly);
  await kurisu.say("/missed", { user: "alice" });
  expect(kurisu.lastText()).toContain(missed.groupsOnly);
  await kurisu.say("/missed 昨天", alice);
  expect(kurisu.lastText()).toBe(missed.usage);
  await kurisu.say("/missed 7", alice);
  expect(kurisu.lastText()).toBe(missed.usage);
  expect(kurisu.model.asked).toHaveLength(asked);
  await kurisu.say("我错过了什么？", { ...club, user: "mallory" });
  expect(kurisu.model.asked.at(-1)?.results.at(-1)).toContain("Guests may not");
  await kurisu.say("我错过了什么？", { user: "alice" });
  expect(kurisu.model.asked.at(-1)?.tools).not.toContain("list_missed");
});

it("the summary without a model is a list: how many messages by whom, and how the newest begin", async () => {
  await start({ isOffline: true });
  await talk(["alice", "!你好"], ["bob", `周六去海边，${"很".repeat(200)}`], ["carol", "好啊"], ["bob", "几点"]);
  await kurisu.say("/missed", alice);
  expect(kurisu.lastText()).toContain("3 条：bob ×2, carol ×1。");
  expect(kurisu.lastText()).toMatch(/bob: 周六去海边，很+…\ncarol: 好啊\nbob: 几点/);
  kurisu.clock.advance(minuteMs);
  await kurisu.say("我错过了什么？", alice);
  expect(kurisu.lastText()).toContain("没有我知道的新话");
});
