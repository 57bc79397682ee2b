import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { systemClock } from "../../../src/core/clock.ts";
import type { OneBotPace } from "../../../src/channels/onebot/onebot-pace.ts";
import type { Delivery, OutboundMessage } from "../../../src/channels/types.ts";
import { startFakeOneBot, type FakeOneBot } from "../../support/onebot/fake-onebot.ts";
import type { FakeOneBotFault, FakeOneBotSettings } from "../../support/onebot/onebot-types.ts";
import {
  onlyPart,
  outbound,
  startOneBotChannel,
  type RunningOneBotChannel,
} from "../../support/onebot/start-onebot-channel.ts";

let fake: FakeOneBot;
let onebot: RunningOneBotChannel;
let asked: number;

async function start(settings: Partial<FakeOneBotSettings> = {}, pace: Partial<OneBotPace> = {}): Promise<void> {
  fake = await startFakeOneBot(settings);
  onebot = await startOneBotChannel({ url: fake.url, accessToken: fake.token, pace });
  onTestFinished(async () => {
    expect(fake.violations).toEqual([]);
    await onebot[Symbol.asyncDispose]();
    await fake[Symbol.asyncDispose]();
  });
  await fake.waitFor(() => onebot.channel.health().state === "ready", "good health");
  fake.say({ chat: "private:20001", from: { id: 20001, name: "冈部" }, text: "在吗" });
  asked = fake.say({ chat: "group:30001", from: { id: 20001 }, text: "在吗" }).messageId;
  await fake.waitFor(() => onebot.messages().length === 2, "both");
}

beforeEach(() => start());

const send = (message: OutboundMessage): Promise<Delivery> => onebot.channel.send(message, onlyPart(message.text));
const toGroup = (text: string, more: Partial<OutboundMessage> = {}) =>
  outbound(fake.selfId, "30001", text, { replyTo: String(asked), ...more });
const toPerson = (text: string) => outbound(fake.selfId, "private:20001", text);
const texts = (chat: "group:30001" | "private:20001") => fake.botMessages(chat).map(({ text }) => text);

describe("an outgoing message", () => {
  it("an outgoing message is one call of segments with number ids; only the first part in a group has the quote", async () => {
    await send(toGroup("a"));
    await onebot.channel.send(toGroup("b"), { text: "b", index: 1, last: true });
    await send({ ...toPerson("c"), replyTo: "5" });
    expect(
      [...fake.callsOf("send_group_msg"), ...fake.callsOf("send_private_msg")].map(({ params }) => params),
    ).toEqual([
      {
        group_id: 30001,
        message: [
          { type: "reply", data: { id: String(asked) } },
          { type: "text", data: { text: "a" } },
        ],
      },
      { group_id: 30001, message: [{ type: "text", data: { text: "b" } }] },
      { user_id: 20001, message: [{ type: "text", data: { text: "c" } }] },
    ]);
  });

  it("an outgoing message stays readable without styles", async () => {
    const markdown =
      "# 题\n\n**粗** `码` [站](https://a.example/x) https://b.example\n\n- 一\n- 二\n\n```js\nlet x = 1;\n```";
    await send(toPerson(markdown));
    expect(texts("private:20001")).toEqual([
      "题\n\n粗 码 站 (https://a.example/x) https://b.example\n\n- 一\n- 二\n\nlet x = 1;",
    ]);
  });

  it("never makes a mention out of words", async () => {
    for (const plain of [true, false]) await send({ ...toGroup("[CQ:at,qq=all] 大家好"), plain });
    for (const message of fake.botMessages("group:30001")) {
      expect(message).toMatchObject({ text: "[CQ:at,qq=all] 大家好", ats: [] });
    }
  });

  it("an outgoing message mentions the person named at its beginning, and never the whole group", async () => {
    const named = (user: string) => toGroup("冈部，到时间了", { plain: true, mention: { user, name: "冈部" } });
    for (const user of ["20001", "all"]) await send(named(user));
    expect(fake.botMessages("group:30001")).toMatchObject([
      { text: "，到时间了", ats: ["20001"] },
      { text: "冈部，到时间了", ats: [] },
    ]);
  });

  it("the channel sends choices without buttons and has no method for presses", async () => {
    const choices = [{ label: "确认", data: "a:1:y", style: "approve" }] as const;
    expect(await send({ ...toGroup("要执行吗"), choices })).toMatchObject({ kind: "sent" });
    expect(onebot.channel.close).toBeUndefined();
    expect(onebot.channel.answerPress).toBeUndefined();
  });

  it("comes back as the platform's id, also a negative one", async () => {
    await onebot[Symbol.asyncDispose]();
    await start({ negativeMessageIds: true });
    const sent = await send(toPerson("a"));
    expect(sent).toMatchObject({ kind: "sent", messageId: String(fake.botMessages("private:20001")[0]?.messageId) });
    expect(sent.kind === "sent" && sent.messageId).toMatch(/^-\d+$/);
  });
});

