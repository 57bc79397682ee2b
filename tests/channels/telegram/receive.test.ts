import { describe, expect, it } from "vitest";
import { startFakeBotApi } from "../../support/telegram/fake-bot-api.ts";
import { startTelegram } from "../../support/telegram/start-telegram.ts";

describe("receiving", () => {
  it("stores what people write and press, then confirms it", async () => {
    await using fake = await startFakeBotApi();
    await using telegram = await startTelegram(fake);
    const { channel, events } = telegram;
    fake.sendText({ chat: 42, text: "你好", from: { id: 42, name: "小明", locale: "zh-hans" } });
    await fake.waitFor(() => events().length === 1, "the message");
    expect(events()[0]).toMatchObject({
      kind: "message",
      address: { platform: "telegram", account: String(fake.botId), chat: "42", thread: null },
      sender: { id: "42", name: "小明", kind: "person", locale: "zh-hans" },
      chatKind: "private",
      text: "你好",
      addressed: true,
      edited: false,
    });
    await fake.waitFor(() => fake.pendingUpdates().length === 0, "the confirmation");
    expect(channel.health()).toMatchObject({ state: "ready" });
    expect(channel.health().detail).toContain(`@${fake.username}`);
    expect(channel.health().detail).toContain("privacy mode is on");
  });

  it("moves the offset only after receive has resolved", async () => {
    await using fake = await startFakeBotApi();
    const taken = Promise.withResolvers<void>();
    const stored = Promise.withResolvers<void>();
    const store = () => {
      taken.resolve();
      return stored.promise;
    };
    await using telegram = await startTelegram(fake, { store });
    fake.sendText({ chat: 42, text: "a" });
    await taken.promise;
    const polls = fake.callsOf("getUpdates").length;
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(fake.callsOf("getUpdates")).toHaveLength(polls);
    expect(fake.pendingUpdates()).toHaveLength(1);
    stored.resolve();
    await fake.waitFor(() => fake.pendingUpdates().length === 0, "the confirmation");
    expect(telegram.events()).toHaveLength(1);
  });

  it("fetches the same updates again when they could not be stored, and says so", async () => {
    await using fake = await startFakeBotApi();
    let full = true;
    let attempts = 0;
    await using telegram = await startTelegram(fake, {
      store: async () => {
        attempts += 1;
        if (full) throw new Error("no space left on device");
      },
    });
    const first = fake.sendText({ chat: 42, text: "a" });
    const second = fake.sendText({ chat: 42, text: "b" });
    await fake.waitFor(() => attempts >= 3, "three attempts");
    expect(telegram.channel.health()).toMatchObject({ state: "degraded" });
    expect(telegram.channel.health().detail).toContain("no space left");
    expect(fake.pendingUpdates()).toHaveLength(2);
    full = false;
    await fake.waitFor(() => telegram.events().length === 2, "both updates");
    expect(telegram.events().map(({ key }) => key)).toEqual([`update:${first.updateId}`, `update:${second.updateId}`]);
    await fake.waitFor(() => telegram.channel.health().state === "ready", "good health");
  });

  it("gets unconfirmed updates again after a restart in the middle of a batch", async () => {
    await using fake = await startFakeBotApi();
    const keys: string[] = [];
    const taken = Promise.withResolvers<void>();
    const died = Promise.withResolvers<void>();
    const before = await startTelegram(fake, {
      store: async () => {
        taken.resolve();
        await died.promise;
        throw new Error("killed");
      },
    });
    keys.push(...[1, 2, 3].map((number) => `update:${fake.sendText({ chat: 42, text: `n${number}` }).updateId}`));
    await taken.promise;
    const stopped = before.channel.stop();
    died.resolve();
    await stopped;
    expect(before.events()).toEqual([]);
    await using after = await startTelegram(fake);
    await fake.waitFor(() => after.events().length === 3, "the batch again");
    expect(after.events().map(({ key }) => key)).toEqual(keys);
  });

  it("waits on stop until a running receive has ended, and ends the poll at once", async () => {
    await using fake = await startFakeBotApi();
    const idle = await startTelegram(fake);
    await fake.waitFor(() => idle.channel.health().state === "ready", "good health");
    await idle.channel.stop();
    expect(idle.channel.health().state).toBe("off");

    const taken = Promise.withResolvers<void>();
    const stored = Promise.withResolvers<void>();
    const store = () => {
      taken.resolve();
      return stored.promise;
    };
    const busy = await startTelegram(fake, { store });
    fake.sendText({ chat: 42, text: "a" });
    await taken.promise;
    let stopped = false;
    const stopping = busy.channel.stop().then(() => (stopped = true));
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(stopped).toBe(false);
    stored.resolve();
    await stopping;
    expect(busy.events()).toHaveLength(1);
  });

  it("hands a press on with its message and topic", async () => {
    await using fake = await startFakeBotApi();
    await using telegram = await startTelegram(fake);
    fake.push({
      callback_query: {
        id: "9",
        chat_instance: "1",
        data: "a:1234567890:y",
        from: { id: 7, is_bot: false, first_name: "小红" },
        message: {
          message_id: 5,
          date: 0,
          chat: { id: -100, type: "supergroup", title: "g" },
          is_topic_message: true,
          message_thread_id: 3,
        },
      },
    } as never);
    await fake.waitFor(() => telegram.events().length === 1, "the press");
    expect(telegram.events()[0]).toMatchObject({
      kind: "press",
      address: { chat: "-100", thread: "3" },
      sender: { id: "7", kind: "person" },
      messageId: "5",
      data: "a:1234567890:y",
      pressId: "9",
    });
  });

  it("keeps one batch one receive call, in order", async () => {
    await using fake = await startFakeBotApi();
    for (let number = 0; number < 130; number += 1) fake.sendText({ chat: 42, text: String(number) });
    await using telegram = await startTelegram(fake);
    await fake.waitFor(() => telegram.events().length === 130, "all updates");
    expect(telegram.batches.map((batch) => batch.length)).toEqual([100, 30]);
    expect(telegram.events().map((event) => (event.kind === "message" ? event.text : ""))).toEqual(
      Array.from({ length: 130 }, (_, number) => String(number)),
    );
  });
});
