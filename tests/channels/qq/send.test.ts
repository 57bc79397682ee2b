import { describe, expect, onTestFinished, test } from "vitest";
import { readRefusal } from "../../../src/channels/qq/api-answer.ts";
import type { OutboundMessage } from "../../../src/channels/types.ts";
import { startFakeQqBot } from "../../support/qq/fake-qq-bot.ts";
import type { FakeQqBotSettings } from "../../support/qq/qq-types.ts";
import { addressOf, onlyPart, outbound, startQqChannel } from "../../support/qq/start-qq-channel.ts";

const alone = "private:OPENID";
const group = "GROUP";
const choices = [
  { label: "✅ 确认", data: "a:q1:y", style: "approve" },
  { label: "❌ 取消", data: "a:q1:n", style: "reject" },
] as const;
const question = { id: "q1", code: "K7", calls: [{ tool: "shell", summary: "ls" }], expiresAt: 0 };

async function start(settings: Partial<FakeQqBotSettings> = {}) {
  const fake = await startFakeQqBot({ allowsActive: true, ...settings });
  onTestFinished(() => fake[Symbol.asyncDispose]());
  const running = await startQqChannel(fake, "gateway", { proactive: true });
  onTestFinished(() => running[Symbol.asyncDispose]());
  await fake.waitFor(() => running.channel.health().state === "ready", "the channel");
  const send = (chat: string, text: string, more: Partial<OutboundMessage> = {}) =>
    running.channel.send(outbound(fake, chat, text, more), onlyPart(text));
  const last = (chat: string) => fake.botMessages(chat).at(-1);
  return { fake, ...running, send, last };
}

test("a label that is too long ends in …", async () => {
  const { send, last } = await start();
  await send(alone, "试试", { choices: [{ label: "运行 uname -a", data: "e:zh:command", style: "plain" }] });
  expect(last(alone)?.buttons).toEqual([{ label: "运行 uname…", data: "e:zh:command" }]);
});

describe("style", () => {
  test("goes as Markdown where there is any, else as text", async () => {
    const { send, last } = await start();
    await send(alone, "没有样式");
    expect(last(alone)).toMatchObject({ isMarkdown: false, text: "没有样式" });
    await send(alone, "# 标题\n\n**粗**和`码`");
    expect(last(alone)).toMatchObject({ isMarkdown: true, text: "**标题**\n\n**粗**和`码`" });
    await send(alone, "**不是样式**", { plain: true });
    expect(last(alone)).toMatchObject({ isMarkdown: false, text: "**不是样式**" });
  });

  test("a refused markdown message goes as plain words, and the chat is not tried with markdown again", async () => {
    const { fake, send, last } = await start({ allowsMarkdown: false });
    expect(await send(group, "**粗**")).toMatchObject({ kind: "sent" });
    expect(last(group)).toMatchObject({ isMarkdown: false, text: "粗" });
    await send(group, "**又粗**");
    expect(fake.callsTo(/groups.*messages$/).filter(({ code }) => code !== 0)).toHaveLength(1);
  });
});

describe("a question", () => {
  test("a question has buttons, and its words in any case", async () => {
    const { send, last } = await start();
    await send(alone, "要运行 `ls`，编号 K7。回复「确认 K7」。", { kind: "question", question, choices });
    expect(last(alone)?.text).toContain("要运行 ls，编号 K7。回复「确认 K7」。");
    expect(last(alone)?.buttons).toEqual(choices.map(({ label, data }) => ({ label, data })));
  });

  test("a question has buttons again some time after QQ refused them", async () => {
    const { fake, send, last } = await start();
    const ask = () => send(group, "要运行吗？", { kind: "question", question, choices });
    fake.failNext(/groups/, { kind: "refuse", status: 400, code: 304036 });
    await ask();
    await ask();
    expect(last(group)?.buttons).toEqual([]);
    fake.advance(31 * 60_000);
    await ask();
    expect(last(group)?.buttons).not.toEqual([]);
  });

  test("goes without buttons where the bot may have none", async () => {
    const { send, last } = await start({ allowsMarkdown: false });
    const text = "要运行 `ls`，编号 K7。回复「确认 K7」。";
    expect(await send(group, text, { kind: "question", question, choices })).toMatchObject({ kind: "sent" });
    expect(last(group)).toMatchObject({ buttons: [], text: "要运行 ls，编号 K7。回复「确认 K7」。" });
  });
});

