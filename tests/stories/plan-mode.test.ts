import { expect, test } from "vitest";
import { callTools, lastWords, resultsOfThisTurn } from "../support/kurisu-process/scripted-model.ts";
import { startTelegramStory } from "../support/kurisu-process/telegram-story.ts";

const write = (path: string) => callTools({ name: "file_write", arguments: { path, content: "x\n", mode: "append" } });

/** 「写 PATH」 writes; everything else is as the obedient model does it. */
const script = {
  script: (request: Parameters<typeof lastWords>[0]) => {
    const path = /^写 (\S+)$/.exec(lastWords(request))?.[1];
    return path === undefined || resultsOfThisTurn(request).length > 0 ? undefined : write(path);
  },
};

test("plan mode: nothing changes until /act, not even by approving an earlier question", async () => {
  const story = await startTelegramStory(script);
  const first = await story.start();
  story.say("写 a.txt");
  await story.hearQuestion();
  story.say("/plan");
  await story.hear(/计划模式：我只看不动手/);
  story.say("确认");
  await story.hear("这一步没有做成。");
  expect(story.folder.workspaceLines("a.txt")).toEqual([]);

  expect((await first.stop()).code).toBe(0);
  const second = await story.start();
  story.say("写 b.txt");
  await story.hear("这一步没有做成。");
  story.say("/status");
  await story.hear(/计划模式：只看不动手/);
  expect(JSON.stringify(story.model.requests.at(-1))).toContain("mode: plan");

  story.say("/plan notes ../x");
  await story.hear(/不是工作区里的路径/);
  story.say("/plan notes");
  await story.hear(/只能改 notes 里的文件/);
  story.say("写 c.txt");
  await story.hear("这一步没有做成。");
  story.say("写 notes/c.txt");
  await story.hearQuestion();
  story.say("确认");
  await story.hear("好了，我看过结果了。");
  expect(story.folder.workspaceLines("notes/c.txt")).toEqual(["x"]);

  story.say("/act");
  await story.hear(/计划模式关了/);
  story.say("写 d.txt");
  await story.hearQuestion();
  story.say("确认");
  await story.hear("好了，我看过结果了。");
  expect(story.folder.workspaceLines("d.txt")).toEqual(["x"]);
  expect((await second.stop()).code).toBe(0);
});
