import { expect, test } from "vitest";
import type { FakeUpdate } from "../support/telegram/fake-bot-types.ts";
import { createKurisuFolder } from "../support/kurisu-process/kurisu-folder.ts";
import { runOnce } from "../support/kurisu-process/run-once.ts";
import { callTools, lastWords, resultsOfThisTurn } from "../support/kurisu-process/scripted-model.ts";
import { shareTelegramStory, type StoryChapter } from "../support/kurisu-process/share-telegram-story.ts";

const begin = shareTelegramStory();

/** The two sides of a private chat, as updates of the platform name them. */
const namePlace = ({ owner }: StoryChapter) => ({
  chat: { id: owner, type: "private", first_name: "Person" },
  from: { id: owner, is_bot: false, first_name: "Person" },
});

test("updates of unknown and broken kinds are passed over, and what comes after them is answered", async () => {
  const story = begin();
  const { chat, from } = namePlace(story);
  const strange = [
    { message: {} },
    { message: { message_id: 1, date: 1, chat, from, some_future_content: { nested: [1, 2] } } },
    { message: { message_id: 2, date: 1, chat, from, new_chat_members: [from] } },
    { message: { message_id: 3, date: "yesterday", chat: "here", from: 7, text: { not: "a text" } } },
    { edited_message: { message_id: 4, date: 1, chat, from } },
    { callback_query: { id: "1", from, chat_instance: "1", data: "a:nothing:y" } },
    {
      callback_query: { id: "2", from, chat_instance: "1", message: { message_id: 9, date: 0, chat }, data: "a:q_1:y" },
    },
    {
      callback_query: { id: "3", from, chat_instance: "1", message: { message_id: 9, date: 0, chat }, data: "\u0000" },
    },
    { message_reaction: { chat, message_id: 1, date: 1, user: from, old_reaction: [], new_reaction: [] } },
    { my_chat_member: { chat, from, date: 1 } },
  ];
  for (const update of strange) story.fake.push(update as unknown as FakeUpdate);
  story.say("在吗");
  await story.hear("嗯，我在听。");
  await story.quiet();
  expect(story.said()).toEqual(["嗯，我在听。"]);
  expect(story.model.requests).toHaveLength(1);
});

test("a sticker is read; empty texts, captions, edits and forwards: no turn for what says nothing, no answer to a question", async () => {
  const story = begin((request) =>
    lastWords(request).startsWith("写") && resultsOfThisTurn(request).length === 0
      ? callTools({ name: "file_write", arguments: { path: "a.txt", content: "x\n" } })
      : undefined,
  );
  const { chat, from } = namePlace(story);
  const sticker = {
    text: undefined,
    sticker: { file_id: "1", file_unique_id: "1", type: "regular", width: 1, height: 1, emoji: "😀" },
  };
  story.say("", { extra: sticker });
  await story.hear("嗯，我在听。");
  expect(lastWords(story.model.requests.at(-1) ?? { model: "", messages: [] })).toBe("[表情: 😀]");
  story.say("\u200B \n");
  await story.hear("这条消息是空的。");
  const photo = { text: undefined, photo: [{ file_id: "2", file_unique_id: "2", width: 1, height: 1 }] };
  story.say("", { extra: photo });
  await story.hear("嗯，我在听。");
  expect(lastWords(story.model.requests.at(-1) ?? { model: "", messages: [] })).toMatch(/图片.*没能取到/);
  expect(story.model.requests).toHaveLength(2);
  story.say("", { extra: { ...photo, caption: "这是什么" } });
  await story.hear("嗯，我在听。");
  expect(lastWords(story.model.requests.at(-1) ?? { model: "", messages: [] })).toMatch(/^这是什么/);

  const message = story.say("写一个文件");
  const card = await story.hearQuestion();
  const asked = story.model.requests.length;
  story.say("", { extra: { ...photo, caption: "确认" } });
  await story.hear("图片和文件的说明不算答复，请单独发一条文字。");
  const edited = { message_id: message.messageId, date: 1, edit_date: 2, chat, from };
  story.fake.push({ edited_message: { ...edited, text: "确认" } } as unknown as FakeUpdate);
  await story.hear("改过的消息不算答复，请重新发一条。");
  story.fake.push({ edited_message: { ...edited, text: "写一个别的文件" } } as unknown as FakeUpdate);
  story.say("确认", { extra: { forward_origin: { type: "user", sender_user: from, date: 1 } } });
  await story.hear("转发来的消息不算答复，请自己发一条。");
  await story.quiet();
  expect(story.model.requests).toHaveLength(asked);
  story.say("", { extra: sticker });
  await story.hear("嗯，我在听。");
  expect(story.folder.workspaceLines("a.txt")).toEqual([]);
  story.say("「确认」。");
  await story.hear("好了，我看过结果了。");
  expect(story.folder.workspaceLines("a.txt")).toEqual(["x"]);
  // Cards are closed after what people wait for.
  await expect.poll(() => card.message.keyboard).toEqual([]);
});

test("words that only contain an answer are ordinary talk", async () => {
  const story = begin((request) =>
    lastWords(request).startsWith("写") && resultsOfThisTurn(request).length === 0
      ? callTools({ name: "file_write", arguments: { path: "a.txt", content: "x\n" } })
      : undefined,
  );
  story.say("写一个文件");
  const card = await story.hearQuestion();
  for (const words of [
    "确认一下路径对不对",
    "我不知道",
    "I don't know",
    "确认……",
    "yes but no",
    "确认\n取消",
    "确 认",
  ]) {
    const before = story.model.requests.length;
    story.say(words);
    await story.hear("嗯，我在听。");
    expect(story.model.requests.length, `requests after ${words}`).toBe(before + 1);
  }
  expect(card.message.keyboard).not.toEqual([]);
  story.say("不确认");
  await story.hear("好吧，那就不做了。");
  expect(story.folder.workspaceLines("a.txt")).toEqual([]);
});

test("4,096 characters and more, both ways", async () => {
  const long = Array.from({ length: 60 }, (_, index) => `**第 ${index} 段**${"字".repeat(180)}`).join("\n\n");
  const story = begin(() => ({ content: long }));
  const words = `长${"文".repeat(4_090)}完`;
  story.say(words);
  await story.hear(/第 0 段/);
  await story.quiet();
  expect(lastWords(story.model.requests[0] ?? { model: "", messages: [] })).toBe(words);
  const parts = story.said();
  expect(parts.length).toBeGreaterThan(2);
  for (const part of parts) expect(part.length).toBeLessThanOrEqual(4_096);
  for (const part of parts.slice(1)) expect(part).toMatch(/^第 \d+ 段/);
  expect(parts.join("\n\n")).toBe(long.replaceAll("**", ""));
  const bold = story.fake
    .botMessages(story.owner)
    .flatMap(({ entities }) => entities.filter(({ type }) => type === "bold"));
  expect(bold).toHaveLength(60);
});

test("more than one message can hold gets one line instead of a turn", async () => {
  const folder = createKurisuFolder();
  const { code, reply } = await runOnce("字".repeat(16_001), { folder, environment: { KURISU_MODEL: "offline" } });
  expect(code).toBe(0);
  expect(reply).toMatch(/16001 个字，最多 16000 个/);
});
