import { describe, expect, test } from "vitest";
import { dockerIsThere } from "../support/docker.ts";
import { shareTelegramStory, type StoryChapter } from "../support/kurisu-process/share-telegram-story.ts";
import type { TelegramStory } from "../support/kurisu-process/telegram-story.ts";

const begin = shareTelegramStory();
/** A group of the chapter's own, and who speaks in it. */
const namePlace = ({ group, owner }: StoryChapter) => ({
  group,
  asOwner: { chat: group, from: { id: owner, name: "冈部" } },
  asStranger: { chat: group, from: { id: 99, name: "路人" } },
});
const called = (words: string) => `@kurisu_test_bot ${words}`;
const effects = ({ folder }: TelegramStory) => folder.workspaceLines("effect.txt");

async function beginInGroup() {
  const story = begin();
  const place = namePlace(story);
  story.say("/pair@kurisu_test_bot", place.asOwner);
  await story.hear(/这个群开启了/, { chat: place.group });
  return { story, ...place };
}

describe("a group", () => {
  test("says nothing before an owner opens it", async () => {
    const story = begin();
    const { group, asOwner, asStranger } = namePlace(story);
    story.say(called("在吗"), asStranger);
    story.say("/pair@kurisu_test_bot", asStranger);
    story.say(called("在吗"), asOwner);
    await story.hear(/这个群还没开启/, { chat: group });
    expect(story.said(group)).toHaveLength(1);
    expect(story.model.requests).toEqual([]);
    story.say("/pair@kurisu_test_bot", asOwner);
    await story.hear(/这个群开启了/, { chat: group });
    story.say(called("在吗"), asOwner);
    await story.hear("嗯，我在听。", { chat: group });
  });
});

describe.runIf(dockerIsThere())("who may answer a question in a group", () => {
  test("only the asker answers: not another person's word, button, quote or forward", async () => {
    const { story, group, asOwner, asStranger } = await beginInGroup();
    story.say(called("运行 echo ran >> effect.txt"), asOwner);
    const card = await story.hearQuestion(group);
    const { messageId } = card.message;
    expect(card.text).toContain(`确认 ${card.code}`);

    const pressed = story.fake.press({ chat: group, messageId, button: "确认", from: asStranger.from });
    await story.fake.waitFor(() => story.fake.toasts.has(pressed.pressId), "the toast");
    expect(story.fake.toasts.get(pressed.pressId)).toContain("得 冈部 本人来答复");
    story.say(`确认 ${card.code}`, asStranger);
    await story.hear(/得 冈部 本人来答复/, { chat: group });
    story.say("确认", { ...asStranger, replyTo: messageId });
    await story.hear(/得 冈部 本人来答复/, { chat: group });

    // The owner, but not in words of their own for this question.
    const other = story.say("随便说一句", asStranger);
    story.say("确认", { ...asOwner, replyTo: other.messageId });
    await story.hear(/你引用的不是那条询问/, { chat: group });
    story.say("确认", {
      ...asOwner,
      extra: { forward_origin: { type: "hidden_user", sender_user_name: "x", date: 1 } },
    });
    await story.hear(/转发来的消息不算答复/, { chat: group });
    story.say("确认", { ...asOwner, extra: { via_bot: { id: 5, is_bot: true, first_name: "inline" } } });
    await story.hear(/转发来的消息不算答复/, { chat: group });
    const anonymous = { sender_chat: { id: group, type: "supergroup", title: "Group" } };
    story.say("确认", { ...asOwner, from: { id: 1_087_968_824, isBot: true }, extra: anonymous });
    await story.hear(/本人来答复/, { chat: group });
    // The same person in another chat.
    story.say(`确认 ${card.code}`, { chat: story.owner });
    await story.hear(new RegExp(`没有编号是 ${card.code} 的事`));
    await story.quiet();
    expect(story.folder.workspaces()).toEqual([]);
    expect(story.model.requests).toHaveLength(1);

    story.say("确认", { ...asOwner, replyTo: messageId });
    await story.hear("好了，我看过结果了。", { chat: group });
    expect(effects(story)).toEqual(["ran"]);
  });

  test("a bare word decides none of two open questions, and a code or a quote decides its own", async () => {
    const { story, group, asOwner } = await beginInGroup();
    story.say(called("运行 echo one >> effect.txt"), asOwner);
    const one = await story.hearQuestion(group);
    story.say(called("运行 echo two >> effect.txt"), asOwner);
    const two = await story.hearQuestion(group);
    story.say("确认", asOwner);
    await story.hear(new RegExp(`现在有 2 件事在等：${one.code}、${two.code}`), { chat: group });
    expect(story.folder.workspaces()).toEqual([]);
    story.say(`确认 ${two.code}`, asOwner);
    await story.hear("好了，我看过结果了。", { chat: group });
    expect(effects(story)).toEqual(["two"]);
    story.say("取消", { ...asOwner, replyTo: one.message.messageId });
    await story.hear("好吧，那就不做了。", { chat: group });
    expect(effects(story)).toEqual(["two"]);
  });
});