describe("a long text", () => {
  it("the channel splits a long text into parts of 1,800 characters and never splits a character", () => {
    const emoji = onebot.channel.split({ ...toPerson("😀".repeat(3_000)), plain: true });
    expect(emoji.every((part) => part.length <= 1_800 && part.isWellFormed())).toBe(true);
    expect(emoji.join("")).toBe("😀".repeat(3_000));
    const markdown = onebot.channel.split(toPerson("**一句话。** 又一句。\n\n".repeat(500)));
    expect(markdown.length).toBeGreaterThan(2);
    expect(markdown.every((part) => part.length <= 4_000 && part.isWellFormed())).toBe(true);
  });

  it("fits also when its links are longer than its words", async () => {
    const line = `[x](https://example.com/${"a".repeat(300)})\n\n`;
    const message = toPerson(line.repeat(40));
    const parts = onebot.channel.split(message);
    for (const [index, text] of parts.entries()) {
      await onebot.channel.send(message, { text, index, last: index === parts.length - 1 });
    }
    const sent = texts("private:20001");
    expect(sent.every((text) => text.length <= 1_800)).toBe(true);
    expect(sent.join("").match(/a{300}\)/g)).toHaveLength(40);
  });
});

describe("a refusal", () => {
  it.each([1400, 1404, 100])("the channel reports a refusal with %i as final", async (retcode) => {
    fake.failNext("send_group_msg", { kind: "refuse", retcode, message: "no" });
    const { replyTo: _, ...unquoted } = toGroup("a");
    expect(await send(unquoted)).toEqual({ kind: "refused", reason: `no (${retcode})` });
  });

  it("a refusal of a quote or mention drops only these: the words go once more without", async () => {
    fake.failNext("send_group_msg", { kind: "refuse", retcode: 100, message: "no" });
    const message = toGroup("阿光，喝水", { mention: { user: "20001", name: "阿光" }, plain: true });
    expect(await send(message)).toMatchObject({ kind: "later", afterMs: 0 });
    expect(await send(message)).toMatchObject({ kind: "sent" });
    expect(texts("group:30001")).toEqual(["阿光，喝水"]);
  });

  it("the channel refuses an empty text itself, without a call", async () => {
    expect(await send(toPerson(" \n"))).toMatchObject({ kind: "refused" });
    expect(fake.callsOf("send_private_msg")).toEqual([]);
  });

  it("a send without a connection or a login is tried again later", async () => {
    fake.setOnline(false);
    await fake.waitFor(() => onebot.channel.health().state === "degraded", "bad health");
    expect(await send(toPerson("a"))).toMatchObject({ kind: "later", reason: expect.stringContaining("logged out") });
    fake.down();
    await fake.waitFor(() => onebot.channel.health().detail.includes("not connected"), "no connection");
    expect(await send(toPerson("a"))).toMatchObject({
      kind: "later",
      reason: expect.stringContaining("not connected"),
    });
    expect(fake.callsOf("send_private_msg")).toEqual([]);
  });
});

