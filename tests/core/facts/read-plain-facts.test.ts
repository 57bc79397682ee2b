import { readFileSync } from "node:fs";
import { describe, expect, it, test } from "vitest";
import { readPlainFacts } from "../../../src/core/facts/read-plain-facts.ts";

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
    const begun = performance.now();
    readPlainFacts(text);
    expect(performance.now() - begun).toBeLessThan(200);
  }
});

test("what somebody else said stands behind a line break, too", () => {
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
    "allergy 花生",
    "likes",
  ]);
});
