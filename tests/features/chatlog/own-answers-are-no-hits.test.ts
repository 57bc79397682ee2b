import { afterEach, beforeEach, expect, it } from "vitest";
import type { JsonObject } from "../../../src/core/conversation.ts";
import { addLogChat, appendToLog } from "../../../src/features/chatlog/queries/append-to-log.ts";
import { createListTopicsTool } from "../../../src/features/chatlog/tools/list-topics.ts";
import { createRememberTool } from "../../../src/features/memory/tools/remember.ts";
import { createSearchByKeywordsTool } from "../../../src/features/chatlog/tools/search-by-keywords.ts";
import { createSearchByTopicsTool } from "../../../src/features/chatlog/tools/search-by-topics.ts";
import { createSearchPersonTool } from "../../../src/features/chatlog/tools/search-person.ts";
import { createSearchSemanticTool } from "../../../src/features/chatlog/tools/search-semantic.ts";
import type { Tool } from "../../../src/kernel/tools/types.ts";
import { effectRules } from "../../support/effect-tools.ts";
import type { Said } from "../../support/fake-channel.ts";
import { TestGateway } from "../../support/gateway.ts";

const alice: Said = { chat: "alice", user: "alice" };

interface Output {
  readonly total_matches?: number;
  readonly topic_breakdown?: Readonly<Record<string, number>>;
  readonly messages?: readonly { readonly text: string; readonly context?: boolean }[];
  readonly topics?: readonly { readonly name: string; readonly count: number }[];
}

let kurisu: TestGateway;
beforeEach(async () => {
  const parts = {
    database: () => kurisu.store.main,
    servedAs: () => "",
    spokenSince: () => 0,
    smallModel: () => kurisu.cheaper,
    herNames: () => ["红莉栖"],
  };
  const memory = {
    personaOf: () => "default",
    scrub: (text: string) => text,
    forgetAll: () => Promise.reject(new Error("not here")),
  };
  const tools = [
    createRememberTool({ ...parts, memory }),
    createListTopicsTool(parts),
    createSearchByKeywordsTool(parts),
    createSearchByTopicsTool(parts),
    createSearchPersonTool(parts),
    createSearchSemanticTool(parts),
  ] as Tool[];
  kurisu = new TestGateway({ limits: { loop: 0 }, tools });
  const safe = [...effectRules.permissions.safe, ...tools.map(({ name }) => name)];
  kurisu.rules.current = { ...effectRules, permissions: { ...effectRules.permissions, safe } };
  kurisu.model.script = () => ({ text: "嗯。" });
  await kurisu.start();
});
afterEach(() => kurisu.dispose());

async function ask(text: string, name: string, args: JsonObject, answer = "查到了。"): Promise<Output> {
  kurisu.model.script = ({ results }) =>
    results.length === 0 ? { calls: [{ name, arguments: args }] } : { text: answer };
  await kurisu.say(text, alice);
  kurisu.model.script = () => ({ text: "嗯。" });
  kurisu.clock.advance(60_000);
  const result = JSON.parse(kurisu.model.asked.at(-1)?.results[0] ?? "{}") as { output?: Output; error?: string };
  return { ...result.output, ...(result.error !== undefined && { error: result.error }) };
}

it("her answers to searches and her receipts are hits of no search", async () => {
  await kurisu.say("海马体是记忆的关键", alice);
  kurisu.clock.advance(60_000);
  const fact = { category: "fact", content: "海马体在颞叶" };
  await ask("记住海马体在颞叶", "remember", fact, "记住了：海马体在颞叶。海马体比你的可靠。");
  const seek = { keywords: ["海马体"] };
  const found = "找到了：海马体是记忆的关键，海马体，海马体。";
  for (let times = 0; times < 3; times += 1)
    expect(await ask("搜一下聊天记录里的 海马体", "search_by_keywords", seek, found)).toMatchObject({
      total_matches: 2,
    });
  const byTopic = await ask("搜一下海马体", "search_by_topics", { topics: ["海马体"] }, found);
  expect(byTopic.topic_breakdown).toEqual({ 海马体: 2 });
  const { messages = [] } = await ask("搜一下海马体", "search_semantic", { query: "海马体在哪里" }, found);
  const named = messages.map(({ text }) => text).filter((text) => text.includes("海马体"));
  expect(named.toSorted()).toEqual(["海马体是记忆的关键", "记住海马体在颞叶"].toSorted());
  const hers = await ask("你说过什么", "search_person", { person: "红莉栖", include_context: false });
  expect(hers.messages?.map(({ text }) => text)).toEqual(["嗯。"]);
  const { topics = [] } = await ask("聊过什么", "list_topics", {});
  // Six answers of hers name it, and two messages of the person.
  expect(topics.filter(({ count, name }) => name.includes("海马体") && count > 2)).toEqual([]);
});