describe("a sending without a clear end", () => {
  const faults = (taken: boolean): [string, FakeOneBotFault][] => [
    ["1200", { kind: "refuse", retcode: 1200, taken }],
    ["no answer", { kind: "swallow", taken }],
  ];
  beforeEach(async () => {
    await onebot[Symbol.asyncDispose]();
    await start({}, { callMs: 300 });
  });

  it.each(faults(true))("the channel finds an uncertain message in the history if it is out (%s)", async (_, fault) => {
    for (const message of [toGroup("同样的话"), toPerson("同样的话")]) {
      const action = message.address.chat === "30001" ? "send_group_msg" : "send_private_msg";
      const chat = message.address.chat === "30001" ? "group:30001" : "private:20001";
      await send(message);
      fake.failNext(action, fault);
      const again = await send({ ...message, id: `${message.id}b` });
      const [first, second] = fake.botMessages(chat);
      const sentAt = (second?.time ?? 0) * 1_000;
      expect(again).toEqual({ kind: "sent", messageId: String(second?.messageId), sentAt });
      expect(first?.messageId).not.toBe(second?.messageId);
      expect(fake.botMessages(chat)).toHaveLength(2);
    }
  });

  it.each(faults(false))(
    "the channel sends again if the history lacks the uncertain message (%s)",
    async (_, fault) => {
      await send(toGroup("同样的话"));
      fake.failNext("send_group_msg", fault);
      const message = toGroup("同样的话");
      expect(await send(message)).toMatchObject({ kind: "later" });
      expect(fake.callsOf("send_group_msg")).toHaveLength(2);
      expect(await send(message)).toMatchObject({ kind: "sent" });
      expect(texts("group:30001")).toEqual(["同样的话", "同样的话"]);
    },
  );

  it("an uncertain message is unknown where there is no history, and is not sent again", async () => {
    fake.disabled.add("get_group_msg_history");
    fake.failNext("send_group_msg", { kind: "refuse", retcode: 1200, taken: true });
    expect(await send(toGroup("a"))).toMatchObject({ kind: "unknown" });
    expect(fake.callsOf("send_group_msg")).toHaveLength(1);
    fake.failNext("get_friend_msg_history", { kind: "refuse", retcode: 1200 }, 5);
    fake.failNext("send_private_msg", { kind: "swallow", taken: false });
    expect(await send(toPerson("a"))).toMatchObject({ kind: "unknown" });
  });

  it.each([true, false])(
    "a send is looked for on the next connection when its socket died (out: %s)",
    async (taken) => {
      fake.failNext("send_private_msg", { kind: "close", taken });
      const message = toPerson("重要");
      let delivery = await send(message);
      for (let tries = 0; delivery.kind === "later" && tries < 50; tries += 1) {
        await new Promise((resolve) => setTimeout(resolve, 20));
        delivery = await send(message);
      }
      expect(delivery).toMatchObject({ kind: "sent" });
      expect(texts("private:20001")).toEqual(["重要"]);
      expect(fake.callsOf("send_private_msg")).toHaveLength(taken ? 1 : 2);
    },
  );

  it("the next try after an uncertain end leaves the quote out", async () => {
    const message = toGroup("a", { replyTo: "123456" });
    expect(await send(message)).toMatchObject({ kind: "later" });
    expect(await send(message)).toMatchObject({ kind: "sent" });
    expect(fake.botMessages("group:30001")).toMatchObject([{ text: "a", replyTo: undefined }]);
  });

  it("the next try after an uncertain end writes the name instead of the mention", async () => {
    const message = toGroup("阿光，到时间了：喝水", { mention: { user: "20001", name: "阿光" }, plain: true });
    fake.failNext("send_group_msg", { kind: "refuse", retcode: 1200, taken: false });
    expect(await send(message)).toMatchObject({ kind: "later" });
    expect(await send(message)).toMatchObject({ kind: "sent" });
    const sent = fake.callsOf("send_group_msg").map(({ params }) => JSON.stringify(params));
    expect(sent.map((params) => params.includes('"at"'))).toEqual([true, false]);
    expect(texts("group:30001")).toEqual(["阿光，到时间了：喝水"]);
  });

  it("the channel gives an uncertain message up after eight tries, so that the chat goes on", async () => {
    fake.failNext("send_private_msg", { kind: "refuse", retcode: 1200, taken: false }, 20);
    const message = toPerson("a");
    const answers: string[] = [];
    for (let tries = 0; tries < 8; tries += 1) answers.push((await send(message)).kind);
    expect(answers).toEqual([...Array.from({ length: 7 }, () => "later"), "refused"]);
  });

  it("a doubtful sending does not delay a stop", async () => {
    await onebot[Symbol.asyncDispose]();
    await start({}, { callMs: 100, doubtMs: [60_000] });
    fake.failNext("send_private_msg", { kind: "swallow", taken: true });
    const sending = send(toPerson("a"));
    await fake.waitFor(() => onebot.logged.some((line) => line.includes("is not known")), "the doubt");
    await onebot.channel.stop();
    expect(await sending).toMatchObject({ kind: "later" });
  });
});

