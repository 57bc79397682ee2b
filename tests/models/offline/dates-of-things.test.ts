import { HumanMessage } from "@langchain/core/messages";
import { expect, test } from "vitest";
import { findWishes } from "../../../src/models/offline/find-wishes.ts";
import type { ToolReport } from "../../../src/models/offline/read-conversation.ts";

const readFirst = (words: string) => findWishes(new HumanMessage(words).text)[0];
const toolOf = (words: string) => {
  const wish = readFirst(words);
  return wish?.kind === "call" ? wish.calls[0]?.name : wish?.kind;
};

test.each([
  "高考是几号",
  "春节是哪天",
  "小王的生日是哪天？",
  "我妈妈的生日是几月几号",
  "what time does the shop open",
  "when is the concert?",
])("the date of something is looked up in memory: %s", (words) => expect(toolOf(words)).toBe("recall_memory"));

test.each([
  "今天几号",
  "现在是几月几号",
  "明天是几号",
  "再过 100 天是哪一天",
  "圣诞节是几号",
  "下周三是几号",
  "what time is it in Tokyo",
  "what date is christmas",
  "what day is today",
])("the clock is asked for what it knows: %s", (words) => expect(toolOf(words)).toBe("time"));

test("a memory of something else is no answer, and nothing is made up", () => {
  const wish = readFirst("小王的生日是哪天");
  if (wish?.kind !== "call") throw new Error("nothing is looked up");
  const report = (content: string) =>
    ({
      tool: "recall_memory",
      arguments: {},
      result: { ok: true, output: { memories: [{ id: 1, category: "fact", content, since: "2026-11-27", score: 1 }] } },
    }) as unknown as ToolReport;
  expect(wish.next?.([report("我妈妈的生日是5月3日")])).toMatchObject({ kind: "say", key: "memoryUnknown" });
  expect(wish.next?.([report("小王的生日是8月1日")])).toMatchObject({ kind: "say", key: "memoryOne" });
});
