import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Delivery, OutboundMessage } from "../../../src/channels/types.ts";
import { startFakeQqBot, type FakeQqBot } from "../../support/qq/fake-qq-bot.ts";
import { onlyPart, outbound, startQqChannel, type RunningQqChannel } from "../../support/qq/start-qq-channel.ts";
import type { FakeText } from "../../support/qq/qq-types.ts";

const alone = "private:OPENID";
const group = "GROUP";
const minute = 60_000;

interface Bench {
  readonly fake: FakeQqBot;
  readonly running: RunningQqChannel;
  /** Somebody writes, and it is stored. */
  hear(text: string, more?: Partial<FakeText>): Promise<string>;
  send(message: OutboundMessage): Promise<Delivery>;
}

async function startBench(options: Parameters<typeof startQqChannel>[2] = {}, settings = {}): Promise<Bench> {
  const fake = await startFakeQqBot(settings);
  onTestFinished(() => fake[Symbol.asyncDispose]());
  return { fake, ...(await startOn(fake, options)) };
}

async function startOn(fake: FakeQqBot, options: Parameters<typeof startQqChannel>[2] = {}) {
  const running = await startQqChannel(fake, "gateway", options);
  onTestFinished(() => running[Symbol.asyncDispose]());
  await fake.waitFor(() => running.channel.health().state === "ready", "the channel");
  return {
    running,
    async hear(text: string, more: Partial<FakeText> = {}) {
      const { messageId } = fake.say({ chat: alone, from: { id: "OPENID" }, text, ...more });
      const isThere = () => running.messages().some((message) => message.messageId === messageId);
      await fake.waitFor(isThere, "the message");
      return messageId;
    },
    send: (message: OutboundMessage) => running.channel.send(message, onlyPart(message.text)),
  };
}

const kinds = (deliveries: readonly Delivery[]) => deliveries.map(({ kind }) => kind);
const words = (fake: FakeQqBot, chat: string) => fake.botMessages(chat).map(({ text }) => text);

async function sendTimes({ fake, send }: Bench, chat: string, times: number): Promise<readonly Delivery[]> {
  const deliveries: Delivery[] = [];
  for (let index = 0; index < times; index += 1)
    deliveries.push(await send(outbound(fake, chat, `第 ${index + 1} 句`)));
  return deliveries;
}

describe("replies to one message", () => {
  test.each([
    ["alone with her", alone, 4],
    ["in a group", group, 5],
    ["in a channel of a guild", "channel:5", 5],
    ["in a private chat of a guild", "direct:6", 5],
  ])(
    "the channel sends as many replies as QQ takes %s, and the next one waits for the next message",
    async (_, chat, most) => {
      const bench = await startBench();
      const { fake } = bench;
      expect(kinds([await bench.send(outbound(fake, chat, "没人问"))])).toEqual(["absent"]);
      const first = await bench.hear("你好", { chat, toUs: true });
      expect(kinds(await sendTimes(bench, chat, most + 1))).toEqual([...Array<string>(most).fill("sent"), "absent"]);
      expect(new Set(fake.botMessages(chat).map(({ answers }) => answers))).toEqual(new Set([first]));
      const waiting = outbound(fake, chat, "晚到的结果");
      expect(await bench.send(waiting)).toEqual({ kind: "absent" });
      expect(bench.running.woken).toHaveLength(1);
      const second = await bench.hear("还在吗", { chat, toUs: true });
      expect(bench.running.woken).toHaveLength(2);
      expect(await bench.send(waiting)).toMatchObject({ kind: "sent" });
      expect(fake.botMessages(chat).at(-1)).toMatchObject({ text: "晚到的结果", answers: second });
      expect(fake.calls.filter(({ code }) => code !== 0)).toEqual([]);
    },
  );

  test.each([
    [alone, 59, 61],
    [group, 4, 6],
  ])("the channel replies only within the time window in %s", async (chat, open, over) => {
    const bench = await startBench();
    await bench.hear("你好", { chat, toUs: true });
    bench.fake.advance(open * minute);
    expect(await bench.send(outbound(bench.fake, chat, "来得及"))).toMatchObject({ kind: "sent" });
    bench.fake.advance((over - open) * minute);
    expect(await bench.send(outbound(bench.fake, chat, "太晚了"))).toEqual({ kind: "absent" });
    expect(bench.fake.calls.filter(({ code }) => code !== 0)).toEqual([]);
  });

  test("answer the message they were caused by, as long as it takes replies; then the newest one", async () => {
    const bench = await startBench();
    const { fake } = bench;
    const first = await bench.hear("甲");
    const second = await bench.hear("乙");
    const cause = `qqbot:${fake.settings.appId}:message:${first}`;
    for (let index = 0; index < 5; index += 1) await bench.send(outbound(fake, alone, `${index}`, { cause }));
    expect(fake.botMessages(alone).map(({ answers }) => answers)).toEqual([first, first, first, first, second]);
  });

  test("she believes another count of QQ: another message is answered, or it waits", async () => {
    const bench = await startBench();
    const { fake } = bench;
    const older = await bench.hear("甲");
    await bench.hear("乙");
    fake.failNext(/messages$/, { kind: "refuse", status: 400, code: 40034128 });
    expect(await bench.send(outbound(fake, alone, "答"))).toMatchObject({ kind: "sent" });
    expect(fake.botMessages(alone).at(-1)?.answers).toBe(older);
    fake.failNext(/messages$/, { kind: "refuse", status: 400, code: 40034005 });
    expect(await bench.send(outbound(fake, alone, "答二"))).toEqual({ kind: "absent" });
  });
});

