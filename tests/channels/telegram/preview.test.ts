import { describe, expect, it } from "vitest";
import type { LiveView } from "../../../src/channels/types.ts";
import { startFakeBotApi, type FakeBotApi } from "../../support/telegram/fake-bot-api.ts";
import { quickPace, startTelegram, toChat, whole } from "../../support/telegram/start-telegram.ts";

let turns = 0;

function startTurn(fake: FakeBotApi, chat: number): (text: string, tools?: LiveView["tools"]) => LiveView {
  turns += 1;
  const turn = `turn-${turns}`;
  const { address } = toChat(fake, chat, { text: "" });
  return (text, tools = []) => ({ turn, cause: "c", address, text, tools });
}

const shell = { id: "1.1", name: "shell", summary: "uname -a", phrase: "看一下。", status: "started" } as const;

describe("previews in private chats", () => {
  it("private previews are drafts with one id, and then the message is sent", async () => {
    await using fake = await startFakeBotApi();
    await using telegram = await startTelegram(fake);
    fake.openChat(42);
    const view = startTurn(fake, 42);
    expect(await telegram.channel.show?.(view("看"))).toBeUndefined();
    await fake.waitFor(() => fake.drafts.length === 1, "the first draft");
    for (const text of ["看一", "看一下", "看一下。"]) await telegram.channel.show?.(view(text));
    await telegram.channel.show?.(view("看一下。", [shell]));
    await fake.waitFor(() => fake.drafts.length === 2, "the newest draft");
    expect(fake.drafts.map(({ text }) => text)).toEqual(["看", "看一下。\n\n▸ 看一下。 shell uname -a"]);
    expect(new Set(fake.drafts.map(({ draftId }) => draftId)).size).toBe(1);
    const message = toChat(fake, 42, { text: "", turn: view("").turn });
    expect(await telegram.channel.send(message, whole("好了"))).toMatchObject({ kind: "sent", messageId: "1" });
    await telegram.channel.show?.(view("太晚"));
    await new Promise((resolve) => setTimeout(resolve, 3 * quickPace.draftMs));
    expect(fake.drafts).toHaveLength(2);
  });

  it("show what is written of a call", async () => {
    await using fake = await startFakeBotApi();
    await using telegram = await startTelegram(fake);
    fake.openChat(42);
    const view = startTurn(fake, 42);
    await telegram.channel.show?.(view("", [{ ...shell, summary: "uname", status: "writing" }]));
    await fake.waitFor(() => fake.drafts.length === 1, "the first draft");
    expect(fake.drafts.map(({ text }) => text)).toEqual(["▸ 看一下。 shell uname"]);
  });

  it.each([
    ["sendMessageDraft", 42],
    ["sendMessage", -100],
  ] as const)("come once more as plain text when the server refuses their entities: %s", async (method, chat) => {
    await using fake = await startFakeBotApi();
    await using telegram = await startTelegram(fake);
    fake.openChat(chat);
    fake.failNext(method, { kind: "answer", status: 400, description: "Bad Request: can't parse entities: x" });
    const view = startTurn(fake, chat);
    await telegram.channel.show?.(view("**粗**"));
    await fake.waitFor(() => fake.callsOf(method).length === 2, "the second try");
    expect(fake.callsOf(method).map(({ payload }) => "entities" in payload)).toEqual([true, false]);
    await telegram.channel.show?.(view("**粗** 再粗"));
    const next = chat > 0 ? "sendMessageDraft" : "editMessageText";
    await fake.waitForCall((call) => call.method === next && call.status === 200 && call.payload["text"] === "粗 再粗");
  });

  it("go into a message for all chats when the server does not know drafts", async () => {
    await using fake = await startFakeBotApi();
    await using telegram = await startTelegram(fake);
    fake.openChat(42);
    fake.openChat(43);
    fake.failNext("sendMessageDraft", { kind: "answer", status: 404, description: "Not Found: method not found" });
    const view = startTurn(fake, 42);
    await telegram.channel.show?.(view("a"));
    await fake.waitForMessage(({ chat, text }) => chat === 42 && text === "a");
    expect(await telegram.channel.show?.(view("ab"))).toBe("1");
    await fake.waitForMessage(({ text }) => text === "ab");
    expect(await telegram.channel.show?.(startTurn(fake, 43)("b"))).toBe("1");
    expect(fake.callsOf("sendMessageDraft")).toHaveLength(1);
    const message = toChat(fake, 42, { text: "", turn: view("").turn });
    expect(await telegram.channel.send(message, whole("done"))).toMatchObject({ kind: "sent", messageId: "1" });
  });

  it("go into a message in one chat when drafts are refused there", async () => {
    await using fake = await startFakeBotApi();
    await using telegram = await startTelegram(fake);
    fake.openChat(42);
    fake.openChat(43);
    fake.failNext("sendMessageDraft", {
      kind: "answer",
      status: 400,
      description: "Bad Request: TEXTDRAFT_PEER_INVALID",
    });
    await telegram.channel.show?.(startTurn(fake, 42)("a"));
    await fake.waitForMessage(({ text }) => text === "a");
    await telegram.channel.show?.(startTurn(fake, 43)("b"));
    await fake.waitFor(() => fake.drafts.length === 1, "the draft");
    expect(fake.drafts).toMatchObject([{ chat: 43, text: "b" }]);
  });
});

