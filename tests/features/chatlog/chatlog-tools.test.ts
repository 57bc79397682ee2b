import { afterEach, describe, expect, it } from "vitest";
import type { JsonObject, Language } from "../../../src/core/conversation.ts";
import { appendToLog } from "../../../src/features/chatlog/queries/append-to-log.ts";
import { saveLink } from "../../../src/store/queries/account-links.ts";
import { createExpandQueryTool } from "../../../src/features/chatlog/tools/expand-query.ts";
import { createFilterByPersonTool } from "../../../src/features/chatlog/tools/filter-by-person.ts";
import { createFormatMessagesTool } from "../../../src/features/chatlog/tools/format-messages.ts";
import { createGetChatlogStatsTool } from "../../../src/features/chatlog/tools/get-chatlog-stats.ts";
import { createListTopicsTool } from "../../../src/features/chatlog/tools/list-topics.ts";
import { createLoadMessagesTool } from "../../../src/features/chatlog/tools/load-messages.ts";
import { createSearchByKeywordsTool } from "../../../src/features/chatlog/tools/search-by-keywords.ts";
import { createSearchByTopicsTool } from "../../../src/features/chatlog/tools/search-by-topics.ts";
import { createSearchPersonTool } from "../../../src/features/chatlog/tools/search-person.ts";
import { createSearchSemanticTool } from "../../../src/features/chatlog/tools/search-semantic.ts";
import type { Tool } from "../../../src/kernel/tools/types.ts";
import { effectRules } from "../../support/effect-tools.ts";
import type { Said } from "../../support/fake-channel.ts";
import { TestGateway } from "../../support/gateway.ts";
import { createStorePlace, listEngines, type EngineName } from "../../support/store-engines.ts";

const club = { group: true, chat: "club" } as const;
const minuteMs = 60_000;

interface Shown {
  readonly line_number: number;
  readonly at: string;
  readonly from: string;
  readonly text: string;
  readonly chat?: string;
  readonly context?: boolean;
  readonly because?: string;
  readonly score?: number;
}

interface Outcome {
  readonly ok: boolean;
  readonly error?: string;
  readonly output?: {
    readonly total: number;
    readonly senders: readonly { readonly name: string; readonly count: number }[];
    readonly chats: readonly { readonly name: string; readonly kind: string }[];
    readonly messages: readonly Shown[];
    readonly line_numbers: readonly number[];
    readonly total_matches: number;
    readonly topics: readonly { readonly name: string; readonly count: number }[];
    readonly topic_breakdown: Readonly<Record<string, number>>;
    readonly keywords: readonly string[];
    readonly made_by: string;
    readonly no_model: string;
    readonly text: string;
    readonly shown: number;
    readonly left_out: number;
    readonly not_there: readonly number[];
  };
}

let kurisu: TestGateway;
let served = "";
afterEach(() => kurisu.dispose());

async function start(engine: EngineName = "sqlite") {
  const herNames = (_session: string, language: Language) => (language === "zh" ? ["红莉栖"] : ["Kurisu"]);
  const parts = {
    database: () => kurisu.store.main,
    servedAs: () => served,
    spokenSince: () => 0,
    smallModel: () => kurisu.cheaper,
    herNames,
  };
  const tools = [
    createExpandQueryTool(parts),
    createFilterByPersonTool(parts),
    createFormatMessagesTool(parts),
    createGetChatlogStatsTool(parts),
    createListTopicsTool(parts),
    createLoadMessagesTool(parts),
    createSearchByKeywordsTool(parts),
    createSearchByTopicsTool(parts),
    createSearchPersonTool(parts),
    createSearchSemanticTool(parts),
  ] as Tool[];
  kurisu = new TestGateway({
    place: await createStorePlace(engine),
    mentionOnly: true,
    observe: true,
    limits: { loop: 0 },
    members: ["alice", "bob", "carol"],
    tools,
  });
  const safe = [...effectRules.permissions.safe, ...tools.map(({ name }) => name)];
  kurisu.rules.current = { ...effectRules, permissions: { ...effectRules.permissions, safe } };
  kurisu.model.script = () => ({ text: "好。" });
  await kurisu.start();
}

/** Each is said a minute after the one before: `!` to her, anything else beside her. */
async function talk(...said: readonly (readonly [user: string, text: string])[]): Promise<void> {
  for (const [user, text] of said) {
    await kurisu.say(text.replace(/^!/, ""), { ...club, user, addressed: text.startsWith("!") });
    kurisu.clock.advance(minuteMs);
  }
}

