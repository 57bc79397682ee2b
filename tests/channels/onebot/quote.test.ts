import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { startFakeOneBot, type FakeOneBot } from "../../support/onebot/fake-onebot.ts";
import {
  onlyPart,
  outbound,
  startOneBotChannel,
  type RunningOneBotChannel,
} from "../../support/onebot/start-onebot-channel.ts";

let fake: FakeOneBot;
let onebot: RunningOneBotChannel;

beforeEach(async () => {
  fake = await startFakeOneBot();
  // One case waits for the end of it.
  onebot = await startOneBotChannel({ url: fake.url, accessToken: fake.token, pace: { quoteMs: 2_000 } });
  onTestFinished(async () => {
    await onebot[Symbol.asyncDispose]();
    await fake[Symbol.asyncDispose]();
  });
  await fake.waitFor(() => onebot.channel.health().state === "ready", "good health");
  fake.addGroup(30001, {
    members: [
      { id: 20001, name: "小明" },
      { id: 20002, name: "小红" },
    ],
  });
});

const last = async (count: number) => {
  await fake.waitFor(() => onebot.messages().length === count, "the message");
  return onebot.messages()[count - 1];
};
const from = { id: 20001 };

async function sayOurselves(text: string): Promise<string> {
  const sent = await onebot.channel.send(outbound(fake.selfId, "30001", text), onlyPart(text));
  return sent.kind === "sent" ? sent.messageId : "";
}