describe("an address that QQ does not take", () => {
  test("the channel breaks up an address that QQ refuses, and the message arrives", async () => {
    const { fake, send, last } = await start();
    await send(group, "看 https://example.com/a.html 的第二段");
    expect(last(group)?.text).toBe("看 example。com/a。html 的第二段");
    await send(alone, "看 https://example.com/a.html");
    expect(last(alone)?.text).toBe("看 https://example.com/a.html");
    fake.failNext(/groups/, { kind: "refuse", status: 400, code: 40054010 });
    fake.failNext(/groups/, { kind: "refuse", status: 400, code: 40054010 });
    await send(group, "看 https://example.com/a.html");
    expect(last(group)?.text).toBe("看 […]");
  });

  test("stands in a question with every letter of it, or the question does not come", async () => {
    const { fake, send, last } = await start();
    const asked = { kind: "question", question, choices, plain: true } as const;
    await send(group, "fetch http://evil.example/a.sh", asked);
    expect(last(group)?.text).toBe("fetch http[:]//evil[.]example/a[.]sh");
    for (let tries = 0; tries < 2; tries += 1) fake.failNext(/groups/, { kind: "refuse", status: 400, code: 40054010 });
    expect(await send(group, "fetch http://evil.example/b.sh", asked)).toMatchObject({ kind: "refused" });
    expect(last(group)?.text).toContain("a[.]sh");
  });
});

test("a message is taken back for two minutes, and after that no more", async () => {
  const { fake, channel, send, last } = await start();
  for (const chat of [alone, group, "channel:5"]) {
    await send(chat, "写错了");
    const { messageId } = last(chat) ?? { messageId: "" };
    expect(await channel.remove?.(addressOf(fake, chat), messageId)).toEqual({ kind: "sent", messageId });
    expect(last(chat)).toBeUndefined();
  }
  await send(alone, "太晚了");
  fake.advance(3 * 60_000);
  const late = last(alone)?.messageId ?? "";
  expect(await channel.remove?.(addressOf(fake, alone), late)).toMatchObject({ kind: "refused" });
});

test("nothing that she says mentions a person or becomes a button of QQ's", async () => {
  const { send, last } = await start();
  const text = '<@everyone> <@!123> <#5> <emoji:4> <qqbot-cmd-enter text="/x" /> <faceType=1,faceId="1",ext="">';
  for (const plain of [true, false])
    for (const body of [text, `**粗** ${text}`, `\`\`\`\n${text}\n\`\`\``, `\`${text}\``]) {
      await send(group, body, { plain });
      expect(last(group)).toMatchObject({ rings: false });
      expect(last(group)?.text.replaceAll("\u200B", "")).toContain("<@everyone>");
    }
});

describe("a send that fails", () => {
  test.each([
    ["too much at once", { kind: "refuse", status: 429, code: 22009 }, "later"],
    ["a server that is in trouble", { kind: "refuse", status: 500, code: 0 }, "unknown"],
    ["she is muted", { kind: "refuse", status: 400, code: 40054002 }, "later"],
    ["forbidden words", { kind: "refuse", status: 400, code: 40034006 }, "refused"],
    ["nobody may be spoken to first", { kind: "refuse", status: 400, code: 40034105 }, "absent"],
  ] as const)("%s", async (_, fault, kind) => {
    const { fake, send } = await start();
    fake.failNext(/messages$/, fault);
    expect((await send(alone, "好")).kind).toBe(kind);
  });

  test("a send refused for its token is repeated with a new one", async () => {
    const { fake, send } = await start();
    fake.expireTokens();
    expect(await send(alone, "好")).toMatchObject({ kind: "sent" });
    expect(fake.tokensGiven).toBe(2);
    expect(fake.botMessages(alone)).toHaveLength(1);
  });

  test("a send counts as refused by a refusal code in a 200 answer as well", async () => {
    const { fake, send } = await start();
    fake.failNext(/messages$/, { kind: "refuse", status: 200, code: 40034006 });
    expect(await send(alone, "好")).toMatchObject({ kind: "refused" });
  });

  test("each code of the documentation has its meaning", () => {
    expect([40034005, 40034128, 304103].map(readRefusal)).toEqual(["window", "window", "window"]);
    expect([40054005, 40034105, 304036, 40054010, 40054007, 12345].map(readRefusal)).toEqual([
      "repeated",
      "unasked",
      "style",
      "address",
      "length",
      "other",
    ]);
  });
});

test("a press is answered with what QQ can show for it", async () => {
  const { fake, send, channel, events } = await start();
  const sent = await send(group, "好吗？", { choices });
  if (sent.kind !== "sent") throw new Error(sent.kind);
  const from = { id: "MEMBER" };
  // A chat without a session has no buttons of ours.
  fake.say({ chat: group, from, text: "在吗", toUs: true });
  await fake.waitFor(() => events.length === 1, "the message");
  for (const [result, code] of [
    ["done", 0],
    ["failed", 1],
    ["over", 3],
    ["forbidden", 4],
  ] as const) {
    const { pressId } = fake.press({ chat: group, messageId: sent.messageId, button: "确认", from });
    await fake.waitFor(() => events.some((event) => event.kind === "press" && event.pressId === pressId), "the press");
    const press = events.find((event) => event.kind === "press" && event.pressId === pressId);
    if (press?.kind !== "press") throw new Error("no press");
    expect(press).toMatchObject({ data: "a:q1:y", sender: { id: "MEMBER", kind: "person" } });
    await channel.answerPress?.(press, "知道了", result);
    expect(fake.acks.get(pressId)).toBe(code);
  }
});