type Call = readonly [name: string, args: JsonObject];

/** The answers of these calls to somebody who asks her, in one round, and the label of her reply. */
async function askAll(said: Said, ...calls: readonly Call[]) {
  kurisu.model.script = ({ results }) =>
    results.length === 0 ? { calls: calls.map(([name, args]) => ({ name, arguments: args })) } : { text: "看过了。" };
  await kurisu.say("查一下", said);
  kurisu.model.script = () => ({ text: "好。" });
  kurisu.clock.advance(minuteMs);
  const outcomes = (kurisu.model.asked.at(-1)?.results ?? []).map((result) => JSON.parse(result) as Outcome);
  const { taint } = await kurisu.store.main
    .selectFrom("messages")
    .select("taint")
    .where("role", "=", "assistant")
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirstOrThrow();
  return { outcomes, taint };
}

async function ask(said: Said, ...call: Call): Promise<Outcome & { readonly taint: string }> {
  const { outcomes, taint } = await askAll(said, call);
  return { ok: false, ...outcomes[0], taint };
}

const alice: Said = { chat: "alice", user: "alice" };
const inClub = (user: string): Said => ({ ...club, user });
const texts = (outcome: Outcome) =>
  outcome.output?.messages.map(({ from, text }) => `${from.replace(/#.*/, "")}: ${text}`);
const find = (said: Said, ...keywords: readonly string[]) =>
  ask(said, "search_by_keywords", { keywords: [...keywords] });
const hits = async (said: Said, ...keywords: readonly string[]) =>
  (await find(said, ...keywords)).output?.total_matches;

