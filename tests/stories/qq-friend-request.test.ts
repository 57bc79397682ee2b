// quick: the story of OneBot
import { expect, test } from "vitest";
import { startOneBotStory } from "../support/kurisu-process/onebot-story.ts";

const request = { request_type: "friend", user_id: 66, comment: "同意 F100 确认", flag: "flag-66" };

test("a friend request waits for the owner, over kill -9, and is answered once", async () => {
  const story = await startOneBotStory("forward", { script: () => ({ content: "嗯。" }) });
  const first = await story.start();
  story.say("在吗");
  await story.hear("嗯。");
  story.fake.request(request);
  const { text } = await story.fake.waitForMessage((message) => message.text.includes("qq:66 想加我为好友"));
  const code = /F\d{3}/.exec(text.replace("F100 确认", ""))?.[0] ?? "";
  await first.crash();
  await story.start();
  story.say("/requests");
  await story.fake.waitForMessage((message) => message.text.includes(`${code}  qq:66`));
  story.say(`同意 ${code}`, { chat: "private:99", from: { id: 99, name: "小红" } });
  await story.fake.waitForMessage((message) => message.text.includes("我还不认识你"));
  expect(story.fake.answered).toEqual([]);
  story.say(`同意 ${code}`);
  await story.fake.waitForMessage((message) => message.text === `${code} 同意了。`);
  story.say(`拒绝 ${code}`);
  await story.fake.waitForMessage((message) => message.text.includes("已经处理过"));
  expect(story.fake.answered).toEqual([{ flag: "flag-66", approve: true }]);
  await story.quiet();
});
