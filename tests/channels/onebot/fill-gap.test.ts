import { describe, expect, it } from "vitest";
import { systemClock } from "../../../src/core/clock.ts";
import { createLog } from "../../../src/core/log.ts";
import { createAcceptEvents } from "../../../src/kernel/inbox/accept-events.ts";
import type { ChatHistory } from "../../../src/channels/onebot/open-gaps.ts";
import type { InboundEvent } from "../../../src/channels/types.ts";
import { listUnfinishedInbox } from "../../../src/store/queries/inbox.ts";
import { findLastMessageTime, listKnownChats } from "../../../src/store/queries/recent-chats.ts";
import { startFakeOneBot } from "../../support/onebot/fake-onebot.ts";
import { onlyPart, outbound, startOneBotChannel } from "../../support/onebot/start-onebot-channel.ts";
import { createTestStore } from "../../support/test-store.ts";

const named = (...chats: readonly string[]) => chats.map((chat) => ({ chat, lastSentAt: undefined }));

/** What the store would say of these events. */
function historyOf(stored: readonly InboundEvent[], more: Partial<ChatHistory> = {}): ChatHistory {
  const messages = () => stored.flatMap((event) => (event.kind === "message" ? [event] : []));
  return {
    listChats: async (account) => [
      ...new Map(
        messages()
          .filter(({ address }) => address.account === account)
          .map(({ address, sentAt }) => [address.chat, { chat: address.chat, lastSentAt: sentAt }]),
      ).values(),
    ],
    findLastMessageTime: async () => messages().at(-1)?.sentAt,
    ...more,
  };
}

const texts = (events: readonly InboundEvent[]) =>
  events.flatMap((event) => (event.kind === "message" ? [event.text] : []));

