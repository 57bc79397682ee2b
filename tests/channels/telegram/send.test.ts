import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { startFakeBotApi } from "../../support/telegram/fake-bot-api.ts";
import { createTemporaryFolder } from "../../support/temporary-folder.ts";
import { startTelegram, toChat, whole } from "../../support/telegram/start-telegram.ts";

const choices = [
  { label: "确认", data: "a:1234567890:y", style: "approve" },
  { label: "预览", data: "a:1234567890:p", style: "plain" },
  { label: "取消", data: "a:1234567890:n", style: "reject" },
] as const;

describe("sending", () => {
  it("sends text and entities, without a link preview", async () => {
    await using fake = await startFakeBotApi();
    await using telegram = await startTelegram(fake);
    fake.openChat(42);
    const delivery = await telegram.channel.send(toChat(fake, 42, { text: "" }), whole("**好** `x` https://a.b"));
    expect(delivery).toEqual({ kind: "sent", messageId: "1", sentAt: expect.any(Number) as number });
    expect(fake.messages(42)).toMatchObject([
      { fromBot: true, text: "好 x https://a.b", entities: [{ type: "bold" }, { type: "code" }], keyboard: [] },
    ]);
    expect(fake.callsOf("sendMessage")[0]?.payload).toMatchObject({ link_preview_options: { is_disabled: true } });
  });

  it("sends a picture as a photo, and as a document where Telegram takes it for none; any other file stays a document", async () => {
    await using fake = await startFakeBotApi();
    await using telegram = await startTelegram(fake);
    fake.openChat(42);
    const path = join(await createTemporaryFolder(), "kept");
    const send = async (content: Buffer, picture: boolean) => {
      await writeFile(path, content);
      const file = { name: "a.png", bytes: content.length, sha256: "", picture };
      const message = { ...toChat(fake, 42, { kind: "file", text: "a.example", plain: true }), file };
      expect((await telegram.channel.sendFile(message, path)).kind).toBe("sent");
    };
    const png = Buffer.from("89504e470d0a1a0a", "hex");
    await send(png, true);
    await send(Buffer.from("too long for a photo"), true);
    await send(png, false);
    const asked = fake.calls.filter(({ method }) => method.startsWith("send"));
    expect(asked.map(({ method, status }) => [method, status])).toEqual([
      ["sendPhoto", 200],
      ["sendPhoto", 400],
      ["sendDocument", 200],
      ["sendDocument", 200],
    ]);
    expect(asked.map(({ payload }) => payload["disable_content_type_detection"])).toEqual([
      undefined,
      undefined,
      true,
      true,
    ]);
    expect(fake.messages(42).map(({ document }) => document?.name)).toEqual(["a.png", "a.png", "a.png"]);
  });

  it("sends a voice message as one; whether it is out is not risked twice when no answer comes", async () => {
    await using fake = await startFakeBotApi();
    await using telegram = await startTelegram(fake);
    fake.openChat(42);
    const path = join(await createTemporaryFolder(), "kept");
    const send = async (content: string) => {
      await writeFile(path, content);
      const file = { name: "voice.ogg", bytes: content.length, sha256: "", voice: true };
      return telegram.channel.sendFile({ ...toChat(fake, 42, { kind: "voice", text: "", plain: true }), file }, path);
    };
    expect(await send("OggS words")).toMatchObject({ kind: "sent" });
    expect((await send("no sound")).kind).toBe("refused");
    fake.failNext("sendVoice", { kind: "drop", taken: true });
    expect((await send("OggS words")).kind).toBe("unknown");
    expect(fake.calls.filter(({ method }) => method.startsWith("send")).map(({ method }) => method)).toEqual(
      Array.from({ length: 3 }, () => "sendVoice"),
    );
  });

  it.each([
    ["message thread not found", "message_thread_id"],
    ["message to be replied not found", "reply_parameters"],
  ])("sends the words once more without the part that is gone after %j", async (reason, lost) => {
    await using fake = await startFakeBotApi();
    await using telegram = await startTelegram(fake);
    fake.openChat(-100_500);
    fake.failNext("sendMessage", { kind: "answer", status: 400, description: `Bad Request: ${reason}` });
    const message = toChat(fake, -100_500, { text: "", replyTo: "7" });
    const inTopic = { ...message, address: { ...message.address, thread: "88" } };
    expect(await telegram.channel.send(inTopic, whole("好"))).toMatchObject({ kind: "sent" });
    const asked = fake.callsOf("sendMessage").map(({ payload }) => Object.keys(payload));
    for (const part of ["message_thread_id", "reply_parameters"])
      expect(asked.map((keys) => keys.includes(part))).toEqual([true, part !== lost]);
    expect(fake.messages(-100_500)).toMatchObject([{ text: "好" }]);
  });

  it("takes a plain message as it is", async () => {
    await using fake = await startFakeBotApi();
    await using telegram = await startTelegram(fake);
    fake.openChat(42);
    await telegram.channel.send(toChat(fake, 42, { text: "", plain: true }), whole("**x** _y_"));
    expect(fake.messages(42)).toMatchObject([{ text: "**x** _y_", entities: [] }]);
  });

  it("answers in the topic and quotes in groups, also when the quoted message is gone", async () => {
    await using fake = await startFakeBotApi();
    await using telegram = await startTelegram(fake);
    const { messageId } = fake.sendText({ chat: -100, from: { id: 7 }, text: "hi", thread: 3 });
    const address = { platform: "telegram", account: "1", chat: "-100", thread: "3" };
    await telegram.channel.send(toChat(fake, -100, { text: "", address, replyTo: String(messageId) }), whole("a"));
    await telegram.channel.send(toChat(fake, -100, { text: "", address, replyTo: "999" }), whole("b"));
    expect(fake.botMessages(-100)).toMatchObject([
      { text: "a", thread: 3, replyTo: messageId },
      { text: "b", thread: 3, replyTo: undefined },
    ]);
  });

  it("shows choices as buttons on the last part only, and hands the press on", async () => {
    await using fake = await startFakeBotApi();
    await using telegram = await startTelegram(fake);
    fake.openChat(42);
    const question = toChat(fake, 42, { kind: "question", text: "", choices });
    await telegram.channel.send(question, { text: "one", index: 0, last: false });
    const delivery = await telegram.channel.send(question, { text: "two", index: 1, last: true });
    const [first, second] = fake.botMessages(42);
    expect(first?.keyboard).toEqual([]);
    expect(second?.keyboard).toEqual([
      [
        { text: "确认", callback_data: "a:1234567890:y", style: "success" },
        { text: "预览", callback_data: "a:1234567890:p" },
        { text: "取消", callback_data: "a:1234567890:n", style: "danger" },
      ],
    ]);
    const { pressId } = fake.press({ chat: 42, messageId: second?.messageId ?? 0, button: "确认" });
    await fake.waitFor(() => telegram.events().length === 1, "the press");
    const [press] = telegram.events();
    expect(delivery).toMatchObject({ kind: "sent", messageId: String(second?.messageId) });
    expect(press).toMatchObject({
      kind: "press",
      messageId: String(second?.messageId),
      data: "a:1234567890:y",
      pressId,
    });
    if (press?.kind !== "press") return;
    await telegram.channel.answerPress?.(press, "好".repeat(300));
    expect(fake.toasts.get(pressId)).toBe("好".repeat(200));
    await telegram.channel.answerPress?.(press, "again");
    expect(telegram.logLines.some((line) => line.includes("query is too old"))).toBe(true);
  });

  it("closes a card: the outcome stands there, the buttons are gone, twice is fine", async () => {
    await using fake = await startFakeBotApi();
    await using telegram = await startTelegram(fake);
    fake.openChat(42);
    const question = toChat(fake, 42, { kind: "question", text: "", choices });
    await telegram.channel.send(question, whole("运行？"));
    for (let time = 0; time < 2; time += 1) {
      expect(await telegram.channel.close?.(question.address, "1", "✓ 已确认 · shell ls **x** · 小明 · 21:04")).toEqual(
        {
          kind: "sent",
          messageId: "1",
        },
      );
    }
    expect(fake.botMessages(42)).toMatchObject([{ text: "✓ 已确认 · shell ls **x** · 小明 · 21:04", keyboard: [] }]);
    expect(await telegram.channel.close?.(question.address, "77", "x")).toMatchObject({ kind: "refused" });
  });

  it("takes the buttons away even where the text cannot be replaced", async () => {
    await using fake = await startFakeBotApi();
    await using telegram = await startTelegram(fake);
    fake.openChat(42);
    const question = toChat(fake, 42, { kind: "question", text: "", choices });
    await telegram.channel.send(question, whole("运行？"));
    expect(await telegram.channel.close?.(question.address, "1", "x".repeat(5_000))).toMatchObject({ kind: "sent" });
    expect(fake.botMessages(42)).toMatchObject([{ text: "运行？", keyboard: [] }]);
  });

  it("asks for a reply where a question in a group has no buttons", async () => {
    await using fake = await startFakeBotApi();
    await using telegram = await startTelegram(fake);
    const { messageId } = fake.sendText({ chat: -100, from: { id: 7 }, text: "hi" });
    await telegram.channel.send(
      toChat(fake, -100, { kind: "question", text: "", replyTo: String(messageId) }),
      whole("回复本条消息：确认"),
    );
    expect(fake.botMessages(-100)).toMatchObject([{ forceReply: true, replyTo: messageId }]);
  });

  it.each([
    ["65 bytes of data", { label: "a", data: "确".repeat(22), style: "plain" }],
    ["no data", { label: "a", data: "", style: "plain" }],
    ["no label", { label: " ", data: "x", style: "plain" }],
  ] as const)("refuses a button with %s before anything is sent", async (_, choice) => {
    await using fake = await startFakeBotApi();
    await using telegram = await startTelegram(fake);
    fake.openChat(42);
    const delivery = await telegram.channel.send(toChat(fake, 42, { text: "", choices: [choice] }), whole("a"));
    expect(delivery).toMatchObject({ kind: "refused" });
    expect(fake.callsOf("sendMessage")).toEqual([]);
  });

  it("splits what is too long, plain and Markdown, and the server takes every part", async () => {
    await using fake = await startFakeBotApi();
    await using telegram = await startTelegram(fake);
    fake.openChat(42);
    const text = `${"一段**重要**的话😀。\n\n".repeat(900)}\`\`\`ts\n${"let a = 1;\n".repeat(900)}\`\`\``;
    for (const plain of [false, true]) {
      const message = toChat(fake, 42, { kind: "notice", text, plain });
      const parts = telegram.channel.split(message);
      expect(parts.length).toBeGreaterThan(3);
      for (const [index, part] of parts.entries()) {
        const delivery = await telegram.channel.send(message, { text: part, index, last: index === parts.length - 1 });
        expect(delivery.kind).toBe("sent");
      }
    }
  });

  it("sends an answer of more than four messages as its beginning and a file with all of it", async () => {
    await using fake = await startFakeBotApi();
    await using telegram = await startTelegram(fake);
    fake.openChat(42);
    const text = `# 海马体 "综述"\n\n${"一段**重要**的话😀。\n\n".repeat(1_500)}[a](http://x.com)`;
    const message = toChat(fake, 42, { text });
    const parts = telegram.channel.split(message);
    expect(parts).toEqual(telegram.channel.split(message));
    fake.failNext("sendDocument", { kind: "answer", status: 502, description: "Bad Gateway" });
    const kinds: string[] = [];
    for (const [index, part] of parts.entries()) {
      const last = index === parts.length - 1;
      const deliveries = [await telegram.channel.send(message, { text: part, index, last })];
      if (deliveries[0]?.kind === "later")
        deliveries.push(await telegram.channel.send(message, { text: part, index, last }));
      kinds.push(...deliveries.map(({ kind }) => kind));
    }
    expect(kinds).toEqual(["sent", "later", "sent"]);
    const [opening, document, ...more] = fake.botMessages(42);
    expect(more).toEqual([]);
    expect(opening?.text).toMatch(/^海马体 "综述"\n\n一段重要的话😀。[^]+太长了，全文在下面的文件里。）$/);
    expect(opening?.text.length).toBeGreaterThan(3_500);
    expect(document?.document).toEqual({ name: "海马体 综述.md", content: Buffer.from(text) });
  });

  it.each([
    ["an answer of four messages", "reply", 4],
    ["a notice of any length", "notice", 9],
  ] as const)("sends %s as messages", async (_, kind, count) => {
    await using fake = await startFakeBotApi();
    await using telegram = await startTelegram(fake);
    const parts = telegram.channel.split(toChat(fake, 42, { kind, text: `${"字".repeat(4_000)}。\n\n`.repeat(count) }));
    expect(parts).toHaveLength(count);
  });

  it("folds long quotations of what calls did, as code still; never in a question, where people decide by them", async () => {
    await using fake = await startFakeBotApi();
    await using telegram = await startTelegram(fake);
    fake.openChat(42);
    const lines = (count: number) => Array.from({ length: count }, (_, line) => `│ +${line} @somebody`).join("\n");
    const text = `\`\`\`\n${lines(11)}\n\`\`\`\n\`\`\`\n${lines(10)}\n\`\`\`\n\`\`\`\n${"a\n".repeat(20)}\`\`\``;
    await telegram.channel.send(toChat(fake, 42, { kind: "notice", text, folds: true }), whole(text));
    await telegram.channel.send(toChat(fake, 42, { kind: "question", text }), whole(text));
    const [shown, question] = fake.botMessages(42).map(({ entities }) => entities.map(({ type }) => type));
    expect(shown).toEqual(["expandable_blockquote", "pre", "pre", "pre"]);
    expect(question).toEqual(["pre", "pre", "pre"]);
  });

  it("a plain message mentions the person named at its beginning, but not by an invalid number", async () => {
    await using fake = await startFakeBotApi();
    await using telegram = await startTelegram(fake);
    fake.openChat(42);
    const text = "冈部，到时间了 @somebody";
    for (const user of ["4242", "all"]) {
      const said = { kind: "notice", text, plain: true, mention: { user, name: "冈部" } } as const;
      await telegram.channel.send(toChat(fake, 42, said), whole(text));
    }
    const [called, named] = fake.botMessages(42).map(({ entities }) => entities);
    expect(called).toEqual([{ type: "text_mention", offset: 0, length: 2, user: { id: 4242 } }]);
    expect(named).toEqual([]);
  });
});
