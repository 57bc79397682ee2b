import { describe, expect, it } from "vitest";
import type { OneBotChannelOptions } from "../../../src/channels/onebot/onebot-channel.ts";
import { startFakeOneBot, type FakeOneBot } from "../../support/onebot/fake-onebot.ts";
import { onlyPart, outbound, startOneBotChannel } from "../../support/onebot/start-onebot-channel.ts";
import { unlimitedPace } from "../../support/unlimited-pace.ts";

const never = { kind: "swallow", taken: false } as const;
const patient = { callMs: 300_000, quoteMs: 300_000, historyMs: 300_000 };
const quoting = (text: string) => [
  { type: "reply", data: { id: "77" } },
  { type: "text", data: { text } },
];

async function start(fake: FakeOneBot, more: Partial<Pick<OneBotChannelOptions, "history">> = {}) {
  const onebot = await startOneBotChannel({ url: fake.url, accessToken: fake.token, pace: patient, ...more });
  await fake.waitFor(() => onebot.channel.health().state === "ready", "good health");
  return onebot;
}

const knows = (...chats: readonly string[]): Pick<OneBotChannelOptions, "history"> => ({
  history: {
    listChats: async () => chats.map((chat) => ({ chat, lastSentAt: undefined })),
    findLastMessageTime: async () => 1,
  },
});

describe("while one chat waits for an answer of QQ", () => {
  it("the others go on: a quote is looked up", async () => {
    await using fake = await startFakeOneBot();
    fake.failNext("get_msg", never, 1);
    await using onebot = await start(fake);
    const from = { id: 20001 };
    fake.say({ chat: "group:30001", from, segments: quoting("确认") });
    fake.say({ chat: "group:30001", from, text: "后来的" });
    fake.say({ chat: "private:20002", text: "别处的" });
    await fake.waitFor(() => onebot.messages().length === 1, "the message elsewhere");
    expect(onebot.messages().map(({ text }) => text)).toEqual(["别处的"]);
  });

  it("the others go on: its history is read", async () => {
    await using fake = await startFakeOneBot();
    // It would name the other chat, whose message then comes from its history as well.
    fake.disabled.add("get_recent_contact");
    fake.failNext("get_friend_msg_history", never, 1);
    await using onebot = await start(fake, knows("private:20001"));
    fake.say({ chat: "private:20001", text: "后来的" });
    fake.say({ chat: "private:20002", text: "别处的" });
    await fake.waitFor(() => onebot.messages().length === 1, "the message elsewhere");
    expect(onebot.messages().map(({ text }) => text)).toEqual(["别处的"]);
  });

  it("all its quotes are looked up at once, and what is said stays in order", async () => {
    await using fake = await startFakeOneBot();
    const gate = Promise.withResolvers<void>();
    fake.failNext("get_msg", { kind: "late", until: gate.promise }, 1);
    await using onebot = await start(fake);
    const from = { id: 20001 };
    fake.say({ chat: "group:30001", from, segments: quoting("一") });
    fake.say({ chat: "group:30001", from, segments: quoting("二") });
    fake.say({ chat: "group:30001", from, text: "三" });
    await fake.waitFor(() => fake.callsOf("get_msg").length === 2, "both look-ups");
    gate.resolve();
    await fake.waitFor(() => onebot.messages().length === 3, "all three");
    expect(onebot.messages().map(({ text }) => text)).toEqual(["一", "二", "三"]);
  });
});

// The waits of these tests are five minutes: only a stop that ends them comes back in time.
describe("a stop while QQ answers nothing", () => {
  it("ends the look-up of a quote, and stores nothing half known", async () => {
    await using fake = await startFakeOneBot();
    fake.failNext("get_msg", never, 1);
    await using onebot = await start(fake);
    fake.say({ chat: "group:30001", from: { id: 20001 }, segments: quoting("确认") });
    await fake.waitFor(() => fake.callsOf("get_msg").length === 1, "the look-up");
    await onebot.channel.stopReceiving();
    expect(onebot.messages()).toEqual([]);
  });

  it("ends the reading of histories", async () => {
    await using fake = await startFakeOneBot();
    fake.failNext("get_friend_msg_history", never, 9);
    await using onebot = await start(fake, knows("private:20001", "private:20002"));
    await fake.waitFor(() => fake.callsOf("get_friend_msg_history").length === 2, "the reading");
    fake.say({ chat: "private:20001", text: "后来的" });
    await onebot.channel.stopReceiving();
    expect(onebot.messages()).toEqual([]);
  });

  it("ends a sending, and those that wait for their turn", { timeout: 4_000 }, async () => {
    await using fake = await startFakeOneBot();
    fake.befriend({ id: 20001 });
    fake.failNext("send_private_msg", never, 9);
    const onebot = await startOneBotChannel({
      url: fake.url,
      accessToken: fake.token,
      pace: { ...patient, send: { ...unlimitedPace, chat: { gapMs: 300_000, burst: 1, jitterMs: 0 } } },
    });
    await fake.waitFor(() => onebot.channel.health().state === "ready", "good health");
    const sendings = ["一", "二"].map((text) =>
      onebot.channel.send(outbound(fake.selfId, "private:20001", text), onlyPart(text)),
    );
    await fake.waitFor(() => fake.callsOf("send_private_msg").length === 1, "the first sending");
    await onebot[Symbol.asyncDispose]();
    expect(await Promise.all(sendings)).toMatchObject([{ kind: "later" }, { kind: "later" }]);
  });

  it("a stop does not wait for a dead connection", async () => {
    await using fake = await startFakeOneBot();
    const onebot = await start(fake, knows("private:20001"));
    fake.freeze();
    await onebot[Symbol.asyncDispose]();
    expect(onebot.channel.health().state).toBe("off");
  });
});
