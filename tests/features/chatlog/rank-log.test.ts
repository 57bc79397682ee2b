import { describe, expect, it } from "vitest";
import { rankLog } from "../../../src/features/chatlog/rank-log.ts";
import { searchSemantic } from "../../../src/features/chatlog/search-semantic.ts";
import { readPastTime } from "../../../src/features/chatlog/ranking/past-time.ts";
import { addLogChat, appendToLog } from "../../../src/features/chatlog/queries/append-to-log.ts";
import { foldText } from "../../../src/store/search/fold-text.ts";
import { listEngines, type EngineName } from "../../support/store-engines.ts";
import { createTestStore } from "../../support/test-store.ts";

const zone = "Asia/Shanghai";
/** A Monday. */
const now = Date.parse("2026-11-23T17:00:00+08:00");

type Line = readonly [at: string, name: string, text: string];

const talk: readonly Line[] = [
  ["2025-05-02T10:00:00", "小明", "新键盘到了，青轴，吵得很。"],
  ["2026-05-08T20:00:00", "Caroline", "I went swimming at the lake with the kids."],
  ["2026-05-08T20:01:00", "Melanie", "What did you paint there?"],
  ["2026-05-08T20:02:00", "Caroline", "A sunset over the palm trees."],
  ["2026-05-09T09:00:00", "Melanie", "I bought two new brushes and some canvas."],
  ["2026-10-12T21:00:00", "小红", "我下周搬家，搬到杭州去。"],
  ["2026-10-12T21:01:00", "小明", "要我帮你搬吗？"],
  ["2026-10-12T21:02:00", "小红", "不用，叫了车，周六早上八点。"],
  ["2026-11-18T12:00:00", "小红", "顯微鏡借給橋田了，他下個月還。"],
  ["2026-11-18T12:01:00", "小明", "那台显微镜我也想用。"],
  ["2026-11-19T08:00:00", "小明", "我家的猫昨天吐了，名字叫团子。"],
  ["2026-11-20T08:00:00", "小明", "先週の月曜はコンサートに行った。"],
];
const filler = ["天气不错", "吃饭了吗", "哈哈哈", "今天好累", "嗯嗯", "the weather is nice", "see you later"];

async function start(engine: EngineName) {
  const store = await createTestStore(engine);
  const add = (name: string, lines: readonly Line[]) =>
    store.main.transaction().execute(async (tx) => {
      const chat = await addLogChat(tx, { name, kind: "import", readers: ["owners"], now });
      const entries = lines.map(([at, sender, text], index) => ({
        chat,
        sender: { person: "", name: sender },
        role: "person" as const,
        text,
        taint: "untrusted" as const,
        key: `${index}`,
        saidAt: Date.parse(`${at}+08:00`),
      }));
      await appendToLog(tx, entries);
      return chat;
    });
  const days = Array.from({ length: 500 }, (_, index): Line => {
    const at = new Date(Date.UTC(2026, 0, 1) + index * 14 * 3_600_000).toISOString().slice(0, 19);
    return [at, index % 2 === 0 ? "小明" : "小红", `${filler[index % filler.length]} ${index}`];
  });
  const chat = await add("talk", [...talk, ...days]);
  const other = await add("another", [["2026-11-21T10:00:00", "小红", "搬家搬家搬家，显微镜显微镜。"]]);
  const rank = (question: string, chats = [chat], limit = 5) =>
    rankLog(store.main, chats, question, { limit, now, zone });
  const search = async (question: string) => {
    const options = { limit: 90, now, zone, told: ["搬家", "显微镜"] };
    const { found } = await searchSemantic({ db: store.main }, [chat], question, options);
    return found.map(({ message }) => new Date(message.saidAt).toISOString().slice(0, 10)).toSorted();
  };
  return { chat, other, rank, search };
}

