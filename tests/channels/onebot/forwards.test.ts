import { describe, expect, it } from "vitest";
import { startFakeOneBot, type FakeOneBot } from "../../support/onebot/fake-onebot.ts";
import type { FakeSegment } from "../../support/onebot/onebot-types.ts";
import { outbound, startOneBotChannel, type RunningOneBotChannel } from "../../support/onebot/start-onebot-channel.ts";

const text = (words: string): FakeSegment => ({ type: "text", data: { text: words } });
const forward = (data: object): FakeSegment => ({ type: "forward", data: { ...data } });
const event = (name: string, ...message: FakeSegment[]) => ({ sender: { nickname: name }, message });

async function hear(fake: FakeOneBot, onebot: RunningOneBotChannel, ...segments: FakeSegment[]) {
  const before = onebot.messages().length;
  fake.say({ chat: "private:20001", segments });
  await fake.waitFor(() => onebot.messages().length > before, "the message");
  return onebot.messages()[before];
}

async function start(fake: FakeOneBot, forwardFrom = 2_000) {
  fake.befriend({ id: 20001 });
  const onebot = await startOneBotChannel({ url: fake.url, accessToken: fake.token, forwardFrom });
  await fake.waitFor(() => onebot.channel.health().detail.includes("Kurisu"), "its name");
  return onebot;
}

describe("a merged forward", () => {
  it("a forward that came with its content is not requested, and its nested parts are indented", async () => {
    await using fake = await startFakeOneBot();
    await using onebot = await start(fake);
    const inner = forward({ id: "2", content: [event("菲伊莉丝", text("喵"))] });
    const content = [
      event("真由理", text("嘟嘟噜\n确认")),
      event("桶子", { type: "image", data: { file: "a.png" } }, inner),
    ];
    expect(await hear(fake, onebot, forward({ id: "1", content }))).toMatchObject({
      text: "真由理: 嘟嘟噜\n  确认\n桶子: [图片] [聊天记录]\n  菲伊莉丝: 喵",
      forwarded: true,
    });
    expect(fake.callsOf("get_forward_msg")).toEqual([]);
  });

  it("the channel bounds a forward in depth, messages, calls and length", async () => {
    await using fake = await startFakeOneBot();
    await using onebot = await start(fake);
    let nested = event("底", text("到不了这里"));
    for (let depth = 0; depth < 20; depth += 1) nested = event(`第${depth}层`, forward({ content: [nested] }));
    const deep = await hear(fake, onebot, forward({ content: [nested] }));
    expect(deep?.text.split("\n")).toHaveLength(3);
    const many = Array.from({ length: 5_000 }, (_, n) => event("刷屏", text(`${n}`)));
    const long = await hear(fake, onebot, forward({ content: many }));
    expect(long?.text.split("\n")).toHaveLength(101);
    const wide = await hear(fake, onebot, forward({ content: [event("长", text("长".repeat(30_000)))] }));
    expect(wide?.text.length).toBeLessThanOrEqual(8_001);
    const asked = Array.from({ length: 20 }, (_, n) => forward({ id: `no-${n}` }));
    await hear(fake, onebot, ...asked);
    expect(fake.callsOf("get_forward_msg")).toHaveLength(5);
  });

  it("an unreadable forward stays an attachment by name, and a malformed one does not stop the chat", async () => {
    await using fake = await startFakeOneBot();
    await using onebot = await start(fake);
    expect(await hear(fake, onebot, forward({ id: "gone" }))).toMatchObject({
      text: "",
      attachments: [{ kind: "forward" }],
      forwarded: true,
    });
    for (const content of [[null], [1, "x", []], [{ type: "node", data: null }], [{ message: { a: 1 } }]]) {
      expect(await hear(fake, onebot, forward({ content }))).toMatchObject({ forwarded: true });
    }
  });

  it("a quoted forward arrives with the quotation, as the words of others", async () => {
    await using fake = await startFakeOneBot();
    await using onebot = await start(fake);
    fake.forwards.set("res1", [{ from: 20009, name: "真由理", segments: [text("嘟嘟噜")] }]);
    const { messageId } = fake.say({ chat: "group:30001", from: { id: 20002 }, segments: [forward({ id: "res1" })] });
    fake.say({ chat: "group:30001", from: { id: 20001 }, at: [fake.selfId], replyTo: messageId, text: "总结一下" });
    await fake.waitFor(() => onebot.messages().length === 2, "both");
    expect(onebot.messages()[1]).toMatchObject({
      text: "总结一下",
      forwarded: false,
      quote: { fromUs: false, forwarded: true, text: "真由理: 嘟嘟噜" },
    });
  });
});

describe("a long text", () => {
  const long = (fake: FakeOneBot, more = {}) =>
    outbound(fake.selfId, "private:20001", "长".repeat(4_000), { plain: true, ...more });
  const sendFirst = (onebot: RunningOneBotChannel, message: ReturnType<typeof long>) => {
    const [first = ""] = onebot.channel.split(message);
    return onebot.channel.send(message, { text: first, index: 0, last: false });
  };

  it("goes in parts when the forward is refused, and the forward is not tried again for it", async () => {
    await using fake = await startFakeOneBot();
    await using onebot = await start(fake);
    fake.failNext("send_private_forward_msg", { kind: "refuse", retcode: 1400 });
    const message = long(fake);
    expect(await sendFirst(onebot, message)).not.toHaveProperty("whole");
    expect(fake.botMessages("private:20001").map((sent) => sent.text.length)).toEqual([1_800]);
    await sendFirst(onebot, message);
    expect(fake.callsOf("send_private_forward_msg")).toHaveLength(1);
  });

  it("a long text that QQ swallowed goes in parts; one that is out after all is not sent twice", async () => {
    await using fake = await startFakeOneBot();
    await using onebot = await start(fake);
    await hear(fake, onebot, text("讲长一点"));
    fake.failNext("send_private_forward_msg", { kind: "refuse", retcode: 1200, taken: false });
    expect(await sendFirst(onebot, long(fake))).toMatchObject({ kind: "sent" });
    expect(fake.botMessages("private:20001").map(({ segments }) => segments[0]?.type)).toEqual(["text"]);
    fake.failNext("send_private_forward_msg", { kind: "refuse", retcode: 1200, taken: true });
    expect(await sendFirst(onebot, long(fake))).toMatchObject({ kind: "sent", whole: true });
    expect(fake.botMessages("private:20001").map(({ segments }) => segments[0]?.type)).toEqual(["text", "forward"]);
  });

  it("a long text whose delivery cannot be verified is unknown as a whole", async () => {
    await using fake = await startFakeOneBot();
    await using onebot = await start(fake);
    fake.failNext("send_private_forward_msg", { kind: "refuse", retcode: 1200 });
    fake.disabled.add("get_friend_msg_history");
    expect(await sendFirst(onebot, long(fake))).toMatchObject({ kind: "unknown", whole: true });
  });

  it("a long text that asks a question or is below the threshold goes in parts", async () => {
    await using fake = await startFakeOneBot();
    await using onebot = await start(fake, 5_000);
    await sendFirst(onebot, long(fake));
    await using eager = await start(fake, 100);
    await sendFirst(eager, long(fake, { kind: "question" }));
    expect(fake.callsOf("send_private_forward_msg")).toEqual([]);
  });
});
