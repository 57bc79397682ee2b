/* Nobody is asked for what cannot be done, and the person is told why. */
import { expect, test } from "vitest";
import { callTools, lastWords, resultsOfThisTurn } from "../support/kurisu-process/scripted-model.ts";
import { startTelegramStory } from "../support/kurisu-process/telegram-story.ts";

test("a write in plan mode is refused with the mode's name and the way out, without a model too", async () => {
  const story = await startTelegramStory({ environment: { KURISU_MODEL: "offline" } });
  await story.start();
  story.say("/plan");
  await story.hear(/计划模式：我只看不动手/);
  story.say("把 你好 写进 a.txt");
  await story.hear(/现在是计划模式，只看不动手。要动手就发 \/act。/);
  story.say("/act");
  await story.hear(/计划模式关了/);
  story.say("把 你好 写进 a.txt");
  expect((await story.hearQuestion()).text).toContain("a.txt");
});

test("an edit of a missing file fails before a question is asked", async () => {
  const edit = { name: "file_edit", arguments: { path: "none.txt", old: "a", new: "b" } };
  const story = await startTelegramStory({
    script: (request) =>
      lastWords(request) === "改一下" && resultsOfThisTurn(request).length === 0 ? callTools(edit) : undefined,
  });
  await story.start();
  story.say("改一下");
  await story.hear("这一步没有做成。");
  const [result] = story.model.requests.flatMap(resultsOfThisTurn);
  expect(JSON.parse(result ?? "{}")).toMatchObject({ ok: false, error: expect.stringContaining("none.txt") });
  expect(story.said().join("\n")).not.toMatch(/确认/);
});