describe("the last reply is kept for the result", () => {
  test("words on the way go along with it when there is no other", async () => {
    const bench = await startBench();
    const { fake } = bench;
    await bench.hear("做三件事");
    for (const text of ["一", "二", "三", "四", "五"])
      expect(await bench.send(outbound(fake, alone, text, { partial: true }))).toMatchObject({ kind: "sent" });
    expect(words(fake, alone)).toEqual(["一", "二", "三"]);
    await bench.send(outbound(fake, alone, "都做完了。"));
    expect(words(fake, alone)).toEqual(["一", "二", "三", "四\n\n五\n\n都做完了。"]);
    await bench.hear("谢谢");
    await bench.send(outbound(fake, alone, "不客气"));
    expect(words(fake, alone).at(-1)).toBe("不客气");
  });

  test("the last part that goes out says that there is more", async () => {
    const bench = await startBench();
    const { fake, running } = bench;
    await bench.hear("讲个很长的");
    const long = outbound(fake, alone, `${"很长的一段话。".repeat(200)}\n\n`.repeat(6));
    const parts = running.channel.split(long);
    expect(parts.length).toBeGreaterThan(4);
    const deliveries: Delivery[] = [];
    for (const [index, text] of parts.entries())
      deliveries.push(await running.channel.send(long, { text, index, last: index === parts.length - 1 }));
    expect(kinds(deliveries).filter((kind) => kind === "sent")).toHaveLength(4);
    const said = words(fake, alone);
    expect(said.slice(0, 3).some((text) => text.includes("还没说完"))).toBe(false);
    expect(said[3]).toMatch(/还没说完。随便回我一句，我接着发。/);
  });
});

describe("a message that may be out or not", () => {
  test.each([alone, group])(
    "an uncertain message is sent again under its number, which %s takes once",
    async (chat) => {
      const bench = await startBench();
      const { fake } = bench;
      await bench.hear("你好", { chat, toUs: true });
      const message = outbound(fake, chat, "只说一次");
      fake.failNext(/messages$/, { kind: "lost" });
      expect((await bench.send(message)).kind).toBe("later");
      expect(await bench.send(message)).toMatchObject({ kind: "sent" });
      expect(words(fake, chat)).toEqual(["只说一次"]);
    },
  );

  test("an uncertain message in a guild, where QQ counts nothing, is not sent again", async () => {
    const bench = await startBench();
    const { fake } = bench;
    await bench.hear("你好", { chat: "channel:5", toUs: true });
    const message = outbound(fake, "channel:5", "只说一次");
    fake.failNext(/messages$/, { kind: "lost" });
    expect((await bench.send(message)).kind).toBe("unknown");
    expect(await bench.send(message)).toMatchObject({ kind: "sent" });
    expect(words(fake, "channel:5")).toEqual(["只说一次"]);
  });

  test("keeps its number over a restart, and the count goes on", async () => {
    const home = mkdtempSync(join(tmpdir(), "kurisu-qq-windows-"));
    onTestFinished(() => rmSync(home, { recursive: true, force: true }));
    const first = await startBench({ place: { home } });
    const { fake } = first;
    await first.hear("你好");
    await first.send(outbound(fake, alone, "一"));
    const doubtful = outbound(fake, alone, "二");
    fake.failNext(/messages$/, { kind: "lost" });
    await first.send(doubtful);
    await first.running.channel.stop();
    await first.running.store.close();
    const second = await startOn(fake, { place: { home } });
    expect(await second.send(doubtful)).toMatchObject({ kind: "sent" });
    expect(await second.send(doubtful)).toMatchObject({ kind: "sent" });
    expect(kinds(await sendTimes({ fake, ...second }, alone, 3))).toEqual(["sent", "sent", "absent"]);
    expect(fake.botMessages(alone).map(({ seq }) => seq)).toEqual([1, 2, 3, 4]);
  });

  test("another program that took a number is no reason to lose a message", async () => {
    const bench = await startBench();
    const { fake } = bench;
    await bench.hear("你好");
    fake.failNext(/messages$/, { kind: "refuse", status: 400, code: 40054005 });
    expect(await bench.send(outbound(fake, alone, "还是要说"))).toMatchObject({ kind: "sent" });
    expect(fake.botMessages(alone).map(({ seq }) => seq)).toEqual([2]);
  });
});

