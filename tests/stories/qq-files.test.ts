import { expect, test } from "vitest";
import { fileScript } from "../support/kurisu-process/file-script.ts";
import { qqOwner, startOneBotStory } from "../support/kurisu-process/onebot-story.ts";

const group = "group:30001";
const asOwner = { chat: group, from: qqOwner } as const;
const asHong = { chat: group, from: { id: 99, name: "小红" } } as const;
const us = { type: "at", data: { qq: "10001" } };
const content = Buffer.from("明天十二点，老地方见。\n");
const text = (words: string) => ({ type: "text", data: { text: words } });

test("a friend's file is read; a file in a group is sent after the asker's approval, byte for byte, over kill -9", async () => {
  const story = await startOneBotStory("forward", { script: fileScript });
  const first = await story.start();
  story.fake.files.set("id-1", { file: "/napcat/1", base64: content.toString("base64"), file_name: "notes.txt" });
  const file = { type: "file", data: { file: "notes.txt", file_id: "id-1", file_size: String(content.length) } };
  story.say("", { segments: [text("读一下"), file] });
  await story.hear("上面写着：明天十二点，老地方见。");

  story.say("/pair", { ...asOwner, at: [10_001] });
  await story.hear(/这个群开启了/, { chat: group });
  story.say("", { ...asOwner, segments: [us, text(" 收好"), file] });
  await story.hear(/\[文件 notes\.txt: 已存到工作区 inbox\/notes\.txt/, { chat: group });
  story.say("发文件 inbox/notes.txt", { ...asOwner, at: [10_001] });
  const card = await story.hearQuestion(group);
  expect(card.text).toContain("→ 本群");
  await first.crash();
  await story.start();
  story.say(`确认 ${card.code}`, asHong);
  await story.hear(/得 冈部 本人来答复/, { chat: group });
  expect(story.fake.botMessages(group).filter(({ file }) => file)).toEqual([]);
  story.fake.failNext("send_group_msg", { kind: "refuse", retcode: 1200, taken: true });
  story.say(`确认 ${card.code}`, asOwner);
  await story.hear("文件发过去了。", { chat: group });
  await story.quiet();
  const sent = story.fake.botMessages(group).flatMap(({ file }) => (file ? [file] : []));
  expect(sent).toEqual([{ name: "notes.txt", content }]);
});
