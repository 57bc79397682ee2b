import { describe, expect, onTestFinished, test } from "vitest";
import type { LiveView } from "../../../src/channels/types.ts";
import { startFakeQqBot } from "../../support/qq/fake-qq-bot.ts";
import type { FakeQqBotSettings } from "../../support/qq/qq-types.ts";
import { addressOf, onlyPart, outbound, startQqChannel } from "../../support/qq/start-qq-channel.ts";

const alone = "private:OPENID";

async function start(settings: Partial<FakeQqBotSettings> = {}, chat = alone) {
  const fake = await startFakeQqBot(settings);
  onTestFinished(() => fake[Symbol.asyncDispose]());
  const running = await startQqChannel(fake);
  onTestFinished(() => running[Symbol.asyncDispose]());
  await fake.waitFor(() => running.channel.health().state === "ready", "the channel");
  fake.say({ chat, from: { id: "OPENID" }, text: "讲讲", toUs: true });
  await fake.waitFor(() => running.events.length === 1, "the message");
  const view = (text: string): LiveView => ({
    turn: "t1",
    cause: "c",
    address: addressOf(fake, chat),
    text,
    tools: [],
  });
  const show = (text: string, preview?: string) => running.channel.show?.(view(text), preview);
  const send = (text: string, preview?: string, turn = "t1") =>
    running.channel.send(outbound(fake, chat, text, { turn }), onlyPart(text), preview);
  return { fake, ...running, show, send, said: () => fake.botMessages(chat) };
}

describe("an answer that grows", () => {
  test("a growing answer is one message and one reply, however many pieces it has", async () => {
    const { fake, show, send, said } = await start();
    const id = await show("第一句。");
    expect(id).toMatch(/^ROBOT/);
    expect(await show("第一句。第二句。", id)).toBe(id);
    expect(said()).toMatchObject([{ messageId: id, text: "第一句。第二句。", isWhole: false, pieces: 2 }]);
    expect(await send("第一句。第二句。**完**。", id)).toMatchObject({ kind: "sent", messageId: id });
    expect(said()).toMatchObject([{ text: "第一句。第二句。**完**。", isWhole: true, pieces: 3, seq: 1 }]);
    for (const text of ["二", "三", "四"]) expect(await send(text, undefined, "t2")).toMatchObject({ kind: "sent" });
    expect(await send("五", undefined, "t2")).toEqual({ kind: "absent" });
    expect(fake.calls.filter(({ code }) => code !== 0)).toEqual([]);
  });

  test("a growing answer that ends differently stays as it is, and the whole answer follows", async () => {
    const { show, send, said } = await start();
    const id = await show("第一句。");
    await show("换了一句。", id);
    expect(await send("换了一句。", id)).toMatchObject({ kind: "sent" });
    expect(said()).toMatchObject([
      { text: "第一句。", isWhole: true },
      { text: "换了一句。", isWhole: true },
    ]);
  });

  test("an answer whose end was taken without confirmation is not said twice", async () => {
    const { fake, show, send, said } = await start();
    const id = await show("第一句。");
    fake.failNext(/stream_messages/, { kind: "lost" });
    expect((await send("第一句。完。", id)).kind).toBe("later");
    expect(await send("第一句。完。", id)).toMatchObject({ kind: "sent", messageId: id });
    expect(said()).toMatchObject([{ text: "第一句。完。", isWhole: true }]);
  });

  test("leaves the last reply to the result", async () => {
    const { show, send, said } = await start();
    for (const text of ["一", "二", "三"]) await send(text, undefined, "t0");
    expect(await show("第一句。")).toBeUndefined();
    expect(await send("第一句。完。")).toMatchObject({ kind: "sent" });
    expect(said().map(({ text }) => text)).toEqual(["一", "二", "三", "第一句。完。"]);
  });
});

test.each([
  ["in a group", {}, "GROUP"],
  ["where QQ does not take it", { allowsStreams: false }, alone],
])("nothing grows %s: the answer comes whole", async (_, settings, chat) => {
  const { show, send, said } = await start(settings, chat);
  expect(await show("第一句。")).toBeUndefined();
  expect(await show("第一句。第二句。")).toBeUndefined();
  expect(await send("第一句。第二句。")).toMatchObject({ kind: "sent" });
  expect(said()).toMatchObject([{ text: "第一句。第二句。", isWhole: true, pieces: 1 }]);
});