describe.each(listEngines())("the tools of the chat log on %s:", (engine) => {
  it("show in a group that group alone, in private the chats that one took part in, and to guests nothing", async () => {
    await start(engine);
    await talk(["bob", "我下个月搬到浦东"], ["alice", "!搬家要帮忙吗"], ["carol", "搬家公司推荐一下"]);
    await kurisu.say("只跟你说，我也想搬家", alice);
    await kurisu.say("我要搬去大阪，别告诉他们", { chat: "bob", user: "bob" });
    await kurisu.say("搬家的群，别人不在", { group: true, chat: "other", user: "bob" });
    kurisu.clock.advance(minuteMs);
    expect(await hits(inClub("alice"), "搬")).toBe(3);
    // Questions to the log, and her answers to them, are in it by then; nobody mentioned anything in them.
    expect(await hits(inClub("alice"), "查一下")).toBe(0);
    expect(await hits(inClub("alice"), "看过了")).toBe(0);
    const byTopic = await ask(inClub("alice"), "search_by_topics", { topics: ["查一下", "搬家"] });
    expect(byTopic.output).toMatchObject({ topic_breakdown: { 查一下: 0, 搬家: 2 } });
    expect(await hits(alice, "搬")).toBe(4);
    expect(await hits({ chat: "bob", user: "bob" }, "搬")).toBe(5);
    expect(await hits(inClub("mallory"), "搬")).toBeUndefined();
    expect((await find(inClub("mallory"), "搬")).error).toContain("Guests may not");
    expect((await find({ chat: "carol", user: "carol" }, "大阪")).output).toEqual({
      line_numbers: [],
      total_matches: 0,
    });
    // Numbers of other chats are no way in, by whatever tool.
    const [secret = 0] = (await find({ chat: "bob", user: "bob" }, "大阪")).output?.line_numbers ?? [];
    expect(secret).toBeGreaterThan(0);
    for (const said of [alice, inClub("bob")]) {
      const { outcomes } = await askAll(
        said,
        ["load_messages", { line_numbers: [secret], context_before: 20 }],
        ["format_messages", { messages: [{ line_number: secret, text: "x" }] }],
        ["filter_by_person", { messages: [secret], target_person: "bob" }],
        ["search_by_topics", { topics: ["大阪"] }],
        ["search_person", { person: "bob" }],
        ["search_semantic", { query: "谁要搬去哪里" }],
        ["list_topics", {}],
        ["get_chatlog_stats", {}],
      );
      expect(outcomes.map(({ ok }) => ok)).toEqual([false, false, false, true, true, true, true, true]);
      expect(outcomes[3]?.output?.line_numbers).toEqual([]);
      expect(JSON.stringify(outcomes.slice(4))).toMatch(/浦东/);
      expect(JSON.stringify(outcomes)).not.toContain("别告诉");
    }
  });

  it("count linked accounts as one human, but what was linked from a group gives nothing", async () => {
    await start(engine);
    await kurisu.say("我的布偶猫叫年糕", { chat: "alice", user: "alice" });
    await kurisu.say("年糕今天很乖", { chat: "alt", user: "bob" });
    await kurisu.say("年糕在群里的号", { chat: "leaf", user: "carol" });
    kurisu.clock.advance(minuteMs);
    const now = kurisu.clock.now();
    await saveLink(kurisu.store.main, { account: "fake:alice", human: "h1", acts: true, now });
    await saveLink(kurisu.store.main, { account: "fake:bob", human: "h1", acts: true, now });
    await saveLink(kurisu.store.main, { account: "fake:carol", human: "h1", acts: false, now });
    expect(await hits(alice, "年糕")).toBe(2);
    expect(await hits({ chat: "alt", user: "bob" }, "年糕")).toBe(2);
    // It may be somebody else's, so it reads nothing of the others' private chats either.
    expect(await hits({ chat: "leaf", user: "carol" }, "年糕")).toBe(1);
    const own = await ask(alice, "search_person", { person: "我", include_context: false });
    expect(own.output?.messages.filter(({ text }) => text.includes("年糕"))).toHaveLength(2);
    const { output } = await ask(alice, "get_chatlog_stats", {});
    // Both names are one person, and she is the other.
    expect(output?.senders).toHaveLength(2);
    expect(output?.chats.map(({ kind }) => kind)).toEqual(["private", "private"]);
  });

  it("find by words, people, topics and meaning, read what is around, and keep the words of others apart from the asker's", async () => {
    await start(engine);
    await talk(
      ["bob", "周末去爬山吗"],
      ["carol", "我下个月搬到浦東新區"],
      ["alice", "!红莉栖，恭喜她搬家"],
      ["bob", "搬家那天我有车"],
    );
    const found = await find(inClub("alice"), "浦东", "有车");
    expect(found.output).toMatchObject({ total_matches: 2 });
    const [car = 0, moved = 0] = found.output?.line_numbers ?? [];
    expect(car).toBeGreaterThan(moved);
    const all = await ask(inClub("alice"), "search_by_keywords", { keywords: ["搬家", "有车"], match_all: true });
    expect(all.output?.line_numbers).toEqual([car]);
    const his = await ask(inClub("alice"), "search_by_keywords", { keywords: ["搬"], target_person: "bob" });
    expect(his.output).toEqual({ line_numbers: [car], total_matches: 1 });

    const read = await ask(inClub("alice"), "load_messages", {
      line_numbers: [moved, 987_654],
      context_before: 1,
      context_after: 2,
      include_metadata: true,
    });
    expect(texts(read)).toEqual([
      "bob: 周末去爬山吗",
      "carol: 我下个月搬到浦東新區",
      "alice: 红莉栖，恭喜她搬家",
      "you: 好。",
    ]);
    expect(read.output?.messages[1]).toMatchObject({
      line_number: moved,
      at: "2026-11-22T12:06:06+08:00",
      chat_kind: "group",
    });
    expect(read.output?.messages[1]?.from).toMatch(/^carol#[0-9a-f]{6}$/);
    expect(read.output?.messages.map(({ context }) => context ?? false)).toEqual([true, false, true, true]);
    expect(read.output?.not_there).toEqual([987_654]);
    expect(read.taint).toBe("untrusted");

    await kurisu.say("我自己记一下：周三牙医", alice);
    kurisu.clock.advance(minuteMs);
    const [dentist = 0] = (await find(alice, "牙医")).output?.line_numbers ?? [];
    const own = await ask(alice, "load_messages", { line_numbers: [dentist] });
    expect([own.output?.messages[0]?.from, own.taint]).toEqual(["alice", "user"]);
    // In private only what was read counts: numbers say nothing, names expose, the words of others are theirs.
    expect((await find(alice, "浦东")).taint).toBe("user");
    expect((await ask(alice, "get_chatlog_stats", {})).taint).toBe("exposed");
    expect((await ask(alice, "load_messages", { line_numbers: [moved] })).taint).toBe("untrusted");

    const said = await ask(inClub("alice"), "search_person", { person: "CAROL", limit: 1 });
    expect(texts(said)).toEqual(["alice: 红莉栖，恭喜她搬家", "carol: 我下个月搬到浦東新區", "bob: 周末去爬山吗"]);
    const hers = await ask(inClub("alice"), "search_person", { person: "红莉栖", include_context: false });
    expect(new Set(hers.output?.messages.map(({ from }) => from))).toEqual(new Set(["you"]));

    const topics = await ask(inClub("alice"), "list_topics", { pattern: "搬*" });
    expect(topics.output?.topics).toEqual([{ name: "搬家", count: 2 }]);
    expect(topics.taint).toBe("untrusted");
    const by = await ask(inClub("alice"), "search_by_topics", { topics: ["搬家", "爬山", "露营"], max_results: 2 });
    expect(by.output?.topic_breakdown).toEqual({ 搬家: 2, 爬山: 1, 露营: 0 });
    expect(by.output?.line_numbers).toHaveLength(2);

    const meant = await ask(inClub("alice"), "search_semantic", { query: "谁住在浦东", top_k: 3 });
    expect(meant.output).toMatchObject({ kind: "lexical" });
    expect(meant.output?.messages[0]?.line_number).toBe(moved);

    const kept = await ask(inClub("alice"), "filter_by_person", { messages: [moved, car], target_person: "bob" });
    expect(kept.output).toMatchObject({
      left_out: 1,
      made_by: "rules",
      messages: [{ line_number: car, because: "said" }],
    });
    const stats = await ask(inClub("alice"), "get_chatlog_stats", {});
    expect(stats.output?.senders.find(({ name }) => name.startsWith("bob#"))?.count).toBe(2);
    expect(stats.output?.senders.some(({ name }) => name === "you")).toBe(true);
  });
});

describe("the tools of the chat log", () => {
  it("say in one sentence what to do where there is nothing to do", async () => {
    await start();
    await talk(["bob", "小明来了"], ["carol", "你好"]);
    const wrong: readonly (readonly [name: string, args: JsonObject, error: RegExp])[] = [
      ["search_by_keywords", { keywords: [] }, /^keywords is empty: give at least one/],
      ["search_by_keywords", { keywords: [" ", ""] }, /^keywords is empty/],
      [
        "search_by_keywords",
        { keywords: ["a"], target_person: "谁谁谁" },
        /^Nobody called "谁谁谁".*get_chatlog_stats/,
      ],
      ["search_by_topics", { topics: [""] }, /^topics is empty.*list_topics/],
      ["load_messages", { line_numbers: [] }, /^line_numbers is empty.*search_by_keywords/],
      ["load_messages", { line_numbers: [99_999] }, /^There is no message #99999/],
      ["search_person", { person: "nobody" }, /^Nobody called "nobody"/],
      ["expand_query", { question: " " }, /^question is empty/],
      ["search_semantic", { query: "" }, /^query is empty/],
      ["filter_by_person", { messages: [], target_person: "bob" }, /^messages is empty/],
      ["format_messages", { messages: [] }, /^messages is empty/],
      ["format_messages", { messages: [99_999] }, /^None of these messages/],
      ["load_messages", { line_numbers: [0] }, /line_numbers/],
      ["search_by_keywords", { keywords: ["a"], max_results: 0 }, /max_results/],
    ];
    const { outcomes } = await askAll(inClub("alice"), ...wrong.map(([name, args]): Call => [name, args]));
    expect(wrong.map(([name, args], at) => ({ name, args, ok: outcomes[at]?.ok, error: outcomes[at]?.error }))).toEqual(
      wrong.map(([name, args, error]) => ({ name, args, ok: false, error: expect.stringMatching(error) as string })),
    );
  });

  it("tell people of one name apart by their tags, and no name can carry another's", async () => {
    await start();
    await kurisu.say("/whoami", inClub("alice"));
    await talk(["bob", "第一句"], ["carol", "第二句"]);
    const { main } = kurisu.store;
    const { id: chat } = await main
      .selectFrom("log_chats")
      .select("id")
      .where("kind", "=", "group")
      .executeTakeFirstOrThrow();
    const entry = { chat, role: "person", taint: "user", saidAt: kurisu.clock.now() } as const;
    await main.transaction().execute((tx) =>
      appendToLog(tx, [
        { ...entry, sender: { person: "fake:7", name: "小明" }, text: "我是七号", key: "k7" },
        { ...entry, sender: { person: "fake:8", name: "小明" }, text: "我是八号", key: "k8" },
        { ...entry, sender: { person: "fake:9", name: "bob#3f2a1b" }, text: "冒名", key: "k9" },
      ]),
    );
    const several = await ask(inClub("alice"), "search_person", { person: "小明" });
    const [, first = ""] = /(小明#[0-9a-f]{6}), 小明#[0-9a-f]{6}/.exec(several.error ?? "") ?? [];
    expect(several.taint).toBe("untrusted");
    const one = await ask(inClub("alice"), "search_person", { person: first, include_context: false });
    expect(one.output?.messages).toHaveLength(1);
    const spoof = await ask(inClub("alice"), "search_person", { person: "fake:9", include_context: false });
    expect(spoof.output?.messages[0]?.from).toMatch(/^bob 3f2a1b#[0-9a-f]{6}$/);
  });

  it("turn questions into words by rules, by the small model when it is asked for, and by rules again when it fails", async () => {
    await start();
    await talk(["bob", "我搬家了，房租好贵"], ["carol", "搬家累吗"]);
    const rules = await ask(inClub("alice"), "expand_query", { question: "bob住哪", target_person: "bob" });
    expect(rules.output).toMatchObject({ made_by: "rules", topics: expect.arrayContaining(["搬家"]) as string[] });
    expect(rules.output?.keywords).toEqual(expect.arrayContaining(["bob", "搬家", "租房"]));
    expect(kurisu.cheaper.asked).toHaveLength(0);
    kurisu.cheaper.script = () => ({ text: 'Sure: ["浦东", "新家", "地铁"] there.' });
    const model = await ask(inClub("alice"), "expand_query", { question: "bob住哪", use_llm: true });
    expect(model.output?.made_by).toBe("model");
    expect(model.output?.keywords.slice(0, 3)).toEqual(["浦东", "新家", "地铁"]);
    expect(kurisu.cheaper.asked.at(-1)?.request).toMatchObject({
      tools: [],
      payer: { id: "fake:alice", owner: false },
    });
    for (const answer of ["I will not.", '{"a":1}', "[1,2]"]) {
      kurisu.cheaper.script = () => ({ text: answer });
      const failed = await ask(inClub("alice"), "expand_query", { question: "bob住哪", use_llm: true });
      expect(failed.output).toMatchObject({
        made_by: "rules",
        no_model: expect.stringContaining("could not be read") as string,
      });
    }
    kurisu.cheaper.script = () => Promise.reject(new Error("the day's budget is used up"));
    const broke = await ask(inClub("alice"), "expand_query", { question: "bob住哪", use_llm: true });
    expect(broke.output).toMatchObject({ made_by: "rules", no_model: expect.stringContaining("budget") as string });
    // A model chooses among the messages it was given, and among no others.
    const numbers = (await find(inClub("alice"), "搬家")).output?.line_numbers ?? [];
    kurisu.cheaper.script = () => ({ text: `[${numbers.join(",")}, 1, 424242]` });
    const chosen = await ask(inClub("alice"), "filter_by_person", {
      messages: [...numbers],
      target_person: "bob",
      use_llm: true,
    });
    expect(chosen.output?.messages.map(({ because, line_number }) => [line_number, because])).toEqual(
      numbers.toSorted((a, b) => a - b).map((number, at) => [number, at === 0 ? "said" : "about"]),
    );
  });

  it("lay messages out in three ways, whole ones only, by the clock of the asker", async () => {
    await start();
    await talk(["bob", "第一句\n两行"], ["carol", "第二句"], ["bob", `第三句${"，很长".repeat(20)}`]);
    await kurisu.say("/reminders zone Europe/Berlin", alice);
    const said = { ...alice };
    await kurisu.say("记一下", inClub("alice"));
    const numbers = (await find(inClub("alice"), "第一句", "第二句", "第三句")).output?.line_numbers ?? [];
    const lay = async (args: JsonObject) =>
      (await ask(said, "format_messages", { messages: [...numbers], ...args })).output;
    const compact = await lay({});
    expect(compact?.text).toMatch(
      /^#\d+ 11-22 05:05 bob#[0-9a-f]{6}: 第一句 两行\n#\d+ 11-22 05:06 carol#[0-9a-f]{6}: 第二句\n#\d+ 11-22 05:07 bob#[0-9a-f]{6}: 第三句(?:，很长){20}$/,
    );
    expect(compact).toMatchObject({ shown: 3, left_out: 0 });
    expect((await lay({ format: "timeline" }))?.text).toMatch(/^— 2026-11-22 周日 —\n05:05 bob#/);
    expect((await lay({ format: "detailed" }))?.text).toMatch(
      /^#\d+ · 2026-11-22 05:05:06 · bob#[0-9a-f]{6}\n {2}第一句\n {2}两行\n\n/,
    );
    const short = await lay({ max_chars: 100 });
    expect(short).toMatchObject({ shown: 2, left_out: 1 });
    expect(short?.text).toMatch(/（还有 1 条没列出来）$/);
    expect(short?.text.length).toBeLessThanOrEqual(100);
  });
});
