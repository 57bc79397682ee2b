// quick: one approval over kill -9 on the official QQ and on the API, and one command in a container
import { describe, expect, test } from "vitest";
import { dockerIsThere } from "../support/docker.ts";
import { startApiStory } from "../support/kurisu-process/api-story.ts";
import { startQqBotStory } from "../support/kurisu-process/qq-story.ts";
import { callTools, lastWords, resultsOfThisTurn, type ModelScript } from "../support/kurisu-process/scripted-model.ts";
import { startTelegramStory } from "../support/kurisu-process/telegram-story.ts";

const done = "好了，我看过结果了。";

/** 写 WORD: a line is appended to a file, which needs an approval. */
const write: ModelScript = (request) => {
  const word = /^写 (\w+)$/.exec(lastWords(request))?.[1];
  if (word === undefined || resultsOfThisTurn(request).length > 0) return undefined;
  return callTools({ name: "file_write", arguments: { path: "effect.txt", content: `${word}\n`, mode: "append" } });
};

test("a call on the official QQ that waits for its approval survives kill -9 and runs once", async () => {
  const story = await startQqBotStory("gateway", { script: write });
  const kurisu = await story.start();
  await story.connect();
  story.say("写 one");
  await story.hearQuestion();
  await story.quiet();
  await kurisu.crash();
  await story.start();
  await story.connect();
  expect(story.folder.workspaceLines("effect.txt")).toEqual([]);
  story.say("确认");
  await story.hear(done);
  story.say("确认");
  await story.quiet();
  expect(story.folder.workspaceLines("effect.txt")).toEqual(["one"]);
});

test("a cancelled call on the API never runs, and a confirmed one runs once", async () => {
  const story = await startApiStory({ script: write });
  await story.start();
  expect(await story.ask("写 one")).toMatch(/编号 [A-Z]+\d/);
  await story.ask("取消");
  expect(await story.ask("写 two")).toMatch(/编号 [A-Z]+\d/);
  expect(await story.ask("确认")).toContain(done);
  expect(story.folder.workspaceLines("effect.txt")).toEqual(["two"]);
});

describe.runIf(dockerIsThere())("where a container engine answers", () => {
  test("a confirmed command runs in a container without a network and as an unprivileged user", async () => {
    const command = "id -u; ls /sys/class/net; echo ran >> effect.txt";
    const story = await startTelegramStory({
      script: (request) =>
        lastWords(request) === "跑一下" && resultsOfThisTurn(request).length === 0
          ? callTools({ name: "shell", arguments: { command } })
          : undefined,
    });
    await story.start();
    story.say("跑一下");
    await story.hearQuestion();
    story.say("确认");
    await story.hear(done);
    const result = JSON.stringify(story.model.requests.at(-1)?.messages.at(-1));
    expect(result).toMatch(/[1-9]\d*\\+nlo\\+n/);
    expect(story.folder.workspaceLines("effect.txt")).toEqual(["ran"]);
  });
});
