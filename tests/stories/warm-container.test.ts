import { describe, expect, test } from "vitest";
import { callTools, resultsOfThisTurn } from "../support/kurisu-process/scripted-model.ts";
import { startTelegramStory, type TelegramStory } from "../support/kurisu-process/telegram-story.ts";
import { runnerIsThere } from "../support/runner-container.ts";
import { listSessionContainers } from "../support/session-containers.ts";

const patience = { timeout: 20_000, interval: 50 };

/** The containers of this story's conversations: program and state. */
async function listContainers({ folder }: TelegramStory): Promise<readonly string[]> {
  return (await listSessionContainers(folder.home)).map(({ Command, State }) => `${Command} ${State}`);
}

const warm = ["/usr/local/bin/kurisu-runner running"];

describe.runIf(await runnerIsThere())("the container of a conversation", () => {
  test("starts while the question is read, stays after a no, takes the command after a yes, and is gone after the stop", async () => {
    const story = await startTelegramStory();
    const kurisu = await story.start();
    story.say("运行 echo one >> effect.txt");
    await story.hearQuestion();
    await expect.poll(() => listContainers(story), patience).toEqual(warm);
    expect(story.folder.workspaces()).toEqual([]);
    story.say("取消");
    await story.hear("好吧，那就不做了。");
    story.say("运行 echo one >> effect.txt");
    await story.hearQuestion();
    expect(await listContainers(story)).toEqual(warm);
    expect(story.folder.workspaces()).toEqual([]);
    story.say("确认");
    await story.hear("好了，我看过结果了。");
    expect(story.folder.workspaceLines("effect.txt")).toEqual(["one"]);
    expect(await listContainers(story)).toEqual(warm);
    expect((await kurisu.stop()).code).toBe(0);
    expect(await listContainers(story)).toEqual([]);
  });

  test("is not started for a call that wants a fresh one", async () => {
    const story = await startTelegramStory({
      script: (request) => {
        const wanted = { command: "echo one >> effect.txt", fresh: true };
        return resultsOfThisTurn(request).length > 0 ? undefined : callTools({ name: "shell", arguments: wanted });
      },
    });
    const kurisu = await story.start();
    story.say("运行");
    await story.hearQuestion();
    await story.quiet();
    expect(await listContainers(story)).toEqual([]);
    story.say("确认");
    await story.hear("好了，我看过结果了。");
    expect(story.folder.workspaceLines("effect.txt")).toEqual(["one"]);
    expect(await listContainers(story)).toEqual([]);
    expect((await kurisu.stop()).code).toBe(0);
  });

  test("ends with a gateway that is killed, whatever it was at, and is there again for the next yes", async () => {
    const story = await startTelegramStory();
    const first = await story.start();
    story.say("运行 echo one >> effect.txt");
    await story.hearQuestion();
    await expect.poll(() => listContainers(story), patience).toEqual(warm);
    await first.crash();
    await expect.poll(() => listContainers(story), patience).toEqual([]);

    const second = await story.start();
    story.say("确认");
    await story.hear("好了，我看过结果了。");
    story.say("运行 echo two >> effect.txt; sleep 300; echo three >> effect.txt");
    const card = await story.hearQuestion();
    story.say(`确认 ${card.code}`);
    await expect.poll(() => story.folder.workspaceLines("effect.txt"), patience).toEqual(["one", "two"]);
    await second.crash();
    await expect.poll(() => listContainers(story), patience).toEqual([]);
    const third = await story.start();
    await story.quiet();
    expect(story.folder.workspaceLines("effect.txt")).toEqual(["one", "two"]);
    expect((await third.stop()).code).toBe(0);
    expect(await listContainers(story)).toEqual([]);
  });
});
