import { readFileSync } from "node:fs";
import { describe, expect, it, test } from "vitest";
import { readPlainFacts } from "../../../src/language/facts/read-plain-facts.ts";
import { workTime } from "../../support/work-time.ts";

/** `any` = a statement without a slot; `-` = nothing is to be remembered. */
const rows = readFileSync(new URL("plain-facts.tsv", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line) => line.split("\t") as [half: string, text: string, expected: string]);

function describeFacts(text: string): string {
  const [first] = readPlainFacts(text);
  if (first === undefined) return "-";
  return first.key === undefined ? "any" : `${first.key}=${first.value}`;
}

describe("readPlainFacts", () => {
  it("reads every case that it was made with", () => {
    const wrong = rows
      .filter(([half]) => half === "dev")
      .map(([, text, expected]) => ({ text, expected, read: describeFacts(text) }))
      .filter(({ expected, read }) => expected !== read);
    expect(wrong).toEqual([]);
  });

  it("reads no wrong fact out of the cases that it was not made with, and most of what is there", () => {
    const unseen = rows
      .filter(([half]) => half === "unseen")
      .map(([, text, expected]) => ({ text, expected, read: describeFacts(text) }));
    const wrong = unseen.filter(({ expected, read }) => read !== "-" && read !== expected);
    const facts = unseen.filter(({ expected }) => expected !== "-");
    const missed = facts.filter(({ read }) => read === "-");
    expect(wrong).toEqual([]);
    expect({ missed, most: 4 }).toSatisfy(() => missed.length <= facts.length / 10);
  });
});

test("long texts, lists and pages are not about their sender, and cost no more than their length", () => {
  expect(readPlainFacts("我叫王小明。".repeat(60))).toEqual([]);
  for (const text of [
    "我".repeat(300),
    "我喜欢".repeat(90),
    "I like ".repeat(40),
    "が好き".repeat(90),
    "，".repeat(290),
  ]) {
    const begun = workTime();
    readPlainFacts(text);
    expect(workTime() - begun).toBeLessThan(2_000);
  }
});

test("words of another person stand behind a line break, too", () => {
  for (const text of [
    "他跟我讲\n我是律师",
    "刚看到一条微博\n我住在北京",
    "妈妈留言 我对牛奶过敏",
    "这是她发的\n我喜欢猫",
    "Bob said\nI live in Berlin",
    "友達がこう言ってた\n私は医者です",
    "如果真是这样\n我住在北京",
  ])
    expect([text, readPlainFacts(text)]).toEqual([text, []]);
  expect(readPlainFacts("我对花生过敏\n她说没事")).toHaveLength(1);
});

test("one message may say several things", () => {
  expect(readPlainFacts("我叫林晓，住在杭州。我对花生过敏，我喜欢猫！").map(({ key }) => key)).toEqual([
    "name",
    "home",
    "allergy 花生",
    "likes",
  ]);
});

test("a clause without a subject is about the speaker only", () => {
  const read = (text: string) => readPlainFacts(text).map(({ content, key, value }) => `${key}=${value} ${content}`);
  expect(read("我叫小林，住在杭州，是个护士")).toEqual([
    "name=小林 我叫小林",
    "home=杭州 我住在杭州",
    "occupation=护士 我是个护士",
  ]);
  expect(read("My name is Anna and I live in Berlin")).toEqual([
    "name=Anna My name is Anna",
    "home=Berlin I live in Berlin",
  ]);
  expect(read("我其实不喜欢火锅了，喜欢寿司")).toEqual(["dislikes=火锅 我其实不喜欢火锅了", "likes=寿司 我喜欢寿司"]);
  expect(read("我不在杭州了，搬到广州住了")).toEqual(["home=广州 我搬到广州住了"]);
  expect(read("我养了一只猫，喜欢吃鱼，住在阳台")).toEqual(["has 猫=一只猫 我养了一只猫"]);
  expect(read("我喜欢刘德华，来自香港，是演员")).toEqual(["likes=刘德华 我喜欢刘德华"]);
});
