import { describe, expect, it } from "vitest";
import { systemClock } from "../../../src/core/clock.ts";
import { createLog } from "../../../src/core/log.ts";
import { createAcceptEvents } from "../../../src/gateway/accept-events.ts";
import type { ChatHistory } from "../../../src/gateway/channels/onebot/fill-gap.ts";
import type { InboundEvent } from "../../../src/gateway/types.ts";
import { listUnfinishedInbox } from "../../../src/store/queries/inbox.ts";
import { findLastMessageTime, listRecentChats } from "../../../src/store/queries/recent-chats.ts";
import { startFakeOneBot } from "../../support/onebot/fake-onebot.ts";
import { onlyPart, outbound, startOneBotChannel } from "../../support/onebot/start-onebot-channel.ts";
import { createTestStore } from "../../support/test-store.ts";

/** What the store would say of these events: every chat is recent. */
function historyOf(stored: readonly InboundEvent[], more: Partial<ChatHistory> = {}): ChatHistory {
  const messages = () => stored.flatMap((event) => (event.kind === "message" ? [event] : []));
  return {
    listRecentChats: async (account) => [
      ...new Set(
        messages()
          .filter(({ address }) => address.account === account)
          .map(({ address }) => address.chat),
      ),
    ],
    findLastMessageTime: async () => messages().at(-1)?.sentAt,
    ...more,
  };
}

const texts = (events: readonly InboundEvent[]) =>
  events.flatMap((event) => (event.kind === "message" ? [event.text] : []));

describe("after a gap", () => {
  it("what was written meanwhile comes in order and before what is new; ours and bots' stays out", async () => {
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
      history: historyOf([], { listRecentChats: async () => ["private:20001"] }),
    });
    await fake.waitFor(() => onebot.channel.health().state === "ready", "good health");
    fake.say({ chat: "private:20001", text: "现在" });
    await fake.waitFor(() => onebot.messages().length === 1, "the message");
    expect(onebot.messages()[0]?.text).toBe("现在");
    expect(fake.callsOf("get_friend_msg_history")).toEqual([]);
  });

  it("what is older than the last message stored, but for a minute, stays out", async () => {
    await using fake = await startFakeOneBot();
    fake.say({ chat: "private:20001", text: "之前" });
    const askedFor: { account: string; since: number; limit: number }[] = [];
    await using onebot = await startOneBotChannel({
      url: fake.url,
      accessToken: fake.token,
      history: {
        listRecentChats: async (account, since, limit) => {
          askedFor.push({ account, since, limit });
          return ["private:20001"];
        },
        findLastMessageTime: async () => Date.now() + 62_000,
      },
    });
    await fake.waitForCall(({ action }) => action === "get_friend_msg_history");
    fake.say({ chat: "private:20001", text: "之后" });
    await fake.waitFor(() => onebot.messages().length === 1, "the message");
    expect(onebot.messages()[0]?.text).toBe("之后");
    expect(askedFor).toMatchObject([{ account: "10001", limit: 20 }]);
    expect(Math.abs(Date.now() - 24 * 3_600_000 - (askedFor[0]?.since ?? 0))).toBeLessThan(60_000);
    expect(fake.callsOf("get_friend_msg_history")[0]?.params).toEqual({ user_id: 20001, count: 50 });
  });

  it("an implementation without a history is asked once and no error", async () => {
    await using fake = await startFakeOneBot();
    fake.disabled.add("get_group_msg_history");
    await using onebot = await startOneBotChannel({
      url: fake.url,
      accessToken: fake.token,
      history: { listRecentChats: async () => ["30001", "30002", "30003"], findLastMessageTime: async () => 1 },
    });
    await fake.waitForCall(({ action }) => action === "get_group_msg_history");
    fake.say({ chat: "private:20001", text: "a" });
    await fake.waitFor(() => onebot.messages().length === 1, "the message");
    expect(fake.callsOf("get_group_msg_history")).toHaveLength(1);
    expect(onebot.logged.filter((line) => line.includes("history cannot be read"))).toHaveLength(1);
    expect(onebot.channel.health().state).toBe("ready");
  });

  it("one chat that fails does not keep the others back, nor a history that makes no sense", async () => {
    await using fake = await startFakeOneBot();
    fake.say({ chat: "group:30002", from: { id: 20001 }, text: "错过的" });
    fake.failNext("get_group_msg_history", { kind: "refuse", retcode: 1200 });
    await using onebot = await startOneBotChannel({
      url: fake.url,
      accessToken: fake.token,
      history: { listRecentChats: async () => ["30001", "nonsense", "30002"], findLastMessageTime: async () => 1 },
    });
    await fake.waitFor(() => onebot.messages().length === 1, "the missed one");
    expect(onebot.messages()[0]).toMatchObject({ text: "错过的", address: { chat: "30002" } });
  });

  it("is filled once the store works again", async () => {
    await using fake = await startFakeOneBot();
    fake.say({ chat: "private:20001", text: "错过的" });
    let failures = 0;
    await using onebot = await startOneBotChannel({
      url: fake.url,
      accessToken: fake.token,
      history: {
        listRecentChats: async () => ["private:20001"],
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
    const accept = createAcceptEvents({ store, language: "zh", clock: systemClock, log });
    const qq = { platform: "qq" };
    const options = {
      url: fake.url,
      accessToken: fake.token,
      history: {
        listRecentChats: (account: string, since: number, limit: number) =>
          listRecentChats(store.main, { ...qq, account, since, limit }),
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
