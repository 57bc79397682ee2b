import { expect, test } from "vitest";
import { readCorrection } from "../../../src/language/facts/read-correction.ts";

const told = [
  { content: "我对花生过敏", value: "花生" },
  { content: "我住在杭州", value: "杭州" },
  { content: "I'm allergic to peanuts", value: "peanuts" },
  { content: "私は卵アレルギーです", value: "卵" },
];

test.each([
  ["不是花生，是蟹", "我对蟹过敏", "花生"],
  ["@kurisu 不是花生，是蟹", "我对蟹过敏", "花生"],
  ["不对，我不是对花生过敏，是对蟹过敏", "我对蟹过敏", "花生"],
  ["是蟹，不是花生。", "我对蟹过敏", "花生"],
  ["不是杭州，是苏州", "我住在苏州", "杭州"],
  ["Not peanuts, crab", "I'm allergic to crab", "peanuts"],
  ["it’s crab, not peanuts", "I'm allergic to crab", "peanuts"],
  ["卵じゃなくて、カニです", "私はカニアレルギーです", "卵"],
  // Whether the first is wrong, nobody has said: an allergy stays.
  ["不对，是对蟹过敏", "我对蟹过敏", undefined],
  ["错了，我是对蟹过敏！", "我对蟹过敏", undefined],
])("%s is the statement with the other word", (written, content, ended) => {
  const { ends, fact } = readCorrection(written, told) ?? {};
  expect([fact?.content, ends?.value]).toEqual([content, ended]);
});

test.each([
  "不是猫，是狗",
  "不是花生，是什么",
  "不是花生，是你",
  "不对，应该是三点开会",
  "不对，是她对蟹过敏",
  "不对吧，你确定吗",
  "not bad, thanks",
  "not now, later",
  "違うよ",
])("%s corrects nothing that was told", (written) => {
  expect(readCorrection(written, told)).toBeUndefined();
});

test("a correction is about nothing where nothing was told", () => {
  expect(readCorrection("不对，是对蟹过敏", [])).toBeUndefined();
});
