import { GrammyError } from "grammy";
import { describe, expect, onTestFinished, test } from "vitest";
import { startFakeBotApi, type FakeBotApi } from "../support/telegram/fake-bot-api.ts";
import {
  createGrammyBot,
  startGrammyBot,
  startOurBot,
  type PeerSide,
  type StartTelegramPeer,
} from "../support/telegram/telegram-peer.ts";

/** The same conversation with a client that others wrote and with ours: the fake must be one for both. */

const peers: readonly (readonly [name: string, start: StartTelegramPeer])[] = [
  ["grammY", startGrammyBot],
  ["our channel", startOurBot],
];
const group = -100_777;
const person = { id: 42, name: "冈部" };

async function startFake(): Promise<FakeBotApi> {
  const fake = await startFakeBotApi();
  onTestFinished(() => fake[Symbol.asyncDispose]());
  return fake;
}

async function begin(start: StartTelegramPeer, side: PeerSide) {
  const fake = await startFake();
  const peer = await start(fake, side);
  onTestFinished(() => peer[Symbol.asyncDispose]());
  return { fake, peer };
}

describe.each(peers)("%s", (_, start) => {
  test.each<[PeerSide, string, number]>([
    ["polling", "in private", person.id],
    ["polling", "in a group", group],
    ["webhook", "in private", person.id],
    ["webhook", "in a group", group],
  ])("the peer by %s %s hears the same words and answers where they were said", async (side, _where, chat) => {
    const { fake, peer } = await begin(start, side);
    const first = fake.sendText({ chat, from: person, text: `@${fake.username} 几点了 😀` });
    await fake.waitFor(() => peer.heard().length === 1, "the message");
    const ours = await peer.say(chat, "三点");
    expect(fake.botMessages(chat)).toMatchObject([{ messageId: Number(ours), text: "三点" }]);
    const second = fake.sendText({ chat, from: person, text: "谢谢", replyTo: Number(ours) });
    await fake.waitFor(() => peer.heard().length === 2, "the reply");
    expect(peer.heard()).toEqual([
      { chat, from: person.id, messageId: first.messageId, text: "几点了 😀", quotes: undefined },
      { chat, from: person.id, messageId: second.messageId, text: "谢谢", quotes: Number(ours) },
    ]);
    await fake.waitFor(() => fake.pendingUpdates().length === 0, "the confirmation");
    expect(fake.calls.filter(({ status }) => status >= 400)).toEqual([]);
  });

  test("asks with buttons, hears who pressed which, and changes the card", async () => {
    const { fake, peer } = await begin(start, "polling");
    fake.openChat(group);
    const choices = [
      { label: "确认", data: "a:q:y", style: "approve" },
      { label: "取消", data: "a:q:n", style: "reject" },
    ] as const;
    const card = await peer.say(group, "要执行吗？", choices);
    const press = fake.press({ chat: group, messageId: Number(card), button: "取消", from: person });
    await fake.waitFor(() => peer.presses().length === 1, "the press");
    expect(peer.presses()).toEqual([{ chat: group, from: person.id, messageId: Number(card), data: "a:q:n" }]);
    await peer.answerPress("不做了");
    expect(fake.toasts.get(press.pressId)).toBe("不做了");
    await peer.edit(group, card, "✗ 已取消");
    await fake.waitFor(() => fake.botMessages(group)[0]?.text === "✗ 已取消", "the outcome");
    expect(fake.botMessages(group)).toMatchObject([{ keyboard: [] }]);
  });

  test("sends a file exactly as it is", async () => {
    const { fake, peer } = await begin(start, "polling");
    fake.openChat(person.id);
    const content = Buffer.from([0, 255, 10, 13]);
    await peer.sendFile(person.id, "图 2.bin", content);
    expect(fake.botMessages(person.id)[0]?.document).toEqual({ name: "图 2.bin", content });
  });

  test("the peer gets the same words of refusal", async () => {
    const { fake, peer } = await begin(start, "polling");
    expect(await peer.say(7, "在吗")).toBe("400: Bad Request: chat not found");
    fake.openChat(7);
    fake.blocked.add(7);
    expect(await peer.say(7, "在吗")).toBe("403: Forbidden: bot was blocked by the user");
    fake.openChat(group);
    fake.putOut(group, "Forbidden: bot was kicked from the supergroup chat");
    expect(await peer.say(group, "在吗")).toBe("403: Forbidden: bot was kicked from the supergroup chat");
  });

  test("gets again by its webhook what it did not take, and what was said before", async () => {
    const fake = await startFake();
    fake.sendText({ chat: person.id, from: person, text: "之前" });
    const peer = await start(fake, "webhook");
    onTestFinished(() => peer[Symbol.asyncDispose]());
    await fake.waitFor(() => peer.heard().length === 1, "what was said before");
    fake.webhook.hold(true);
    fake.sendText({ chat: person.id, from: person, text: "一" });
    fake.sendText({ chat: person.id, from: person, text: "二" });
    fake.webhook.hold(false);
    await fake.waitFor(() => peer.heard().length === 3, "the rest");
    expect(peer.heard().map(({ text }) => text)).toEqual(["之前", "一", "二"]);
    expect(fake.webhook.posts.every(({ status }) => status === 200)).toBe(true);
  });
});