describe("previews in groups", () => {
  it("no group preview starts for a call that is still being written, since it may become a question", async () => {
    await using fake = await startFakeBotApi();
    await using telegram = await startTelegram(fake);
    fake.openChat(-100);
    const view = startTurn(fake, -100);
    const writing = { ...shell, summary: "uname", status: "writing" } as const;
    expect(await telegram.channel.show?.(view("", [writing]))).toBeUndefined();
    expect(fake.callsOf("sendMessage")).toEqual([]);
  });

  it("a group preview is one message that shows only the newest view, and the final text replaces it", async () => {
    await using fake = await startFakeBotApi();
    await using telegram = await startTelegram(fake);
    fake.openChat(-100);
    const view = startTurn(fake, -100);
    const previewId = await telegram.channel.show?.(view("0", [shell]));
    expect(previewId).toBe("1");
    for (let step = 1; step <= 20; step += 1) expect(await telegram.channel.show?.(view(`step ${step}`))).toBe("1");
    await fake.waitForMessage(({ text }) => text === "step 20");
    expect(fake.botMessages(-100)).toHaveLength(1);
    expect(fake.callsOf("editMessageText").length).toBeLessThan(5);
    const message = toChat(fake, -100, { text: "", turn: view("").turn });
    await telegram.channel.send(message, whole("最后"), previewId);
    expect(fake.botMessages(-100)).toMatchObject([{ text: "最后" }]);
  });

  it("a group preview stays as it is when the final text is the same, and is edited when it gets buttons", async () => {
    await using fake = await startFakeBotApi();
    await using telegram = await startTelegram(fake);
    fake.openChat(-100);
    const view = startTurn(fake, -100);
    const previewId = await telegram.channel.show?.(view("**same**"));
    const message = toChat(fake, -100, { text: "", turn: view("").turn });
    const delivery = await telegram.channel.send(message, whole("**same**"), previewId);
    expect(delivery).toMatchObject({ kind: "sent", messageId: previewId });
    expect(fake.callsOf("editMessageText")).toEqual([]);

    fake.openChat(-200);
    const next = startTurn(fake, -200);
    const nextId = await telegram.channel.show?.(next("same"));
    const choices = [{ label: "继续", data: "x", style: "plain" }] as const;
    const last = { ...toChat(fake, -200, { text: "", turn: next("").turn }), choices };
    await telegram.channel.send(last, whole("same"), nextId);
    expect(fake.callsOf("editMessageText")).toHaveLength(1);
  });

  it("skip unchanged text", async () => {
    await using fake = await startFakeBotApi();
    await using telegram = await startTelegram(fake);
    fake.openChat(-100);
    const view = startTurn(fake, -100);
    await telegram.channel.show?.(view("same"));
    for (let step = 0; step < 3; step += 1) {
      await telegram.channel.show?.(view("**same**".replaceAll("*", "")));
      await new Promise((resolve) => setTimeout(resolve, quickPace.editMs));
    }
    expect(fake.callsOf("editMessageText")).toEqual([]);
  });

  it("stop after a 429 until its time is over, without holding up whoever shows them", async () => {
    await using fake = await startFakeBotApi();
    await using telegram = await startTelegram(fake);
    fake.openChat(-100);
    const view = startTurn(fake, -100);
    fake.failNext("sendMessage", {
      kind: "answer",
      status: 429,
      description: "Too Many Requests",
      parameters: { retry_after: 3 },
    });
    const started = performance.now();
    expect(await telegram.channel.show?.(view("a"))).toBeUndefined();
    expect(await telegram.channel.show?.(view("ab"))).toBeUndefined();
    expect(performance.now() - started).toBeLessThan(2_500);
    const shown = await fake.waitForMessage(({ text }) => text === "ab");
    expect(performance.now() - started).toBeGreaterThan(2_900);
    expect(shown.texts).toEqual(["ab"]);
  });

  it("leave room for the sign of typing, which is shown not too often", async () => {
    await using fake = await startFakeBotApi();
    await using telegram = await startTelegram(fake, { previewPace: { ...quickPace, typingMs: 10_000 } });
    fake.openChat(-100);
    const view = startTurn(fake, -100);
    expect(await telegram.channel.show?.(view(" "))).toBeUndefined();
    for (let step = 0; step < 5; step += 1) await telegram.channel.showTyping?.(view(" ").address);
    expect(fake.callsOf("sendChatAction")).toHaveLength(1);
    expect(fake.callsOf("sendMessage")).toHaveLength(0);
  });

  it("go on in the message a restart knows of", async () => {
    await using fake = await startFakeBotApi();
    await using telegram = await startTelegram(fake);
    fake.openChat(-100);
    const view = startTurn(fake, -100);
    await telegram.channel.send(toChat(fake, -100, { text: "" }), whole("from before"));
    expect(await telegram.channel.show?.(view("more"), "1")).toBe("1");
    await fake.waitForMessage(({ messageId, text }) => messageId === 1 && text === "more");
  });

  it("make room for a question, and start a message of their own after it", async () => {
    await using fake = await startFakeBotApi();
    await using telegram = await startTelegram(fake);
    fake.openChat(-100);
    const view = startTurn(fake, -100);
    await telegram.channel.show?.(view("", [shell]));
    const { turn } = view("");
    await telegram.channel.send(toChat(fake, -100, { kind: "question", text: "", turn }), whole("要执行吗？"));
    expect(fake.botMessages(-100).map(({ text }) => text)).toEqual(["要执行吗？"]);
    await telegram.channel.show?.(view("执行中"));
    await fake.waitForMessage(({ text }) => text === "执行中");
    expect(fake.botMessages(-100).map(({ text }) => text)).toEqual(["要执行吗？", "执行中"]);
  });

  it("never come after the final message, whatever the server is slow with", async () => {
    await using fake = await startFakeBotApi();
    await using telegram = await startTelegram(fake);
    fake.openChat(-100);
    const view = startTurn(fake, -100);
    const showing = telegram.channel.show?.(view("old"));
    void telegram.channel.show?.(view("older still"));
    const message = toChat(fake, -100, { text: "", turn: view("").turn });
    const delivery = await telegram.channel.send(message, whole("final"));
    await showing;
    await new Promise((resolve) => setTimeout(resolve, 3 * quickPace.editMs));
    expect(delivery.kind).toBe("sent");
    expect(fake.botMessages(-100).map(({ text }) => text)).toEqual(["final"]);
  });

  it("a group preview does not appear twice when the first one was taken but not confirmed", async () => {
    await using fake = await startFakeBotApi();
    await using telegram = await startTelegram(fake);
    fake.openChat(-100);
    const view = startTurn(fake, -100);
    fake.failNext("sendMessage", { kind: "drop", taken: true });
    expect(await telegram.channel.show?.(view("a"))).toBeUndefined();
    await telegram.channel.show?.(view("ab"));
    await new Promise((resolve) => setTimeout(resolve, 3 * quickPace.editMs));
    expect(fake.botMessages(-100)).toHaveLength(1);
  });

  it("show the end of a long text within the limit", async () => {
    await using fake = await startFakeBotApi();
    await using telegram = await startTelegram(fake);
    fake.openChat(-100);
    const view = startTurn(fake, -100);
    await telegram.channel.show?.(view(`${"长文。".repeat(3_000)}结尾`, [{ ...shell, summary: "x\ny".repeat(200) }]));
    const [shown] = fake.botMessages(-100);
    expect(shown?.text).toMatch(/^…\n\n[^]*结尾\n\n▸ 看一下。 shell x y[^\n]*…$/);
  });
});