describe("after a gap", () => {
  it("missed messages come in order and before new ones; ours and bots' stay out", async () => {
    await using fake = await startFakeOneBot();
    const stored: InboundEvent[] = [];
    await using onebot = await startOneBotChannel({
      url: fake.url,
      accessToken: fake.token,
      history: historyOf(stored),
      store: async (events) => void stored.push(...events),
    });
    await fake.waitFor(() => onebot.channel.health().state === "ready", "good health");
    const from = { id: 20001 };
    fake.say({ chat: "private:20001", text: "一" });
    fake.say({ chat: "group:30001", from, text: "二" });
    await fake.waitFor(() => stored.length === 2, "both");
    await onebot.channel.send(outbound(fake.selfId, "30001", "我自己的话"), onlyPart("我自己的话"));

    fake.down();
    const missed = [
      fake.say({ chat: "group:30001", from, at: [fake.selfId], text: "三" }),
      fake.say({ chat: "private:20001", text: "四" }),
      fake.say({ chat: "group:30001", from: { id: 2854196310 }, text: "我是机器人" }),
    ];
    expect(missed.map(({ delivered }) => delivered)).toEqual([0, 0, 0]);
    fake.up();
    await fake.waitFor(() => texts(stored).includes("四"), "the missed ones");
    fake.say({ chat: "private:20001", text: "五" });
    await fake.waitFor(() => texts(stored).includes("五"), "the new one");
    const keys = new Map(stored.map((event) => [event.key, event]));
    const said = texts([...keys.values()]);
    expect(said.toSorted()).toEqual(["一", "二", "三", "四", "五"].toSorted());
    expect(said.at(-1)).toBe("五");
    expect([...keys.values()].find((event) => event.kind === "message" && event.text === "三")).toMatchObject({
      address: { chat: "30001" },
      addressed: true,
    });
  });

  it("a new installation replays nothing", async () => {
    await using fake = await startFakeOneBot();
    fake.say({ chat: "private:20001", text: "很久以前" });
    await using onebot = await startOneBotChannel({
      url: fake.url,
      accessToken: fake.token,
      history: historyOf([], { listChats: async () => named("private:20001") }),
    });
    await fake.waitFor(() => onebot.channel.health().state === "ready", "good health");
    fake.say({ chat: "private:20001", text: "现在" });
    await fake.waitFor(() => onebot.messages().length === 1, "the message");
    expect(onebot.messages()[0]?.text).toBe("现在");
    expect(fake.callsOf("get_friend_msg_history")).toEqual([]);
  });

  it("messages older than the last one stored, but for a minute, stay out", async () => {
    await using fake = await startFakeOneBot();
    fake.say({ chat: "private:20001", text: "之前" });
    const askedFor: { account: string; limit: number }[] = [];
    await using onebot = await startOneBotChannel({
      url: fake.url,
      accessToken: fake.token,
      history: {
        listChats: async (account, limit) => {
          askedFor.push({ account, limit });
          return named("private:20001");
        },
        findLastMessageTime: async () => Date.now() + 62_000,
      },
    });
    await fake.waitForCall(({ action }) => action === "get_friend_msg_history");
    fake.say({ chat: "private:20001", text: "之后" });
    await fake.waitFor(() => onebot.messages().length === 1, "the message");
    expect(onebot.messages()[0]?.text).toBe("之后");
    expect(askedFor).toEqual([{ account: "10001", limit: 200 }]);
    expect(fake.callsOf("get_friend_msg_history")[0]?.params).toEqual({ user_id: 20001, count: 50 });
  });

  it("an implementation without a history is not asked for every chat, nor again, and is no error", async () => {
    await using fake = await startFakeOneBot();
    fake.disabled.add("get_group_msg_history");
    const groups = Array.from({ length: 12 }, (_, index) => String(30_001 + index));
    await using onebot = await startOneBotChannel({
      url: fake.url,
      accessToken: fake.token,
      history: { listChats: async () => named(...groups), findLastMessageTime: async () => 1 },
    });
    const complaints = () => onebot.logged.filter((line) => line.includes("history cannot be read"));
    await fake.waitFor(() => complaints().length > 0, "the complaint");
    fake.say({ chat: "group:30009", from: { id: 20001 }, text: "a" });
    await fake.waitFor(() => onebot.messages().length === 1, "the message");
    expect(fake.callsOf("get_group_msg_history")).toHaveLength(4);
    expect(complaints()).toHaveLength(1);
    expect(onebot.channel.health().state).toBe("ready");
  });

  it("a chat that nothing is kept of, and one that was quiet for months, are looked at from the last message on", async () => {
    await using fake = await startFakeOneBot();
    fake.say({ chat: "private:20001", text: "安静的人" });
    fake.say({ chat: "group:30001", from: { id: 20001 }, text: "安静的群" });
    fake.say({ chat: "private:20003", text: "新朋友" });
    const last = Date.now() - 400 * 24 * 3_600_000;
    await using onebot = await startOneBotChannel({
      url: fake.url,
      accessToken: fake.token,
      history: {
        listChats: async () => [...named("private:20001"), { chat: "30001", lastSentAt: last }],
        findLastMessageTime: async () => last,
      },
    });
    await fake.waitFor(() => onebot.messages().length === 3, "all three");
    expect(texts(onebot.messages()).toSorted()).toEqual(["安静的人", "安静的群", "新朋友"].toSorted());
  });

  it("a history that could not be read is read later, and with the next connection", async () => {
    await using fake = await startFakeOneBot();
    fake.disabled.add("get_recent_contact");
    const stored: InboundEvent[] = [];
    await using onebot = await startOneBotChannel({
      url: fake.url,
      accessToken: fake.token,
      history: historyOf(stored),
      store: async (events) => void stored.push(...events),
      pace: { gapMs: [20, 40] },
    });
    await fake.waitFor(() => onebot.channel.health().state === "ready", "good health");
    fake.say({ chat: "private:20001", text: "一" });
    await fake.waitFor(() => stored.length === 1, "the first");
    fake.failNext("get_friend_msg_history", { kind: "refuse", retcode: 1200 }, 2);
    fake.down();
    fake.say({ chat: "private:20001", text: "二" });
    fake.up();
    await fake.waitFor(() => texts(stored).includes("二"), "the second, at the third try");
    // This time the connection is given up, and the chat goes on before the next one.
    fake.failNext("get_friend_msg_history", { kind: "refuse", retcode: 1200 }, 3);
    fake.down();
    fake.say({ chat: "private:20001", text: "三" });
    fake.up();
    await fake.waitFor(() => onebot.logged.some((line) => line.includes("next connection")), "the warning");
    fake.say({ chat: "private:20001", text: "四" });
    await fake.waitFor(() => texts(stored).includes("四"), "the fourth");
    expect(texts(stored)).not.toContain("三");
    fake.cut();
    await fake.waitFor(() => texts(stored).includes("三"), "the third, with the next connection");
  });

  it("a connection that ends while it is read changes no order: what came over it waits for the next one", async () => {
    await using fake = await startFakeOneBot();
    const stored: InboundEvent[] = [];
    await using onebot = await startOneBotChannel({
      url: fake.url,
      accessToken: fake.token,
      history: historyOf(stored),
      store: async (events) => {
        const known = stored.map(({ key }) => key);
        stored.push(...events.filter(({ key }) => !known.includes(key)));
      },
      pace: { historyMs: 20_000 },
    });
    await fake.waitFor(() => onebot.channel.health().state === "ready", "good health");
    fake.say({ chat: "private:20001", text: "一" });
    await fake.waitFor(() => stored.length === 1, "the first");
    const before = fake.callsOf("get_friend_msg_history").length;
    fake.failNext("get_friend_msg_history", { kind: "swallow", taken: false });
    fake.down();
    fake.say({ chat: "private:20001", text: "二" });
    fake.up();
    await fake.waitFor(() => fake.callsOf("get_friend_msg_history").length > before, "the reading");
    expect(fake.say({ chat: "private:20001", text: "三" }).delivered).toBe(1);
    fake.cut();
    await fake.waitFor(() => stored.length === 3, "all three");
    expect(texts(stored)).toEqual(["一", "二", "三"]);
  });

  it("more than a page is read back to the last message, and what is beyond five pages is told", async () => {
    await using fake = await startFakeOneBot();
    const said = Array.from({ length: 130 }, (_, index) => `第${index}句`);
    for (const text of said) fake.say({ chat: "private:20001", text });
    for (let index = 0; index < 260; index += 1) fake.say({ chat: "private:20002", text: `很多${index}` });
    await using onebot = await startOneBotChannel({
      url: fake.url,
      accessToken: fake.token,
      history: { listChats: async () => named("private:20001", "private:20002"), findLastMessageTime: async () => 1 },
    });
    await fake.waitFor(() => onebot.logged.some((line) => line.includes("the oldest of it is missed")), "the warning");
    await fake.waitFor(() => onebot.messages().some(({ sender }) => sender.id === "20001"), "the others");
    const from = (id: string) => texts(onebot.messages().filter(({ sender }) => sender.id === id));
    expect(from("20001")).toEqual(said);
    expect(from("20002").length).toBeGreaterThan(200);
    expect(from("20002").at(-1)).toBe("很多259");
    const missed = onebot.events.flatMap((event) => (event.kind === "missed" ? [event.address.chat] : []));
    expect(missed).toEqual(["private:20002"]);
  });

  it("one chat that fails does not keep the others back, nor a history that makes no sense", async () => {
    await using fake = await startFakeOneBot();
    fake.say({ chat: "group:30002", from: { id: 20001 }, text: "错过的" });
    fake.failNext("get_group_msg_history", { kind: "refuse", retcode: 1200 });
    await using onebot = await startOneBotChannel({
      url: fake.url,
      accessToken: fake.token,
      history: { listChats: async () => named("30001", "nonsense", "30002"), findLastMessageTime: async () => 1 },
    });
    await fake.waitFor(() => onebot.messages().length === 1, "the missed one");
    expect(onebot.messages()[0]).toMatchObject({ text: "错过的", address: { chat: "30002" } });
  });

  it("the channel fills the gap once the store works again", async () => {
    await using fake = await startFakeOneBot();
    fake.say({ chat: "private:20001", text: "错过的" });
    let failures = 0;
    await using onebot = await startOneBotChannel({
      url: fake.url,
      accessToken: fake.token,
      history: {
        listChats: async () => named("private:20001"),
        findLastMessageTime: async () => {
          failures += 1;
          if (failures < 3) throw new Error("database is locked");
          return 1;
        },
      },
    });
    await fake.waitFor(() => onebot.messages().length === 1, "the missed one");
    expect(onebot.messages()[0]?.text).toBe("错过的");
  });
});

