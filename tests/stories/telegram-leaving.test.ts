import { expect, test } from "vitest";
import { lookIntoStore } from "../support/kurisu-process/look-into-store.ts";
import { owner, startTelegramStory } from "../support/kurisu-process/telegram-story.ts";

const group = -4_242;
const asOwner = { chat: group, from: { id: owner, name: "冈部" } };

test("a leaving that Telegram told once is kept over kill -9, and the next words end it", async () => {
  const story = await startTelegramStory();
  const kurisu = await story.start();
  const { fake } = story;
  story.say("/pair@kurisu_test_bot", asOwner);
  await story.hear(/这个群开启了/, { chat: group });
  story.say("@kurisu_test_bot 在吗？", asOwner);
  await story.hear("嗯，我在听。", { chat: group });
  const listLeft = () => lookIntoStore(story.folder, "select person, left_at is not null as gone from log_readers");
  expect(await listLeft()).toEqual([{ person: `telegram:${owner}`, gone: 0 }]);

  const member = { user: { id: owner, is_bot: false, first_name: "冈部" }, status: "left" };
  // The fake refuses a kind of update that she did not ask for.
  fake.push({
    chat_member: {
      chat: { id: group, type: "group", title: "Lab" },
      from: member.user,
      date: Math.floor(Date.now() / 1_000),
      old_chat_member: { ...member, status: "member" },
      new_chat_member: member,
    },
  } as never);
  await fake.waitFor(() => fake.pendingUpdates().length === 0, "the update to be taken");
  kurisu.kill("SIGKILL");
  await kurisu.ended();
  await story.start();
  await expect.poll(listLeft).toEqual([{ person: `telegram:${owner}`, gone: 1 }]);

  story.say("@kurisu_test_bot 我回来了，在吗？", asOwner);
  await expect.poll(listLeft).toEqual([{ person: `telegram:${owner}`, gone: 0 }]);
});