describe("a quote", () => {
  it("a quote of our own message is known without a request, and addresses us", async () => {
    const ours = await sayOurselves("要执行吗？");
    fake.say({ chat: "group:30001", from, replyTo: Number(ours), text: "确认" });
    expect(await last(1)).toMatchObject({
      text: "确认",
      addressed: true,
      quote: { messageId: ours, fromUs: true, text: "要执行吗？" },
    });
    expect(fake.callsOf("get_msg")).toEqual([]);
  });

  it("alone beside an @ carries the words, the card or the forward it quotes", async () => {
    const meta = { news: { title: "一篇文章", desc: "讲了什么", jumpUrl: "https://example.org/a" } };
    const data = JSON.stringify({ app: "com.tencent.tuwen.lua", prompt: "[分享]一篇文章", meta });
    const words = fake.say({ chat: "group:30001", from: { id: 20002 }, text: "周五三点开会" });
    const card = fake.say({ chat: "group:30001", from: { id: 20002 }, segments: [{ type: "json", data: { data } }] });
    await last(2);
    for (const { messageId } of [words, card])
      fake.say({ chat: "group:30001", from, at: [fake.selfId], replyTo: messageId, text: "" });
    await last(4);
    expect(onebot.messages().slice(2)).toMatchObject([
      { text: "", addressed: true, quote: { text: "周五三点开会" } },
      {
        text: "",
        addressed: true,
        quote: { attachments: [{ kind: "card", name: "[分享]一篇文章 讲了什么 https://example.org/a" }] },
      },
    ]);
  });

  it("the channel requests our own quoted message from before a restart", async () => {
    const ours = await sayOurselves("要执行吗？");
    await onebot[Symbol.asyncDispose]();
    onebot = await startOneBotChannel({ url: fake.url, accessToken: fake.token });
    await fake.waitFor(() => onebot.channel.health().state === "ready", "good health");
    fake.say({ chat: "group:30001", from, replyTo: Number(ours), text: "确认" });
    expect(await last(1)).toMatchObject({
      addressed: true,
      quote: { messageId: ours, fromUs: true, text: "要执行吗？" },
    });
    expect(fake.callsOf("get_msg")[0]?.params).toEqual({ message_id: Number(ours) });
  });

  it("a quote of another person carries their words and does not address us", async () => {
    const theirs = fake.say({ chat: "group:30001", from: { id: 20002 }, text: "晚饭吃什么" }).messageId;
    await last(1);
    fake.say({ chat: "group:30001", from, replyTo: theirs, text: "确认" });
    expect(await last(2)).toMatchObject({
      addressed: false,
      quote: { messageId: String(theirs), fromUs: false, text: "晚饭吃什么" },
    });
  });

  it.each(["forgotten", "no answer", "strange answer"])(
    "a quote that cannot be found counts as not ours: %s",
    async (why) => {
      if (why === "no answer") fake.failNext("get_msg", { kind: "swallow", taken: false });
      if (why === "strange answer") fake.disabled.add("get_msg");
      fake.say({
        chat: "group:30001",
        from,
        segments: [
          { type: "reply", data: { id: "77" } },
          { type: "text", data: { text: "确认" } },
        ],
      });
      expect(await last(1)).toMatchObject({ addressed: false, quote: { messageId: "77", fromUs: false, text: "" } });
    },
  );

  it("a quote of our own message in another chat does not address us here", async () => {
    const elsewhere = await onebot.channel.send(outbound(fake.selfId, "30002", "x"), onlyPart("x"));
    expect(elsewhere.kind).not.toBe("sent");
    fake.addGroup(30002);
    const sent = await onebot.channel.send(outbound(fake.selfId, "30002", "x"), onlyPart("x"));
    const id = sent.kind === "sent" ? sent.messageId : "";
    fake.say({
      chat: "group:30001",
      from,
      segments: [
        { type: "reply", data: { id } },
        { type: "text", data: { text: "确认" } },
      ],
    });
    expect(await last(1)).toMatchObject({ addressed: false, quote: { messageId: id, fromUs: false, text: "" } });
  });

  const quoting = (id: string | number) => [
    { type: "reply", data: { id: String(id) } },
    { type: "text", data: { text: "确认" } },
  ];

  it("a private chat never shows a quote from another chat: a group's, another person's, or ours to them", async () => {
    fake.befriend({ id: 20002, name: "小红" });
    const inGroup = fake.say({ chat: "group:30001", from: { id: 20002 }, text: "群里的秘密" }).messageId;
    const theirs = fake.say({ chat: "private:20002", text: "小红的秘密" }).messageId;
    await last(2);
    const ours = await onebot.channel.send(outbound(fake.selfId, "private:20002", "给小红的"), onlyPart("给小红的"));
    const ids = [inGroup, theirs, ours.kind === "sent" ? ours.messageId : ""];
    for (const [index, id] of ids.entries()) {
      fake.say({ chat: "private:20001", segments: quoting(id) });
      expect(await last(3 + index)).toMatchObject({ quote: { messageId: String(id), fromUs: false, text: "" } });
    }
  });

  it("a group never shows a quote from a private chat", async () => {
    const theirs = fake.say({ chat: "private:20002", text: "小红的秘密" }).messageId;
    await last(1);
    fake.say({ chat: "group:30001", from, segments: quoting(theirs) });
    expect(await last(2)).toMatchObject({ addressed: false, quote: { fromUs: false, text: "" } });
  });

  it("a quote within the same private chat carries what was said, theirs and, after a restart, ours", async () => {
    const theirs = fake.say({ chat: "private:20001", text: "晚饭吃什么" }).messageId;
    await last(1);
    fake.say({ chat: "private:20001", segments: quoting(theirs) });
    expect(await last(2)).toMatchObject({ quote: { fromUs: false, text: "晚饭吃什么" } });
    const ours = await onebot.channel.send(outbound(fake.selfId, "private:20001", "咖喱"), onlyPart("咖喱"));
    await onebot[Symbol.asyncDispose]();
    onebot = await startOneBotChannel({ url: fake.url, accessToken: fake.token });
    await fake.waitFor(() => onebot.channel.health().state === "ready", "good health");
    fake.say({ chat: "private:20001", segments: quoting(ours.kind === "sent" ? ours.messageId : "") });
    expect(await last(1)).toMatchObject({ quote: { fromUs: true, text: "咖喱" } });
  });
});