describe("with the real inbox", () => {
  it("everything that was said is stored exactly once, over restarts and broken connections", async () => {
    await using fake = await startFakeOneBot();
    const store = await createTestStore();
    const log = createLog({ level: "silent", secrets: [] });
    const accept = createAcceptEvents({ store, language: () => "zh", clock: systemClock, log });
    const qq = { platform: "qq" };
    const options = {
      url: fake.url,
      accessToken: fake.token,
      history: {
        listChats: (account: string, limit: number) => listKnownChats(store.main, { ...qq, account, limit }),
        findLastMessageTime: (account: string) => findLastMessageTime(store.main, { ...qq, account }),
      },
      store: async (events: readonly InboundEvent[]) => void (await accept(events)),
    };
    const stored = async () =>
      (await listUnfinishedInbox(store.main)).map(({ payload }) => (JSON.parse(payload) as { text: string }).text);
    const said: string[] = [];
    const say = (chat: "private:20001" | "group:30001") => {
      const text = `第${said.length}句`;
      said.push(text);
      fake.say({ chat, from: { id: 20001 }, text });
    };
    const channel = await startOneBotChannel(options);
    await fake.waitFor(() => channel.channel.health().state === "ready", "good health");
    say("private:20001");
    say("group:30001");
    await expect.poll(stored).toHaveLength(2);
    fake.cut();
    say("group:30001");
    await expect.poll(stored).toHaveLength(3);
    await channel[Symbol.asyncDispose]();
    say("private:20001");
    say("group:30001");
    await using again = await startOneBotChannel(options);
    say("private:20001");
    await fake.waitFor(() => again.channel.health().state === "ready", "good health");
    await expect.poll(stored).toHaveLength(6);
    const before = fake.handshakes.length;
    fake.cut();
    await fake.waitFor(() => fake.handshakes.length > before, "a new connection");
    await fake.waitFor(() => again.channel.health().state === "ready", "good health");
    say("group:30001");
    await expect.poll(async () => (await stored()).includes(said.at(-1) ?? "")).toBe(true);
    expect((await stored()).toSorted()).toEqual(said.toSorted());
  });
});
