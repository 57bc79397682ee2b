import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { dockerIsThere } from "../support/docker.ts";
import { describeRest } from "../support/kurisu-process/drive-to-end.ts";
import { lastWords } from "../support/kurisu-process/scripted-model.ts";
import { startTelegramStory } from "../support/kurisu-process/telegram-story.ts";

describe.runIf(dockerIsThere())("/stop", () => {
  test("/stop withdraws a pending approval and ends the running turn without a reply", async () => {
    const thinking = Promise.withResolvers<void>();
    const story = await startTelegramStory({
      async script(request) {
        if (!lastWords(request).startsWith("想")) return undefined;
        thinking.resolve();
        await pause(3_000);
        return { content: "想好了。" };
      },
    });
    const kurisu = await story.start();
    story.say("运行 echo ran >> effect.txt");
    const card = await story.hearQuestion();
    story.say("想一想");
    await thinking.promise;
    story.say("确认");
    await story.fake.waitFor(() => card.message.text.includes("已确认"), "the yes taken down");
    story.say("/stop");
    await story.hear(/停下了/);
    await story.quiet();
    await pause(3_500);
    expect(story.folder.workspaces()).toEqual([]);
    expect(story.said().filter((text) => /想好了|看过结果/.test(text))).toEqual([]);
    story.say("在吗");
    await story.hear("嗯，我在听。");
    expect((await kurisu.stop()).code).toBe(0);
    expect(await describeRest(story.folder)).toEqual({
      inbox: [],
      turns: [],
      questions: [],
      outbox: [],
      checkpoints: [],
    });
  });

  test("/stop ends the running command; what it did so far stays done and is not repeated", async () => {
    const story = await startTelegramStory();
    const kurisu = await story.start();
    story.say("运行 echo one >> effect.txt; sleep 30; echo two >> effect.txt");
    await story.hearQuestion();
    story.say("确认");
    await story.fake.waitFor(() => story.folder.workspaceLines("effect.txt").length === 1, "the command at work");
    story.say("/stop");
    await story.hear(/停下了/);
    story.say("在吗");
    await story.hear("嗯，我在听。");
    expect((await kurisu.stop()).code).toBe(0);
    await story.start();
    await story.quiet();
    expect(story.folder.workspaceLines("effect.txt")).toEqual(["one"]);
    expect(await describeRest(story.folder)).toEqual({
      inbox: [],
      turns: [],
      questions: [],
      outbox: [],
      checkpoints: [],
    });
  });
});
