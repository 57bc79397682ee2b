import { expect, it } from "vitest";
import { extractTopics, listContentWords } from "../../../src/features/chatlog/extract-topics.ts";
import { createGlob } from "../../../src/features/chatlog/match-glob.ts";
import { workTime } from "../../support/work-time.ts";

const repeat = (times: number, ...texts: readonly string[]) =>
  Array.from({ length: times }, (_, at) => texts.map((text) => `${text}${"。！？…"[at % 4]}`)).flat();

const talk = [
  ...repeat(6, "红莉栖你觉得呢", "红莉栖来看一下", "昨天的火锅太辣了", "下次还是去吃火锅吧"),
  ...repeat(5, "国庆节去成都吗", "国庆节的高铁票抢到了", "我们什么时候搬家", "搬家公司约好了"),
  ...repeat(4, "引っ越しの手伝いありがとう", "来週の引っ越し、何時から", "東京タワーの写真", "東京タワー行きたい"),
  ...repeat(4, "the apartment lease is signed", "who has the lease for the apartment", "GPU 到货了", "gpu 又涨价了"),
  ...repeat(9, "好的", "哈哈哈", "我知道了", "今天不行", "lol ok", "そうですね", "12345", "😂😂"),
];

it("the words that messages are about come first: cut, put together, in three languages; words of any talk never", async () => {
  const topics = await extractTopics(talk, 20);
  const names = topics.map(({ name }) => name.toLowerCase());
  expect(names).toEqual(
    expect.arrayContaining([
      "红莉栖",
      "火锅",
      "国庆节",
      "搬家",
      "引っ越し",
      "apartment",
      "lease",
      "gpu",
      "成都",
      "高铁票",
    ]),
  );
  expect(topics.find(({ name }) => name === "火锅")).toEqual({ name: "火锅", count: 12 });
  expect(topics.find(({ name }) => name.toLowerCase() === "gpu")?.count).toBe(8);
  for (const word of ["红", "国庆", "今天", "好的", "哈哈哈", "知道", "什么时候", "lol", "12345", "the"])
    expect(names).not.toContain(word);
});

it("variants of letters are one topic under its usual form, and a message counts once", async () => {
  const topics = await extractTopics([...repeat(3, "顯卡顯卡顯卡"), ...repeat(1, "显卡")], 3);
  expect(topics).toEqual([{ name: "顯卡", count: 4 }]);
});

it("a filter sees names only, and long or broken texts do no harm", async () => {
  const only = await extractTopics(talk, 5, createGlob("*锅"));
  expect(only.map(({ name }) => name)).toEqual(["火锅"]);
  const strange = await extractTopics(["\ud800".repeat(500), "", " ".repeat(9_000), "搬家".repeat(9_000)], 5);
  expect(strange).toEqual([{ name: "搬家", count: 1 }]);
  expect(listContentWords("我们上次什么时候聊过搬家")).toEqual(["搬家"]);
});

it("a pattern is plain text with * and ?, and one that is made to be slow is not", () => {
  const cases: [string, string, boolean][] = [
    ["锅", "火锅店", true],
    ["火?店", "火锅店", true],
    ["火*", "火锅店", true],
    ["*锅", "火锅店", false],
    ["a.c", "abc", false],
    ["a.c", "xa.cx", true],
    ["(", "a(b", true],
    ["*", "", true],
    ["?", "", false],
  ];
  for (const [pattern, text, is] of cases)
    expect([pattern, text, createGlob(pattern)(text)]).toEqual([pattern, text, is]);
  const begun = workTime();
  expect(createGlob(`${"*a".repeat(30)}b`)("a".repeat(2_000))).toBe(false);
  expect(workTime() - begun).toBeLessThan(2_000);
});
