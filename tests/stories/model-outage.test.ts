import { expect, test } from "vitest";
import { lookIntoStore } from "../support/kurisu-process/look-into-store.ts";
import { startTelegramStory } from "../support/kurisu-process/telegram-story.ts";

const waits = "模型连不上。你的话我留着，30 分钟内通了就回你；等不及就 /stop。";

test("words said while no model answers outlive a kill -9 and are answered in order, once, with one notice", async () => {
  let isDown = true;
  const story = await startTelegramStory({
    script: () => (isDown ? { error: { message: "overloaded" }, status: 503 } : undefined),
  });
  const first = await story.start();
  const now = Math.floor(Date.now() / 1000);
  // Long enough apart to be no burst, which would be one turn.
  story.say("现在几点", { extra: { date: now - 60 } });
  await story.hear(waits);
  story.say("第二句", { extra: { date: now } });
  const stored = () => lookIntoStore(story.folder, "select id from inbox where kind = 'message'");
  await expect.poll(stored).toHaveLength(2);
  await first.crash();
  isDown = false;
  const second = await story.start();
  await story.hear("好了，我看过结果了。");
  await story.hear("嗯，我在听。");
  await story.quiet();
  expect(story.said()).toEqual([expect.stringContaining(waits), "好了，我看过结果了。", "嗯，我在听。"]);
  expect((await second.stop()).code).toBe(0);
});