describe("the fake, as grammY sees it", () => {
  async function refuse(act: () => Promise<unknown>): Promise<GrammyError> {
    const error: unknown = await act().then(
      () => undefined,
      (reason: unknown) => reason,
    );
    if (!(error instanceof GrammyError)) throw new Error(`it was not refused: ${String(error)}`);
    return error;
  }

  test("the fake has one receiver at a time, and none beside a webhook", async () => {
    const fake = await startFake();
    const { api } = createGrammyBot(fake);
    const waiting = refuse(() => api.getUpdates({ timeout: 20 }));
    await fake.waitFor(() => fake.callsOf("getUpdates").length === 1, "the first request");
    const second = api.getUpdates({ timeout: 20 });
    expect((await waiting).description).toMatch(/^Conflict: terminated by other getUpdates request/);
    await fake.waitFor(() => fake.callsOf("getUpdates").length === 2, "the second request");
    const interrupted = refuse(() => second);
    await api.setWebhook("https://bot.example/hook");
    expect((await interrupted).description).toBe("Conflict: terminated by setWebhook request");
    expect(await refuse(() => api.getUpdates())).toMatchObject({
      error_code: 409,
      description:
        "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
    });
    await api.deleteWebhook();
    expect(await api.getUpdates()).toEqual([]);
  });

  test.each([
    ["http://bot.example/hook", {}, /An HTTPS URL must be provided for webhook/],
    ["https://bot.example:10485/hook", {}, /only on ports 80, 88, 443 or 8443/],
    ["nonsense", {}, /invalid URL host/],
    ["https://bot.example/hook", { secret_token: "no spaces" }, /secret token contains unallowed characters/],
  ])("takes no webhook at %s with %j", async (url, more, words) => {
    const fake = await startFake();
    const error = await refuse(() => createGrammyBot(fake).api.setWebhook(url, more));
    expect(error).toMatchObject({ error_code: 400, description: expect.stringMatching(words) as string });
  });

  test("counts what waits for a webhook, tells of its last fault, and drops it only when told to", async () => {
    const fake = await startFake();
    const { api } = createGrammyBot(fake);
    await api.setWebhook("http://127.0.0.1:1/hook", { max_connections: 7, allowed_updates: ["message"] });
    fake.sendText({ chat: person.id, from: person, text: "在吗" });
    await fake.waitFor(() => fake.webhook.posts.length > 0, "a post");
    expect(await api.getWebhookInfo()).toMatchObject({
      url: "http://127.0.0.1:1/hook",
      pending_update_count: 1,
      max_connections: 7,
      allowed_updates: ["message"],
      last_error_message: "Connection refused",
    });
    await api.deleteWebhook();
    expect(await api.getWebhookInfo()).toMatchObject({ url: "", pending_update_count: 1 });
    await api.deleteWebhook({ drop_pending_updates: true });
    expect(await api.getWebhookInfo()).toMatchObject({ pending_update_count: 0 });
  });

  test("tells where a group has gone, and who may not be written to", async () => {
    const fake = await startFake();
    const { api } = createGrammyBot(fake);
    fake.openChat(-5);
    fake.migrate(-5, -1_005);
    expect(await refuse(() => api.sendMessage(-5, "在吗"))).toMatchObject({
      error_code: 400,
      description: "Bad Request: group chat was upgraded to a supergroup chat",
      parameters: { migrate_to_chat_id: -1_005 },
    });
    const updates = await api.getUpdates();
    expect(
      updates.map(({ message }) => [message?.chat.id, message?.migrate_to_chat_id, message?.migrate_from_chat_id]),
    ).toEqual([
      [-5, -1_005, undefined],
      [-1_005, undefined, -5],
    ]);
    fake.openChat(42);
    fake.putOut(42, "Forbidden: bot was blocked by the user");
    fake.letIn(42);
    const { message: _, ...last } = (await api.getUpdates()).at(-1) ?? { update_id: 0 };
    expect(last.my_chat_member).toMatchObject({
      chat: { id: 42, type: "private" },
      old_chat_member: { status: "kicked" },
      new_chat_member: { status: "member" },
    });
  });

  test("stops a draft that has a button for it, and no other", async () => {
    const fake = await startFake();
    const { api } = createGrammyBot(fake);
    fake.openChat(42);
    await api.sendMessageDraft(42, 7, "让我想想。");
    expect(() => fake.stopDraft(fake.drafts[0] ?? { chat: 0, draftId: 0, canStop: false, text: "" })).toThrow(
      "no stop button",
    );
    await api.sendMessageDraft(42, 7, "让我想想。", { can_stop: true });
    const [, draft] = fake.drafts;
    if (draft) fake.stopDraft(draft);
    const update = (await api.getUpdates({ allowed_updates: ["stopped_message_generation"] })).at(-1);
    expect(update?.stopped_message_generation).toMatchObject({ chat: { id: 42 }, draft_id: 7 });
  });
});
