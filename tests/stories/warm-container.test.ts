import { describe, expect, test } from "vitest";
import { callTools, lastWords, resultsOfThisTurn, type ModelScript } from "../support/kurisu-process/scripted-model.ts";
import { startTelegramStory, type TelegramStory } from "../support/kurisu-process/telegram-story.ts";
import { runnerIsThere } from "../support/runner-container.ts";
import { listSessionContainers } from "../support/session-containers.ts";

const patience = { interval: 50 };

/** The containers of this story's conversations: program and state. */
async function listContainers({ folder }: TelegramStory): Promise<readonly string[]> {
  return (await listSessionContainers(folder.home)).map(({ Command, State }) => `${Command} ${State}`);
}

const warm = ["/usr/local/bin/kurisu-runner running"];

/** Wants a fresh container for what is said in these words. */
const wantsFresh: ModelScript = (request) => {
  if (lastWords(request) !== "重新运行" || resultsOfThisTurn(request).length > 0) return undefined;
  return callTools({ name: "shell", arguments: { command: "echo fresh >> effect.txt", fresh: true } });
};

describe.runIf(await runnerIsThere())("the container of a conversation", () => {
  test("the container exists while a question is read and stays for the next command; a fresh call starts none; each end of the gateway ends it", async () => {
    const story = await startTelegramStory({ script: wantsFresh });
    const first = await story.start();
    story.say("重新运行");
    await story.hearQuestion();
    await story.quiet();
    expect(await listContainers(story)).toEqual([]);
    story.say("确认");
    await story.hear("好了，我看过结果了。");
    expect(story.folder.workspaceLines("effect.txt")).toEqual(["fresh"]);
    expect(await listContainers(story)).toEqual([]);

    story.say("运行 echo one >> effect.txt");
    await story.hearQuestion();
    await expect.poll(() => listContainers(story), patience).toEqual(warm);
    story.say("取消");
    await story.hear("好吧，那就不做了。");
    story.say("运行 echo one >> effect.txt");
    await story.hearQuestion();
    expect(await listContainers(story)).toEqual(warm);
    expect(story.folder.workspaceLines("effect.txt")).toEqual(["fresh"]);
    await first.crash();
    await expect.poll(() => listContainers(story), patience).toEqual([]);

    const second = await story.start();
    story.say("确认");
    await story.hear("好了，我看过结果了。");
    expect(story.folder.workspaceLines("effect.txt")).toEqual(["fresh", "one"]);
    expect(await listContainers(story)).toEqual(warm);
    story.say("运行 echo two >> effect.txt; sleep 300; echo three >> effect.txt");
    const card = await story.hearQuestion();
    story.say(`确认 ${card.code}`);
    await expect.poll(() => story.folder.workspaceLines("effect.txt"), patience).toEqual(["fresh", "one", "two"]);
    await second.crash();
    await expect.poll(() => listContainers(story), patience).toEqual([]);

    const third = await story.start();
    await story.quiet();
    expect(story.folder.workspaceLines("effect.txt")).toEqual(["fresh", "one", "two"]);
    story.say("运行 echo four >> effect.txt");
    await story.hearQuestion();
    await expect.poll(() => listContainers(story), patience).toEqual(warm);
    expect((await third.stop()).code).toBe(0);
    expect(await listContainers(story)).toEqual([]);
  });
});