describe("the clock of QQ", () => {
  const hourMs = 3_600_000;
  const ahead = { now: () => systemClock.now() + 2 * hourMs };

  async function restart(more: Parameters<typeof startOneBotChannel>[0] = {}): Promise<void> {
    await onebot[Symbol.asyncDispose]();
    onebot = await startOneBotChannel({ url: fake.url, accessToken: fake.token, pace: { callMs: 300 }, ...more });
    await fake.waitFor(() => onebot.channel.health().state === "ready", "good health");
  }

  async function hear(): Promise<void> {
    fake.say({ chat: "private:20001", text: "在吗" });
    await fake.waitFor(() => onebot.messages().length === 1, "the message");
  }

  const anyFault: FakeOneBotFault = { kind: "refuse", retcode: 1200, taken: true };

  it.each([
    ["ours is two hours ahead", 0, ahead],
    ["QQ's is two hours behind", -2 * hourMs, systemClock],
    ["QQ's is two hours ahead", 2 * hourMs, systemClock],
  ])(
    "the channel finds a message that is out though the clocks differ, and does not resend it (%s)",
    async (_, clockAheadMs, clock) => {
      await restart({ clock });
      fake.settings.clockAheadMs = clockAheadMs;
      await hear();
      fake.failNext("send_private_msg", anyFault);
      const sent = await send(toPerson("重要"));
      const [out] = fake.botMessages("private:20001");
      expect(sent).toEqual({ kind: "sent", messageId: String(out?.messageId), sentAt: (out?.time ?? 0) * 1_000 });
      expect(texts("private:20001")).toEqual(["重要"]);
    },
  );

  it("the channel finds a message that is out when QQ's clock is two minutes behind and the chat is empty", async () => {
    await restart({ clock: { now: () => systemClock.now() + 120_000 } });
    fake.failNext("send_private_msg", anyFault);
    expect(await send(toPerson("重要"))).toMatchObject({ kind: "sent" });
  });

  it("dates what was sent; heartbeats, which have another clock, do not count", async () => {
    await restart({ clock: ahead });
    fake.settings.clockAheadMs = -2 * hourMs;
    fake.setOnline(true);
    expect(await send(toPerson("a"))).not.toHaveProperty("sentAt");
    await hear();
    fake.setOnline(true);
    const sent = await send(toPerson("b"));
    const behind = systemClock.now() - 2 * hourMs;
    expect(sent).toMatchObject({ kind: "sent", sentAt: expect.any(Number) });
    expect(Math.abs(((sent.kind === "sent" && sent.sentAt) || 0) - behind)).toBeLessThan(hourMs);
  });

  it("tells an older message with the same words from the new one, also after a restart", async () => {
    fake.settings.clockAheadMs = -30_000;
    await send(toPerson("好的"));
    fake.settings.clockAheadMs = 0;
    await restart();
    await hear();
    fake.failNext("send_private_msg", { kind: "refuse", retcode: 1200, taken: false });
    const message = toPerson("好的");
    expect(await send(message)).toMatchObject({ kind: "later" });
    expect(await send(message)).toMatchObject({ kind: "sent" });
    expect(texts("private:20001")).toEqual(["好的", "好的"]);
  });

  it("a resend after a restart looks in the history first, and sends if the message is not out or there is no history", async () => {
    const writtenAt = systemClock.now();
    await send(toPerson("可能已发"));
    await restart();
    const resend = (text: string) => onebot.channel.send(toPerson(text), { ...onlyPart(text), writtenAt });
    const [out] = fake.botMessages("private:20001");
    expect(await resend("可能已发")).toMatchObject({ kind: "sent", messageId: String(out?.messageId) });
    expect(await resend("还没发")).toMatchObject({ kind: "sent" });
    fake.failNext("get_friend_msg_history", { kind: "refuse", retcode: 1200 });
    expect(await resend("问不到")).toMatchObject({ kind: "sent" });
    expect(texts("private:20001")).toEqual(["可能已发", "还没发", "问不到"]);
  });

  it("a send is looked for again when the history went with the socket, and is not given up as unknown", async () => {
    fake.failNext("get_friend_msg_history", { kind: "close", taken: false });
    fake.failNext("send_private_msg", { kind: "refuse", retcode: 1200, taken: false });
    expect(await send(toPerson("重要"))).toMatchObject({ kind: "later" });
  });

  it("cannot tell one of just before the restart: what was written down does", async () => {
    const first = await send(toPerson("好的"));
    const known = first.kind === "sent" ? `${fake.selfId} private:20001 ${first.messageId}` : "";
    await restart({ isOwnMessageKnown: async (...of) => of.join(" ") === known });
    await hear();
    fake.failNext("send_private_msg", { kind: "refuse", retcode: 1200, taken: false });
    const message = toPerson("好的");
    expect(await send(message)).toMatchObject({ kind: "later" });
    expect(await send(message)).toMatchObject({ kind: "sent" });
    expect(texts("private:20001")).toEqual(["好的", "好的"]);
  });
});

