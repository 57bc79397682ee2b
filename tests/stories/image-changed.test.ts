import { describe, expect, onTestFinished, test } from "vitest";
import { makeImage } from "../support/derived-image.ts";
import { dockerIsThere } from "../support/docker.ts";
import { callTools, lastWords, resultsOfThisTurn } from "../support/kurisu-process/scripted-model.ts";
import { startTelegramStory } from "../support/kurisu-process/telegram-story.ts";

describe.runIf(dockerIsThere())("the sandbox's image is built again", () => {
  test("a new image between question and 「确认」: the approval was for the old one, nothing runs, and a new question covers it", async () => {
    const { name, remove } = await makeImage("LABEL kurisu.test=1");
    onTestFinished(remove);
    const story = await startTelegramStory({
      environment: { KURISU_SANDBOX_IMAGE: name },
      // In a container of its own, which is not made before the yes.
      script: (request) =>
        /effect/.test(lastWords(request)) && resultsOfThisTurn(request).length === 0
          ? callTools({ name: "shell", arguments: { command: lastWords(request).replace("运行 ", ""), fresh: true } })
          : undefined,
    });
    await story.start();
    story.say("运行 echo one >> effect.txt");
    await story.hearQuestion();
    await makeImage("LABEL kurisu.test=2", { name });
    story.say("确认");
    await story.hear("这一步没有做成。");
    const last = story.model.requests.at(-1) ?? { model: "", messages: [] };
    expect(resultsOfThisTurn(last).at(-1)).toMatch(/sandbox's image.*did not run/);
    expect(story.folder.workspaceLines("effect.txt")).toEqual([]);

    story.say("运行 echo two >> effect.txt");
    const card = await story.hearQuestion();
    story.say(`确认 ${card.code}`);
    await story.fake.waitFor(() => story.folder.workspaceLines("effect.txt").length === 1, "the command");
    expect(story.folder.workspaceLines("effect.txt")).toEqual(["two"]);
  });
});
