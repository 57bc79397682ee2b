/* What people write to a channel directly: one supergroup for all of them by its number, and a private chat for each. */
import { expect, test } from "vitest";
import { fileScript } from "../support/kurisu-process/file-script.ts";
import { owner, startTelegramStory } from "../support/kurisu-process/telegram-story.ts";

const channel = -1_009_876;
const topics = { okabe: 2 ** 40 + 7, mayuri: 12 } as const;
const mayuri = { id: 777, name: "真由理" };
const asOwner = { chat: channel, topic: topics.okabe, from: { id: owner, name: "冈部" } };
const asMayuri = { chat: channel, topic: topics.mayuri, from: mayuri };

test("each person's direct messages to a channel are a private chat of their own: role, session and files", async () => {
  const story = await startTelegramStory({ script: fileScript });
  await story.start();
  const { fake } = story;
  const heardIn = (topic: number) => fake.botMessages(channel).filter((message) => message.topic === topic);

  // A stranger gets a pairing hint as in private; in a group that nobody opened she would be silent.
  story.say("在吗？", asMayuri);
  await fake.waitFor(() => heardIn(topics.mayuri).some(({ text }) => /\d{6}|配对/.test(text)), "the hint");

  story.say("在吗？", asOwner);
  await fake.waitFor(() => heardIn(topics.okabe).some(({ text }) => text === "嗯，我在听。"), "the answer");
  const notes = Buffer.from("暗号是凤凰院");
  story.sendFile({ ...asOwner, content: notes, name: "notes.txt", caption: "收好" });
  // The inbox itself: in a group the files of each person stand apart.
  await fake.waitFor(() => heardIn(topics.okabe).some(({ text }) => text.includes("inbox/notes.txt")), "the file");
  story.say("发文件 inbox/notes.txt", asOwner);
  // As in the owner's own chat there is no question; the file and the words go to this topic.
  await fake.waitFor(() => heardIn(topics.okabe).some(({ text }) => text === "文件发过去了。"), "the end");
  await fake.waitFor(() => heardIn(topics.okabe).some(({ document }) => document !== undefined), "the file itself");

  // Somebody who runs the channel, in another person's topic: nobody answers, and nothing is stored.
  const before = heardIn(topics.mayuri).length;
  story.say("暗号是什么？", { ...asOwner, topic: topics.mayuri });
  await story.quiet();
  expect(heardIn(topics.mayuri)).toHaveLength(before);
  expect(heardIn(topics.mayuri).some(({ text }) => text.includes("凤凰院"))).toBe(false);

  expect(story.folder.workspaces()).toHaveLength(1);
  expect(fake.callsOf("sendChatAction")).toEqual([]);
  expect(fake.callsOf("editMessageText")).toEqual([]);
  expect(fake.calls.filter(({ method, status }) => method.startsWith("send") && status >= 400)).toEqual([]);
});

test("a chat of a shape that is not known is refused, never taken for a group, and logged once a minute", async () => {
  const story = await startTelegramStory();
  const kurisu = await story.start();
  const { fake } = story;
  const from = { id: owner, is_bot: false, first_name: "冈部" };
  const strange: readonly object[] = [
    { id: -5_001, title: "没有类型" },
    { id: -5_002, type: "community", title: "新的" },
    { id: -5_003, type: 5, title: "数字" },
    { id: -5_004, type: "supergroup", is_direct_messages: true, title: "没有话题" },
    { id: -5_005, type: "channel", is_direct_messages: true, title: "频道" },
    { id: -5_006, type: "private", first_name: "负数" },
    { id: 5_007, type: "group", title: "正数" },
  ];
  for (const chat of strange) {
    fake.openChat((chat as { id: number }).id);
    const text = "/pair@kurisu_test_bot";
    const entities = [{ type: "bot_command", offset: 0, length: text.length }];
    fake.push({ message: { message_id: 1, date: 1_780_000_000, chat, from, text, entities } } as never);
  }
  story.say("在吗？");
  await story.hear("嗯，我在听。");
  await story.quiet();
  for (const chat of strange) expect(fake.botMessages((chat as { id: number }).id)).toEqual([]);
  expect(
    (kurisu.stdout() + kurisu.stderr()).split("\n").filter((line) => line.includes("shape that is not known")),
  ).toHaveLength(1);
});