describe.each(listEngines())("the ranking of the chat log on %s", (engine) => {
  it("brings to a time alone what was said in it and nothing else, be it less than was asked for", async () => {
    const { search } = await start(engine);
    const days = { 上周: ["2026-11-16", "2026-11-22"], 先週: ["2026-11-16", "2026-11-22"] } as const;
    for (const [asked, [first, last]] of Object.entries(days)) {
      const found = await search(asked);
      expect(found.length).toBeGreaterThanOrEqual(4);
      expect([found[0]! >= first, found.at(-1)! <= last]).toEqual([true, true]);
    }
    expect(await search("last year")).toEqual(["2025-05-02"]);
    expect(await search("三年前")).toEqual([]);
  });

  it("finds what answers a question: by forms of a word, neighbours, speakers, times and letters", async () => {
    const { chat, other, rank } = await start(engine);
    const first = async (question: string, within = 1) =>
      (await rank(question)).slice(0, within).map(({ message }) => message.text);

    expect(await first("我们上次什么时候聊过搬家？")).toEqual(["我下周搬家，搬到杭州去。"]);
    expect(await first("猫叫什么")).toEqual(["我家的猫昨天吐了，名字叫团子。"]);
    expect(await first("小红把显微镜借给谁了")).toEqual(["顯微鏡借給橋田了，他下個月還。"]);
    expect(await first("コンサートはいつ")).toEqual(["先週の月曜はコンサートに行った。"]);
    // went swimming, swim; bought, buy
    expect(await first("Who swam in the lake?")).toEqual(["I went swimming at the lake with the kids."]);
    expect(await first("What does Melanie buy?")).toEqual(["I bought two new brushes and some canvas."]);
    // The answer shares no word with the question: it stands behind it.
    expect(await first("What did Caroline paint last May?", 2)).toContain("A sunset over the palm trees.");
    expect(await first("去年五月的新键盘")).toEqual(["新键盘到了，青轴，吵得很。"]);
    // Nothing but a time
    const day = await rank("上周三说了什么", [chat], 10);
    expect(day.map(({ message }) => message.saidAt).every((at) => at >= Date.parse("2026-11-18T00:00:00+08:00"))).toBe(
      true,
    );

    const scores = (await rank("显微镜 搬家", [chat], 50)).map(({ score }) => score);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    expect(scores.every((score) => score > 0 && score < 1)).toBe(true);
    // Never another chat, whatever it holds.
    const all = [...(await rank("显微镜搬家", [chat], 50)), ...(await rank("搬家", [chat], 50))];
    expect(all.length).toBeGreaterThan(2);
    expect(new Set(all.map(({ message }) => message.chat))).toEqual(new Set([chat]));
    expect((await rank("显微镜搬家", [other], 50)).map(({ message }) => message.chat)).toEqual([other]);
    expect(await rank("显微镜", [])).toEqual([]);
    expect(await rank("？！ …")).toEqual([]);
    expect(await rank("xyzzy 龘靐")).toEqual([]);
  });

  it("the ranking finds the rare words among the everyday ones", async () => {
    const store = await createTestStore(engine);
    const chat = await store.main.transaction().execute(async (tx) => {
      const added = await addLogChat(tx, { name: "busy", kind: "import", readers: ["owners"], now });
      const entries = Array.from({ length: 1_200 }, (_, index) => ({
        chat: added,
        sender: { person: "", name: `n${index % 5}` },
        role: "person" as const,
        text: index === 37 ? "开会的时候把蓝色文件夹忘在三楼了" : `今天开会，文件第 ${index} 版，大家辛苦`,
        taint: "untrusted" as const,
        key: `${index}`,
        saidAt: now - (1_200 - index) * 3_600_000,
      }));
      await appendToLog(tx, entries);
      return added;
    });
    // 开会 stands in every message: its newest 400 do not reach back to this one, the other words do.
    const [best] = await rankLog(store.main, [chat], "开会的文件夹是什么颜色", { limit: 1, now, zone });
    expect(best?.message.text).toContain("蓝色文件夹");
  });
});

const local = (from: string, to: string) => [`${from}T00:00:00+08:00`, `${to}T00:00:00+08:00`];
it.each([
  ["昨天", local("2026-11-22", "2026-11-23")],
  ["上周三", local("2026-11-18", "2026-11-19")],
  ["上個禮拜", local("2026-11-16", "2026-11-23")],
  ["上上周末", local("2026-11-14", "2026-11-16")],
  ["周五", local("2026-11-20", "2026-11-21")],
  ["上个月5号", local("2026-10-05", "2026-10-06")],
  ["5月3日", local("2026-05-03", "2026-05-04")],
  ["12月", local("2025-12-01", "2026-01-01")],
  ["去年五月", local("2025-05-01", "2025-06-01")],
  ["前年", local("2024-01-01", "2025-01-01")],
  ["2024年", local("2024-01-01", "2025-01-01")],
  ["2025-03-04", local("2025-03-04", "2025-03-05")],
  ["三天前", local("2026-11-20", "2026-11-21")],
  ["十二周前", local("2026-08-28", "2026-09-04")],
  ["先週の月曜日", local("2026-11-16", "2026-11-17")],
  ["3ヶ月前", local("2026-08-08", "2026-09-08")],
  ["yesterday", local("2026-11-22", "2026-11-23")],
  ["last May", local("2026-05-01", "2026-06-01")],
  ["on 8 May, 2023", local("2023-05-08", "2023-05-09")],
  ["July 4th", local("2026-07-04", "2026-07-05")],
  ["two weeks ago", local("2026-11-06", "2026-11-13")],
  ["last Friday", local("2026-11-20", "2026-11-21")],
  ["in 2022", local("2022-01-01", "2023-01-01")],
  ["last month", local("2026-10-01", "2026-11-01")],
])("%j is a time in the past", (text, [from = "", to = ""]) => {
  const { ranges, rest } = readPastTime(foldText(`x ${text} y`), { now, zone });
  expect(ranges).toEqual([{ from: Date.parse(from), to: Date.parse(to) }]);
  expect(rest.replaceAll(/\s+/g, " ")).toMatch(/^x (?:on |, )?y$/);
});

it.each(["may I ask", "三个人", "第2天", "march on", "2个月", "13月的事", "1999 people"])(
  "%j names no time",
  (text) => {
    expect(readPastTime(foldText(text), { now, zone }).ranges).toEqual([]);
  },
);
