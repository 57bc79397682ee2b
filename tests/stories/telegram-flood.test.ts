import { expect, test } from "vitest";
import { lastWords } from "../support/kurisu-process/scripted-model.ts";
import { owner, startTelegramStory } from "../support/kurisu-process/telegram-story.ts";

const group = -100_780;
const answerWaitSeconds = 6;

test("a chat that Telegram tells to wait gets its answer afterwards, once, also after a crash; the others are answered meanwhile", async () => {
  const story = await startTelegramStory({
    script: (request) => ({ content: `收到${/第\w句/.exec(lastWords(request))?.[0] ?? ""}。` }),
  });
  const { fake } = story;
  const first = await story.start();
  story.say("/pair@kurisu_test_bot", { chat: group, from: { id: owner } });
  await story.hear(/这个群开启了/, { chat: group });

  const description = `Too Many Requests: retry after ${answerWaitSeconds}`;
  const parameters = { retry_after: answerWaitSeconds };
  fake.failNext("sendMessage", { kind: "answer", status: 429, description, parameters });
  const began = performance.now();
  story.say("第1句");
  await fake.waitForCall(({ status }) => status === 429);
  story.say("@kurisu_test_bot 第2句", { chat: group, from: { id: owner } });
  await story.hear("收到第2句。", { chat: group });
  expect(story.said().join()).not.toContain("第1句");
  expect(performance.now() - began).toBeLessThan(answerWaitSeconds * 1_000);

  await first.crash();
  await story.start();
  await story.hear("收到第1句。");
  expect(performance.now() - began).toBeGreaterThan(answerWaitSeconds * 1_000 - 100);
  await story.quiet();
  expect(story.said().filter((text) => text === "收到第1句。")).toHaveLength(1);
  expect(fake.impatient).toEqual([]);
});
