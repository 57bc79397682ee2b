import { expect, test } from "vitest";
import { dockerIsThere } from "../support/docker.ts";
import { findFreePort } from "../support/kurisu-process/find-free-port.ts";
import { callTools } from "../support/kurisu-process/scripted-model.ts";
import { owner, startTelegramStory } from "../support/kurisu-process/telegram-story.ts";

const group = -4_242;
const supergroup = -1_001_234;
const called = (words: string) => `@kurisu_test_bot ${words}`;
const asOwner = { chat: group, from: { id: owner, name: "冈部" } };

test.runIf(dockerIsThere())(
  "a group by a webhook becomes a supergroup with a question open, and nothing is lost",
  async () => {
    const port = await findFreePort();
    const environment = {
      KURISU_PORT: String(port),
      TELEGRAM_WEBHOOK_URL: `http://127.0.0.1:${port}/webhook/telegram`,
      TELEGRAM_WEBHOOK_SECRET: "hook-canary_0123456789",
    };
    const story = await startTelegramStory({ environment });
    await story.start();
    const { fake } = story;
    await fake.waitFor(() => fake.webhook.url() !== "", "the webhook");
    story.say("/pair@kurisu_test_bot", asOwner);
    await story.hear(/这个群开启了/, { chat: group });
    story.say(called("运行 echo ran >> effect.txt"), asOwner);
    const card = await story.hearQuestion(group);

    fake.migrate(group, supergroup);
    const again = await story.hearQuestion(supergroup);
    expect(again.code).toBe(card.code);
    expect(fake.botMessages(supergroup)).toHaveLength(1);
    const there = { ...asOwner, chat: supergroup };
    // Its number is that of a message of the old group: a quote of it is none of the card there.
    story.say("确认", { ...there, replyTo: again.message.messageId });
    await story.hear("好了，我看过结果了。", { chat: supergroup });
    expect(story.folder.workspaceLines("effect.txt")).toEqual(["ran"]);
    await fake.waitFor(() => again.message.keyboard.length === 0, "the outcome on the card");

    // The same conversation, workspace and permission; also after a restart.
    story.say(called("运行 cat effect.txt"), there);
    const next = await story.hearQuestion(supergroup);
    fake.press({ chat: supergroup, messageId: next.message.messageId, button: "确认", from: asOwner.from });
    await story.hear(/我看过结果了/, { chat: supergroup });
    expect(story.folder.workspaces()).toHaveLength(1);
    const first = JSON.stringify(story.model.requests.at(-1));
    expect(first).toContain("echo ran");
    expect(fake.callsOf("getUpdates")).toEqual([]);
  },
);

test("a chat that is lost is told to the owner once, what waits for it ends, and it comes back", async () => {
  const story = await startTelegramStory();
  const kurisu = await story.start();
  const { fake } = story;
  story.say("在吗？");
  await story.hear("嗯，我在听。");
  story.say("/pair@kurisu_test_bot", asOwner);
  await story.hear(/这个群开启了/, { chat: group });

  story.say(called("在吗？"), asOwner);
  fake.putOut(group, "Forbidden: bot was kicked from the supergroup chat");
  await story.hear(/telegram:-4242 那边我说不了话了/);
  await story.quiet();
  const told = () => story.said().filter((text) => text.includes("说不了话了"));
  expect(told()).toHaveLength(1);

  fake.letIn(group);
  story.say(called("在吗？"), asOwner);
  await story.hear("嗯，我在听。", { chat: group });
  fake.putOut(group, "Forbidden: bot was kicked from the supergroup chat");
  await story.quiet();
  // Once a day of one chat.
  expect(told()).toHaveLength(1);
  expect((await kurisu.stop()).code).toBe(0);
});

test("a short answer in a group is sent once, as an answer to its question, and never edited", async () => {
  const story = await startTelegramStory();
  await story.start();
  const { fake } = story;
  story.say("/pair@kurisu_test_bot", asOwner);
  await story.hear(/这个群开启了/, { chat: group });
  for (const question of ["在吗？", "还在吗？", "在吗？"]) {
    const { messageId } = story.say(called(question), asOwner);
    await fake.waitForMessage(({ replyTo, text }) => replyTo === messageId && text === "嗯，我在听。");
  }
  await story.quiet();
  expect(fake.callsOf("editMessageText")).toEqual([]);
  expect(fake.botMessages(group).filter(({ text }) => text === "嗯，我在听。")).toHaveLength(3);
});

test("the stop button of a draft ends its turn, and no other", async () => {
  const held = Promise.withResolvers<void>();
  const story = await startTelegramStory({
    async script(request) {
      const isAnswered = request.messages.at(-1)?.role === "tool";
      if (!JSON.stringify(request.messages).includes("慢慢看钟")) return undefined;
      if (!isAnswered) return { content: "我看看钟。", ...callTools({ name: "time", arguments: {} }) };
      await held.promise;
      return { content: "看完了。" };
    },
  });
  await story.start();
  const { fake } = story;
  story.say("慢慢看钟");
  await fake.waitFor(() => fake.drafts.some(({ text }) => text.includes("我看看钟")), "the draft");
  const draft = fake.drafts.at(-1);
  if (draft === undefined) throw new Error("there is no draft");
  fake.stopDraft(draft);
  await story.hear(/停下了/);
  held.resolve();
  story.say("/new");
  await story.hear(/从头开始/);
  story.say("在吗？");
  await story.hear("嗯，我在听。");
  // It comes late: what it belongs to has ended.
  fake.push({ stopped_message_generation: { chat: { id: owner, type: "private" }, draft_id: draft.draftId } } as never);
  await story.quiet();
  expect(story.said().filter((text) => text.includes("看完了") || text.includes("停下了"))).toHaveLength(1);
});
