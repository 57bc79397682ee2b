import { describe, expect, it, onTestFinished } from "vitest";
import { ensureSession } from "../../../src/store/queries/sessions.ts";
import type { InboundMessage } from "../../../src/channels/types.ts";
import { createTestStore } from "../../support/test-store.ts";
import { startFakeBotApi } from "../../support/telegram/fake-bot-api.ts";
import { startTelegram, toChat, whole } from "../../support/telegram/start-telegram.ts";

const group = -4_242;
const supergroup = -1_001_234;
const person = { id: 42, name: "冈部" };

async function start() {
  const fake = await startFakeBotApi();
  onTestFinished(() => fake[Symbol.asyncDispose]());
  const database = await createTestStore();
  const telegram = await startTelegram(fake, { database });
  onTestFinished(() => telegram[Symbol.asyncDispose]());
  const { channel, events } = telegram;
  const messages = () => events().filter((event): event is InboundMessage => event.kind === "message");
  const hear = async (text: string, chat: number, replyTo?: number) => {
    const before = messages().length;
    const sent = fake.sendText({ chat, from: person, text, ...(replyTo !== undefined && { replyTo }) });
    await fake.waitFor(() => messages().length > before, "the message");
    return { sent, heard: messages().at(-1) };
  };
  const say = (text: string, more: object = {}) =>
    channel.send(toChat(fake, group, { text, ...more }), whole(text)) as Promise<{ messageId: string }>;
  return { fake, database, telegram, channel, events, hear, say };
}

describe("a group that becomes a supergroup", () => {
  it("stays the chat it was: what is said there comes in under its first id, what she says goes to the new one", async () => {
    const { fake, events, hear, say } = await start();
    await hear("你好", group);
    fake.migrate(group, supergroup);
    await fake.waitFor(() => events().filter(({ kind }) => kind === "chat").length === 2, "both words of it");
    expect(events().filter(({ kind }) => kind === "chat")).toMatchObject(
      Array.from({ length: 2 }, () => ({ key: `moved:${group}:${supergroup}`, change: { to: String(supergroup) } })),
    );
    const { heard } = await hear("在吗", supergroup);
    expect(heard).toMatchObject({ address: { chat: String(group) }, movedTo: String(supergroup), text: "在吗" });
    await say("在", { replyTo: heard?.messageId ?? "" });
    expect(fake.botMessages(supergroup)).toMatchObject([
      { text: "在", replyTo: fake.messages(supergroup)[0]?.messageId },
    ]);
    expect(fake.botMessages(group)).toEqual([]);
  });

  it("counts anew: a number that both have is never taken for the other's message", async () => {
    const { fake, channel, hear, say } = await start();
    await hear("你好", group);
    const before = await say("要执行吗？");
    fake.migrate(group, supergroup);
    for (let count = 0; count < 3; count += 1) await hear("闲聊", supergroup);
    const after = await say("要执行吗？");
    // The supergroup has a message with the number of the old question, and another bot message is there, too.
    expect(fake.messages(supergroup).map(({ messageId }) => String(messageId))).toContain(before.messageId);
    const { heard: wrong } = await hear("确认", supergroup, Number(before.messageId));
    expect(wrong?.quote?.messageId).not.toBe(before.messageId);
    const own = fake.botMessages(supergroup)[0]?.messageId ?? 0;
    const { heard: right } = await hear("确认", supergroup, own);
    expect(right?.quote).toMatchObject({ messageId: after.messageId, fromUs: true });

    const address = toChat(fake, group, { text: "" }).address;
    const edits = fake.callsOf("editMessageText").length;
    await channel.close?.(address, before.messageId, "✓ 已确认");
    expect(fake.callsOf("editMessageText")).toHaveLength(edits);
    await channel.close?.(address, after.messageId, "✓ 已确认");
    await fake.waitFor(() => fake.botMessages(supergroup)[0]?.text === "✓ 已确认", "the card");
    // A quote of a message that is not there goes without it.
    await say("好", { replyTo: before.messageId });
    expect(fake.botMessages(supergroup).at(-1)).toMatchObject({ text: "好", replyTo: undefined });
  });

  it("the channel learns of the move from a refusal as well, and the message goes to the supergroup once", async () => {
    const { fake, events, hear, say } = await start();
    await hear("你好", group);
    fake.migrated.set(group, supergroup);
    fake.openChat(supergroup);
    expect(await say("在")).toMatchObject({ kind: "sent" });
    expect(fake.botMessages(supergroup).map(({ text }) => text)).toEqual(["在"]);
    expect(events().at(-1)).toMatchObject({ kind: "chat", key: `moved:${group}:${supergroup}` });
  });

  it("the move is remembered across a restart", async () => {
    const { fake, database, telegram, events, hear } = await start();
    await hear("你好", group);
    fake.migrate(group, supergroup);
    await fake.waitFor(() => events().length === 3, "both words of it");
    await telegram.channel.stop();
    await using again = await startTelegram(fake, { database });
    fake.sendText({ chat: supergroup, from: person, text: "在吗" });
    await fake.waitFor(() => again.events().some(({ kind }) => kind === "message"), "the message");
    expect(again.events().at(-1)).toMatchObject({ address: { chat: String(group) }, text: "在吗" });
  });

  it("the move does not take over a supergroup that has a session already", async () => {
    const { fake, database, hear, say } = await start();
    const place = { platform: "telegram", account: String(fake.botId), chat: String(supergroup), thread: null };
    const id = `telegram:${fake.botId}:${supergroup}`;
    await ensureSession(database.main, { ...place, id, chatKind: "group", language: "zh", now: 0 });
    await hear("你好", group);
    fake.migrated.set(group, supergroup);
    fake.openChat(supergroup);
    await say("在");
    expect(fake.botMessages(supergroup).map(({ text }) => text)).toEqual(["在"]);
    const { heard } = await hear("在吗", supergroup);
    expect(heard?.address.chat).toBe(String(supergroup));
    expect(heard?.movedTo).toBeUndefined();
  });
});

