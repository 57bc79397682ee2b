import { HumanMessage } from "@langchain/core/messages";
import { expect, test } from "vitest";
import type { Language } from "../../../src/core/conversation.ts";
import { composeReply } from "../../../src/models/offline/compose-reply.ts";
import { findWishes } from "../../../src/models/offline/find-wishes.ts";
import { offlinePhrasesSchema } from "../../../src/models/offline/phrases.ts";

const phrases = offlinePhrasesSchema.parse({});
const tools = ["shell", "file_read", "file_write", "file_delete", "time", "remind"];

function reply(text: string, language: Language) {
  return composeReply({ messages: [new HumanMessage(text)], tools, language, phrases });
}

test.each<[Language, string]>([
  ["en", "remind me tomorrow at 8am to buy milk and write a file g.txt with hi"],
  ["en", "remind me in 10 minutes to stretch and tell me the time"],
  ["en", "remind me in 10 minutes to stretch, also delete a.txt"],
  ["zh", "下周五之前提醒我交房租，顺便查一下现在几点"],
  ["zh", "明天早上8点提醒我开会，再帮我写一个 g.txt 内容是 hi"],
  ["zh", "提醒我明天7点起床，然后帮我运行 ls"],
  ["ja", "明日の朝8時に会議をリマインドして、それから a.txt を消して"],
  ["zh", "写 d.txt 内容 4，再写 e.txt 内容 5"],
  ["zh", "写 d.txt 内容 4，写 e.txt 内容 5"],
  ["zh", "新建 d.txt，内容是 4，然后读 e.txt"],
  ["en", "write d.txt with 4 and write e.txt with 5"],
  ["en", "write hi to d.txt and write ho to e.txt"],
  ["en", "create d.txt with 4, then delete e.txt"],
])("%s: %s is asked for one at a time, and nothing is done", (language, text) => {
  const { calls, text: said } = reply(text, language);
  expect(calls).toEqual([]);
  expect(phrases[language].oneAtATime).toContain(said);
});

test.each([
  ["remind me tomorrow at 8am to buy milk and write a thank-you note", "remind"],
  ["remind me tomorrow at 8am to stretch and run 5 km", "remind"],
  ["remind me tomorrow at 8am to read a.txt", "remind"],
  ["提醒我明天8点买牛奶，再给妈妈写信", "remind"],
  ["提醒我明天8点读 a.txt", "remind"],
  ["提醒我明天8点看看「写 a.txt，再写 b.txt」", "remind"],
  ["写 d.txt 内容 「4，再写 e.txt 内容 5」", "file_write"],
  ["写一个文件 a.md，内容是：\n先写 b.txt，再写 c.txt", "file_write"],
  ["write d.txt with bread and write soon", "file_write"],
])("%s is one order", (text, tool) => {
  expect(reply(text, "zh").calls.map(({ name }) => name)).toEqual([tool]);
});

test.each([
  ["把「x」写到 a.txt，再把「y」写到 b.txt", ["file_write", "file_write"]],
  ["删 a.txt，再删 b.txt", ["file_delete", "file_delete"]],
  ["读 a.txt，然后提醒我明天8点开会", ["file_read", "remind"]],
  ["帮我算 12*7，再告诉我现在几点", ["84", "time"]],
  ["what's 12*7 and what time is it?", ["84", "time"]],
  ["what's 1,200*2 and tell me the time", ["2400", "time"]],
])("%s is followed in both parts", (text, parts) => {
  const wishes = findWishes(text).map((wish) =>
    wish.kind === "call" ? wish.calls.map(({ name }) => name).join() : wish.kind === "say" ? wish.values?.result : "",
  );
  expect(wishes).toEqual(parts);
});
