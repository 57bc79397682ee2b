import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createCommandLineChannel } from "../../src/gateway/channels/command-line/command-line-channel.ts";
import type { Channel, ChatAddress, InboundEvent, OutboundMessage } from "../../src/gateway/types.ts";
import { FakeChannel, fakeAddress, makeMessage } from "../support/fake-channel.ts";
import { HandClock } from "../support/hand-clock.ts";
import { startFakeBotApi } from "../support/telegram/fake-bot-api.ts";
import { startTelegram } from "../support/telegram/start-telegram.ts";

/** A started channel with somebody in one chat of it. */
interface Place {
  readonly channel: Channel;
  readonly address: ChatAddress;
  /** What the gateway was handed, in order. */
  readonly events: () => readonly InboundEvent[];
  /** The person in the chat says something. */
  readonly hear: (text: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

const implementations: Readonly<Record<string, () => Promise<Place>>> = {
  "command line": async () => {
    const channel = createCommandLineChannel({ clock: new HandClock() });
    const events: InboundEvent[] = [];
    await channel.start(
      (batch) => Promise.resolve(void events.push(...batch)),
      () => undefined,
    );
    channel.attach({ chat: "main", onEvent: () => undefined });
    return {
      channel,
      address: { platform: "cli", account: "local", chat: "main", thread: null },
      events: () => events,
      hear: async (text) => void (await channel.say({ chat: "main", user: "owner", text })),
      close: () => channel.stop(),
    };
  },
  telegram: async () => {
    const fake = await startFakeBotApi();
    const running = await startTelegram(fake);
    fake.openChat(42);
    return {
      channel: running.channel,
      address: { platform: "telegram", account: String(fake.botId), chat: "42", thread: null },
      events: running.events,
      hear: (text) => {
        fake.sendText({ chat: 42, from: { id: 42 }, text });
        return Promise.resolve();
      },
      close: async () => {
        await running.channel.stop();
        await fake[Symbol.asyncDispose]();
      },
    };
  },
  "the one of our tests": async () => {
    const channel = new FakeChannel();
    const events: InboundEvent[] = [];
    await channel.start((batch) => Promise.resolve(void events.push(...batch)));
    return {
      channel,
      address: fakeAddress("owner"),
      events: () => events,
      hear: (text) => channel.deliver(makeMessage(text)),
      close: () => channel.stop(),
    };
  },
};

describe.each(Object.entries(implementations))("a channel: %s", (_, open) => {
  let place: Place;
  beforeEach(async () => {
    place = await open();
  });
  afterEach(() => place.close());

  const message = (changes: Partial<OutboundMessage>): OutboundMessage => ({
    id: "out",
    kind: "reply",
    address: place.address,
    text: "好",
    plain: false,
    ...changes,
  });

  async function sendWhole(changes: Partial<OutboundMessage>): Promise<readonly string[]> {
    const sent = message(changes);
    const texts = place.channel.split(sent);
    const ids: string[] = [];
    for (const [index, text] of texts.entries()) {
      const delivery = await place.channel.send(sent, { text, index, last: index === texts.length - 1 });
      ids.push(delivery.kind === "sent" ? delivery.messageId : delivery.kind);
    }
    return ids;
  }

  it("hands in what is said, with the ids of its own platform", async () => {
    await place.hear("你好");
    await place.hear("在吗");
    await expect.poll(() => place.events().length).toBe(2);
    const [first, second] = place.events();
    expect(first).toMatchObject({
      kind: "message",
      address: place.address,
      text: "你好",
      chatKind: "private",
      addressed: true,
    });
    expect(first).toMatchObject({
      sender: { kind: "person" },
      edited: false,
      forwarded: false,
      caption: false,
      viaBot: false,
    });
    expect(first?.key).not.toBe(second?.key);
    expect(place.address.platform).toBe(place.channel.platform);
  });

  it("splits every text into parts that are there, in order, and loses nothing that can be read", () => {
    for (const text of [
      "好",
      "很长。".repeat(4_000),
      "一段\n\n".repeat(2_000),
      "```\nls\n```",
      "a".repeat(9_000),
      "😀".repeat(3_000),
    ]) {
      const parts = place.channel.split(message({ text, plain: true }));
      expect(parts.length).toBeGreaterThan(0);
      expect(parts.filter((part) => part.trim() === "")).toEqual([]);
      expect(parts.join("").replaceAll(/\s/g, "")).toBe(text.replaceAll(/\s/g, ""));
    }
  });

  it("sends each part and answers its id, which is another one for each", async () => {
    const ids = [...(await sendWhole({ text: "一段话。\n\n".repeat(1_500) })), ...(await sendWhole({ text: "完" }))];
    expect(ids.filter((id) => ["refused", "later", "absent", ""].includes(id))).toEqual([]);
  });

  it("takes a question with its choices", async () => {
    const question = { id: "q", code: "K7", calls: [{ tool: "shell", summary: "ls" }], expiresAt: 0 };
    const choices = [{ label: "确认", data: "a:q:y", style: "approve" }] as const;
    const [id] = await sendWhole({ kind: "question", question, choices });
    expect(id).toMatch(/\S/);
    const closed = await place.channel.close?.(place.address, id ?? "", "✓ 已确认");
    expect(closed?.kind ?? "sent").toBe("sent");
  });

  it("shows a turn at work without failing", async () => {
    const tools = [{ id: "1.1", name: "time", summary: "now", phrase: "看一眼钟", status: "started" }] as const;
    const view = { turn: "t", cause: "c", address: place.address, text: "我看看。", tools };
    const preview = await place.channel.show?.(view);
    expect(["string", "undefined"]).toContain(typeof preview);
  });

  it("says how it is, and can be stopped twice", async () => {
    await expect.poll(() => place.channel.health().state).toBe("ready");
    await place.channel.stop();
    await place.channel.stop();
  });
});