describe("a chat that takes no messages", () => {
  it.each([
    "Forbidden: bot was blocked by the user",
    "Forbidden: user is deactivated",
    "Forbidden: bot was kicked from the supergroup chat",
    "Forbidden: bot was kicked from the group chat",
    "Forbidden: bot is not a member of the supergroup chat",
    "Forbidden: the group chat was deleted",
    "Forbidden: bot can't initiate conversation with a user",
  ])("the channel reports the lost chat once and refuses its messages: %s", async (words) => {
    const { fake, events, hear, say } = await start();
    await hear("你好", group);
    for (const text of ["一", "二"]) {
      fake.failNext("sendMessage", { kind: "answer", status: 403, description: words });
      expect(await say(text)).toMatchObject({ kind: "refused", reason: expect.stringContaining(words) as string });
    }
    const told = () => events().filter(({ kind }) => kind === "chat");
    expect(told()).toMatchObject([{ address: { chat: String(group) }, change: { kind: "gone" } }]);
    await hear("回来了", group);
    fake.failNext("sendMessage", { kind: "answer", status: 403, description: words });
    await say("三");
    expect(told()).toHaveLength(2);
    expect(new Set(told().map(({ key }) => key)).size).toBe(2);
  });

  it("the channel does not report a chat as lost when only a right is missing", async () => {
    const { fake, events, hear, say } = await start();
    await hear("你好", group);
    const description = "Bad Request: not enough rights to send text messages to the chat";
    fake.failNext("sendMessage", { kind: "answer", status: 400, description });
    expect(await say("一")).toMatchObject({ kind: "refused" });
    expect(events().filter(({ kind }) => kind === "chat")).toEqual([]);
  });
});

describe("the stop button of a draft", () => {
  it("names the turn, as long as that is shown", async () => {
    const { fake, channel, events, hear } = await start();
    await hear("你好", person.id);
    const { address } = toChat(fake, person.id, { text: "" });
    await channel.show?.({ turn: "turn_1", cause: "c", address, text: "让我想想。", tools: [] });
    await fake.waitFor(() => fake.drafts.length > 0, "the draft");
    const [draft] = fake.drafts;
    if (draft === undefined) throw new Error("there is no draft");
    expect(draft.canStop).toBe(true);
    fake.stopDraft(draft);
    await fake.waitFor(() => events().some(({ kind }) => kind === "stop"), "the press");
    expect(events().at(-1)).toMatchObject({ kind: "stop", turn: "turn_1", sender: { id: String(person.id) } });
    await channel.send(toChat(fake, person.id, { text: "想好了。", turn: "turn_1" }), whole("想好了。"));
    fake.stopDraft(draft);
    await fake.waitFor(() => events().at(-1)?.kind === "ignored", "the late press");
    expect(events().at(-1)).toMatchObject({ rule: "stale_stop" });
  });
});
