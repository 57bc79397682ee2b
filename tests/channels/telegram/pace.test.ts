import { describe, expect, it } from "vitest";
import type { Delivery, LiveView, OutboundMessage } from "../../../src/channels/types.ts";
import { startFakeBotApi, type FakeBotApi } from "../../support/telegram/fake-bot-api.ts";
import { usualLimits } from "../../support/telegram/fake-limits.ts";
import {
  quickPace,
  startTelegram,
  toChat,
  whole,
  type RunningTelegram,
} from "../../support/telegram/start-telegram.ts";
import { unlimitedPace } from "../../support/unlimited-pace.ts";

const defaultPace = {
  all: { count: 30, everyMs: 1_000 },
  chat: { gapMs: 1_000, burst: 4, jitterMs: 0 },
  group: { count: 20, everyMs: 60_000 },
};

function flood(seconds: number) {
  const description = `Too Many Requests: retry after ${seconds}`;
  return { kind: "answer", status: 429, description, parameters: { retry_after: seconds } } as const;
}

function view(fake: FakeBotApi, chat: number, turn: string, text: string): LiveView {
  return { turn, cause: "c", address: toChat(fake, chat, { text: "" }).address, text, tools: [] };
}

/** As the outbox does: what comes back as later is sent again then. */
async function sendPatiently({ channel }: RunningTelegram, message: OutboundMessage, text: string): Promise<Delivery> {
  for (;;) {
    const delivery = await channel.send(message, whole(text));
    if (delivery.kind !== "later") return delivery;
    await new Promise((resolve) => setTimeout(resolve, delivery.afterMs));
  }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe("a chat that is told to wait (429)", () => {
  it("gets nothing until the server's time is over, not even asked; others go on", async () => {
    await using fake = await startFakeBotApi();
    await using telegram = await startTelegram(fake);
    fake.openChat(42);
    fake.openChat(43);
    fake.failNext("sendMessage", flood(37));
    const message = toChat(fake, 42, { text: "" });
    const first = await telegram.channel.send(message, whole("a"));
    expect(first).toMatchObject({ kind: "later", afterMs: 37_000 });
    expect(first).not.toHaveProperty("untried");
    const second = await telegram.channel.send(message, whole("a"));
    expect(second).toMatchObject({ kind: "later", untried: true });
    expect(second.kind === "later" && second.afterMs).toBeGreaterThan(35_000);
    await telegram.channel.show?.(view(fake, 42, "t", "看"));
    await telegram.channel.showTyping?.(message.address);
    await telegram.channel.close?.(message.address, "1", "x");
    await pause(3 * quickPace.draftMs);
    expect(fake.calls.filter(({ payload }) => payload["chat_id"] === 42)).toHaveLength(1);
    expect(fake.impatient).toEqual([]);
    expect(await telegram.channel.send(toChat(fake, 43, { text: "" }), whole("b"))).toMatchObject({ kind: "sent" });
  });

  it("gets its last word after the wait, and of the edits that were left out none", async () => {
    await using fake = await startFakeBotApi();
    await using telegram = await startTelegram(fake);
    fake.openChat(-100);
    await telegram.channel.show?.(view(fake, -100, "t", "0"));
    fake.failNext("editMessageText", flood(1));
    for (let step = 1; step <= 10; step += 1) {
      await telegram.channel.show?.(view(fake, -100, "t", `step ${step}`));
      await pause(20);
    }
    const message = toChat(fake, -100, { text: "", turn: "t" });
    expect(await sendPatiently(telegram, message, "最后")).toMatchObject({ kind: "sent", messageId: "1" });
    expect(fake.botMessages(-100)).toMatchObject([{ texts: ["0", "最后"] }]);
    expect(fake.impatient).toEqual([]);
  });

  it("closes its cards after the wait, with the newest outcome only", async () => {
    await using fake = await startFakeBotApi();
    await using telegram = await startTelegram(fake);
    fake.openChat(42);
    const choices = [{ label: "确认", data: "a", style: "approve" }] as const;
    const question = toChat(fake, 42, { kind: "question", text: "", choices });
    await telegram.channel.send(question, whole("运行？"));
    fake.failNext("editMessageReplyMarkup", flood(2));
    const more = [{ label: "确认 1/2", data: "a", style: "approve" }] as const;
    expect(await telegram.channel.relabel?.(question.address, "1", more)).toMatchObject({ kind: "later" });
    expect(await telegram.channel.close?.(question.address, "1", "✓ 已确认")).toMatchObject({ kind: "later" });
    await fake.waitForMessage(({ text, keyboard }) => text === "✓ 已确认" && keyboard.length === 0);
    expect(fake.callsOf("editMessageReplyMarkup")).toHaveLength(1);
    expect(fake.impatient).toEqual([]);
  });

  it("the whole bot waits once three chats are told to wait", async () => {
    await using fake = await startFakeBotApi();
    await using telegram = await startTelegram(fake);
    for (const chat of [1, 2, 3, 4]) fake.openChat(chat);
    fake.failNext("sendMessage", flood(30), 3);
    for (const chat of [1, 2, 3]) await telegram.channel.send(toChat(fake, chat, { text: "" }), whole("a"));
    const delivery = await telegram.channel.send(toChat(fake, 4, { text: "" }), whole("a"));
    expect(delivery).toMatchObject({ kind: "later", untried: true });
    expect(fake.callsOf("sendMessage")).toHaveLength(3);
  });
});

describe("a server that counts as Telegram does", () => {
  it("never has to refuse anything: a chat with many messages, many chats, a group that is edited", async () => {
    await using fake = await startFakeBotApi({ limits: usualLimits });
    await using telegram = await startTelegram(fake, { pace: defaultPace });
    const chats = Array.from({ length: 40 }, (_, index) => index + 1);
    for (const chat of [...chats, -100]) fake.openChat(chat);
    const sendings = chats.map((chat) => sendPatiently(telegram, toChat(fake, chat, { text: "" }), `to ${chat}`));
    const inOrder = (async () => {
      for (let count = 1; count <= 6; count += 1)
        await sendPatiently(telegram, toChat(fake, 1, { text: "" }), `${count}`);
    })();
    for (let step = 1; step <= 60; step += 1) {
      await telegram.channel.show?.(view(fake, -100, "t", `step ${step}`));
      for (const chat of chats) void telegram.channel.show?.(view(fake, chat, `t${chat}`, `step ${step}`));
      await pause(25);
    }
    expect(await sendPatiently(telegram, toChat(fake, -100, { text: "", turn: "t" }), "最后")).toMatchObject({
      kind: "sent",
    });
    await Promise.all(sendings);
    await inOrder;
    expect(fake.refusedByLimits()).toBe(0);
    expect(fake.botMessages(-100)).toMatchObject([{ text: "最后" }]);
    const first = fake.botMessages(1).map(({ text }) => text);
    expect(first.filter((text) => /^\d$/.test(text))).toEqual(["1", "2", "3", "4", "5", "6"]);
  });

  it("refuses what comes too fast: so the test above can fail", async () => {
    await using fake = await startFakeBotApi({ limits: usualLimits });
    await using telegram = await startTelegram(fake, { pace: unlimitedPace });
    fake.openChat(42);
    const kinds: string[] = [];
    for (let count = 0; count < 7; count += 1)
      kinds.push((await telegram.channel.send(toChat(fake, 42, { text: "" }), whole("a"))).kind);
    expect(kinds).toEqual(["sent", "sent", "sent", "sent", "sent", "later", "sent"]);
    // The last one has waited: the one before told how long.
    expect(fake.refusedByLimits()).toBe(1);
    expect(fake.impatient).toEqual([]);
  });
});