test("a press takes one reply of its own", async () => {
  const bench = await startBench();
  const { fake, running } = bench;
  await bench.hear("问我", { chat: group, toUs: true });
  const choices = [{ label: "确认", data: "a:q:y", style: "approve" }] as const;
  const card = await bench.send(outbound(fake, group, "好吗？", { choices }));
  if (card.kind !== "sent") throw new Error(card.kind);
  fake.advance(6 * minute);
  const from = { id: "MEMBER" };
  fake.press({ chat: group, messageId: card.messageId, button: "确认", from });
  await fake.waitFor(() => running.events.some(({ kind }) => kind === "press"), "the press");
  expect(kinds(await sendTimes(bench, group, 2))).toEqual(["sent", "absent"]);
  expect(fake.botMessages(group).at(-1)?.answers).toMatch(/^INTERACTION_CREATE:/);
});

test("a proactive channel says unasked what has no reply left; where QQ forbids that, the message waits", async () => {
  const allowed = await startBench({ proactive: true }, { allowsActive: true });
  expect(await allowed.send(outbound(allowed.fake, alone, "早上好"))).toMatchObject({ kind: "sent" });
  const forbidden = await startBench({ proactive: true });
  expect(await forbidden.send(outbound(forbidden.fake, alone, "早上好"))).toEqual({ kind: "absent" });
});

test("she greets a person who opens a chat, and their later words have all their replies", async () => {
  const bench = await startBench();
  const { fake, running } = bench;
  fake.change("FRIEND_ADD", alone);
  await fake.waitFor(() => running.messages().length === 1, "the opening");
  const [opening] = running.messages();
  expect(opening).toMatchObject({ text: "/start", chatKind: "private", sender: { id: "OPENID" } });
  expect(kinds(await sendTimes(bench, alone, 2))).toEqual(["sent", "absent"]);
  expect(fake.botMessages(alone)[0]?.answers).toMatch(/^FRIEND_ADD:/);
  await bench.hear("你好");
  expect(kinds(await sendTimes(bench, alone, 5))).toEqual(["sent", "sent", "sent", "sent", "absent"]);
});

test("a chat that lets her speak again hears what waits, and one that is gone does not", async () => {
  const bench = await startBench();
  const { fake, running } = bench;
  await bench.hear("你好", { chat: group, toUs: true });
  fake.advance(6 * minute);
  const late = outbound(fake, group, "太晚的结果");
  expect((await bench.send(late)).kind).toBe("absent");
  for (const [at, event] of ["GROUP_DEL_ROBOT", "GROUP_MSG_REJECT"].entries()) {
    fake.change(event, group);
    await fake.waitFor(() => running.events.length === 2 + at, event);
    expect((await bench.send(late)).kind).toBe("absent");
  }
  fake.change("GROUP_ADD_ROBOT", group);
  await fake.waitFor(() => running.events.length === 4, "the return");
  expect(running.events.map((event) => (event.kind === "chat" ? event.change.kind : event.kind))).toEqual([
    "message",
    "gone",
    "gone",
    "back",
  ]);
  expect(await bench.send(late)).toMatchObject({ kind: "sent" });
  expect(fake.botMessages(group).at(-1)?.answers).toMatch(/^GROUP_ADD_ROBOT:/);
});
