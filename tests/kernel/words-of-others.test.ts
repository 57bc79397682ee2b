import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { TestGateway } from "../support/gateway.ts";
import type { Said } from "../support/fake-channel.ts";

let kurisu: TestGateway;
beforeEach(async () => {
  kurisu = new TestGateway();
  kurisu.model.script = () => ({ text: "嗯。" });
  await kurisu.start();
});
afterEach(() => kurisu.dispose());

const replies = () => kurisu.channel.sent.map(({ text }) => text);
const read = () => kurisu.model.asked.at(-1)?.text ?? "";

describe("a message without words of its own", () => {
  it.each<[string, Said, string]>([
    ["that quotes somebody", { quote: { messageId: "5", fromUs: false, text: "周五三点开会" } }, "> 周五三点开会"],
    [
      "that quotes a forward",
      { quote: { messageId: "5", fromUs: false, text: "甲: 转发里的话", forwarded: true } },
      "> 甲: 转发里的话",
    ],
    [
      "that is a card",
      { attachments: [{ kind: "card", name: "[分享]一篇文章 讲了什么 https://example.org/a" }] },
      "(分享)一篇文章 讲了什么 https://example.org/a",
    ],
    ["that is a shared link", { attachments: [{ kind: "share", name: "标题 https://example.org/b" }] }, "标题"],
  ])("%s is read and answered", async (_, said, words) => {
    await kurisu.say("", said);
    expect(read()).toContain(words);
    expect(replies()).toEqual(["嗯。"]);
  });

  it("a message that quotes nothing readable is still called empty", async () => {
    await kurisu.say("", { quote: { messageId: "5", fromUs: false, text: "" } });
    expect(kurisu.model.asked).toEqual([]);
    expect(replies()).toHaveLength(1);
  });

  it("a card without words is named as a card", async () => {
    await kurisu.say("", { attachments: [{ kind: "card" }] });
    expect(kurisu.model.asked).toEqual([]);
    expect(replies().join()).toContain("收到了");
  });
});