it("her quotations are no topics", async () => {
  kurisu.model.script = () => ({ text: "你说「海马体」？\n> 海马体\n论文呢。" });
  for (const text of ["早上好", "中午好", "晚上好"]) await kurisu.say(text, alice);
  kurisu.clock.advance(60_000);
  const { topics = [] } = await ask("聊过什么", "list_topics", {});
  expect(topics.map(({ name }) => name)).not.toContain("海马体");
  expect(topics.map(({ name }) => name)).toContain("论文");
});

it("a group that the question names limits the search to it", async () => {
  const now = kurisu.clock.now();
  for (const name of ["火锅群", "论文小组"]) {
    const chat = await addLogChat(kurisu.store.main, { kind: "import", name, readers: ["fake:alice"], now });
    const sender = { person: "fake:bob", name: "bob" };
    const entry = { chat, sender, role: "person", taint: "user", saidAt: now - 60_000 } as const;
    await appendToLog(kurisu.store.main, [{ ...entry, key: name, text: `${name}里说海马体` }]);
  }
  const find = (chat: string) => ask("搜一下", "search_by_keywords", { keywords: ["海马体"], chat });
  expect(await find("")).toMatchObject({ total_matches: 2 });
  expect(await find("火锅群")).toMatchObject({ total_matches: 1 });
  expect(await find("论文小组")).toMatchObject({ total_matches: 1 });
  expect(await find("没有的群")).toMatchObject({ error: expect.stringContaining("没有的群") as string });
});

it("a live group is known by the name that its platform tells, also after it was renamed", async () => {
  const hotpot = { ...alice, chat: "g1", group: true } as const;
  await kurisu.say("海马体在火锅里", { ...hotpot, title: "周末火锅" });
  await kurisu.say("论文里的海马体", { ...alice, chat: "g2", group: true, title: "论文小组" });
  kurisu.clock.advance(60_000);
  const find = (chat: string) => ask("搜一下", "search_by_keywords", { keywords: ["海马体"], chat });
  expect(await find("")).toMatchObject({ total_matches: 2 });
  expect(await find("火锅群")).toMatchObject({ total_matches: 1 });
  expect(await find("周末火锅")).toMatchObject({ total_matches: 1 });
  await kurisu.say("改名了", { ...hotpot, title: "深夜火锅" });
  kurisu.clock.advance(60_000);
  expect(await find("周末火锅")).toMatchObject({ error: expect.any(String) as string });
  expect(await find("深夜火锅群")).toMatchObject({ total_matches: 1 });
});

it("cards and status lines are hits of no search", async () => {
  await kurisu.say("看海马体", alice);
  kurisu.model.script = ({ results }) =>
    results.length === 0 ? { calls: [{ name: "poke", arguments: { what: "海马体" } }] } : { text: "好。" };
  await kurisu.say("戳一下", alice);
  expect(kurisu.lastPrompt().text).toContain("海马体");
  await kurisu.say("/status", alice);
  await kurisu.say("嗯，执行吧", alice);
  await kurisu.say("取消", alice);
  kurisu.clock.advance(60_000);
  const seek = { keywords: ["海马体"] };
  expect(await ask("搜一下", "search_by_keywords", seek)).toMatchObject({ total_matches: 1 });
});
