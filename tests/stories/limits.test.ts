import { expect, test } from "vitest";
import { startTelegramStory } from "../support/kurisu-process/telegram-story.ts";

test("messages over a minute's limit are refused once and never reach the model; the next minute is a new one", async () => {
  const story = await startTelegramStory({
    files: { "system/channels.yaml": "limits: { messages: { owner: 2 } }\n" },
  });
  const kurisu = await story.start();
  const now = Math.floor(Date.now() / 1000);
  const say = (words: string, at: number) => story.say(words, { extra: { date: at } });
  say("第一句", now - 90);
  say("第二句", now - 90);
  await story.hear("嗯，我在听。");
  await story.hear("嗯，我在听。");
  say("第三句", now - 90);
  say("第四句", now - 90);
  await story.hear(/太快了，一分钟最多 2 条/);
  say("第五句", now);
  await story.hear("嗯，我在听。");
  await story.quiet();
  expect(story.said().filter((text) => text.includes("太快了"))).toHaveLength(1);
  const asked = JSON.stringify(story.model.requests);
  expect(["第一句", "第二句", "第三句", "第四句", "第五句"].map((words) => asked.includes(words))).toEqual([
    true,
    true,
    false,
    false,
    true,
  ]);
  expect((await kurisu.stop()).code).toBe(0);
});

test("a day's tokens are still spent after a kill -9", async () => {
  const story = await startTelegramStory({
    files: { "system/models.yaml": "budget: { tokens: { owner: 1 } }\n" },
  });
  const first = await story.start();
  story.say("在吗");
  // One request of many thousand tokens passes a limit of one: the share is what it is.
  await story.hear(/^嗯，我在听。\n\n说完这句，你今天的额度就用完了：[1-9][\d,]{5,}%，/);
  await story.quiet();
  await first.crash();
  const asked = story.model.requests.length;
  await story.start();
  story.say("还在吗");
  await story.hear(
    /^你今天的额度用完了：.+ \/ 1 token（[1-9][\d,]{5,}%）。零点（.+）一过就恢复。等不及就改 models.yaml 的 budget.tokens.owner，存盘就生效。$/,
  );
  await story.quiet();
  expect(story.model.requests).toHaveLength(asked);
});