describe("typing", () => {
  const place = (chat: string) => ({ platform: "qq", account: String(fake.selfId), chat, thread: null });

  it("the channel shows typing in private chats only, and not at every call", async () => {
    for (let times = 0; times < 5; times += 1) await onebot.channel.showTyping?.(place("private:20001"));
    await onebot.channel.showTyping?.(place("30001"));
    await fake.waitFor(() => fake.typing.length === 1, "the sign");
    expect(fake.callsOf("set_input_status").map(({ params }) => params)).toEqual([{ user_id: "20001", event_type: 1 }]);
  });

  it("the channel stops showing typing where the action is unknown, until the next connection", async () => {
    await onebot[Symbol.asyncDispose]();
    await start({}, { typingMs: 1_000 });
    fake.disabled.add("set_input_status");
    await onebot.channel.showTyping?.(place("private:20001"));
    await onebot.channel.showTyping?.(place("private:20002"));
    expect(fake.callsOf("set_input_status")).toHaveLength(1);
    fake.cut();
    await fake.waitFor(() => fake.handshakes.length === 2, "a new connection");
    await fake.waitFor(() => onebot.channel.health().state === "ready", "good health");
    await onebot.channel.showTyping?.(place("private:20003"));
    expect(fake.callsOf("set_input_status")).toHaveLength(2);
  });
});
