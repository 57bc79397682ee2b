import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { dockerIsThere, requireDocker } from "../support/docker.ts";
import { startDockerProxy } from "../support/docker-proxy.ts";
import { createKurisuFolder } from "../support/kurisu-process/kurisu-folder.ts";
import { callShell, callTools, lastWords, resultsOfThisTurn } from "../support/kurisu-process/scripted-model.ts";
import { spawnKurisu } from "../support/kurisu-process/spawn-kurisu.ts";
import { startTelegramStory, type TelegramStory } from "../support/kurisu-process/telegram-story.ts";

const offered = ({ model }: TelegramStory) => model.requests.at(-1)?.tools?.map((tool) => tool.function.name) ?? [];
const lastResult = ({ model }: TelegramStory) =>
  resultsOfThisTurn(model.requests.at(-1) ?? { model: "", messages: [] }).at(-1);

test("no engine at the start: shell is not offered, cannot be talked into being, and doctor says why", async () => {
  const environment = { DOCKER_HOST: "unix:///nowhere/docker.sock" };
  const story = await startTelegramStory({
    environment,
    script: (request) => (resultsOfThisTurn(request).length === 0 ? callShell("id") : undefined),
  });
  const kurisu = await story.start();
  expect(kurisu.stdout()).toMatch(/沙箱\s+用不了.*`DOCKER_HOST`/);
  story.say("运行 id");
  await story.hear("这一步没有做成。");
  expect(offered(story)).toContain("time");
  expect(offered(story)).not.toContain("shell");
  expect(lastResult(story)).toMatch(/\/nowhere\/docker\.sock/);
  expect(story.folder.workspaces()).toEqual([]);
  const doctor = spawnKurisu(["doctor"], {
    folder: createKurisuFolder(),
    environment: { ...environment, KURISU_MODEL: "offline" },
  });
  await doctor.ended();
  expect(doctor.stdout()).toMatch(/\/nowhere\/docker\.sock/);
});

describe.runIf(dockerIsThere())("an engine that goes away", () => {
  test("an engine that is gone between question and 「确认」 ran nothing; gone or silent in the middle, part of it may have happened; nothing runs on the host", async () => {
    const docker = requireDocker();
    const story = await startTelegramStory({
      script: (request) =>
        lastWords(request) !== "重新运行" || resultsOfThisTurn(request).length > 0
          ? undefined
          : callTools({ name: "shell", arguments: { command: "echo one >> fresh.txt", fresh: true } }),
    });
    const proxy = await startDockerProxy(join(story.folder.config, "docker.sock"));
    const kurisu = await story.start({ environment: proxy.environment });

    story.say("运行 echo one >> effect.txt");
    await story.hearQuestion();
    await proxy.cut();
    story.say("确认");
    await story.hear("这一步没有做成。");
    expect(lastResult(story)).toMatch(/did not run/);
    expect(story.folder.workspaceLines("effect.txt")).toEqual([]);
    story.say("在吗");
    await story.hear("嗯，我在听。");
    expect(offered(story)).not.toContain("shell");

    await proxy.restore();
    // Whoever looks at the readiness lets it look for the engine, too.
    const ready: unknown = await (await fetch(`${kurisu.url}/readyz`)).json();
    expect(ready).toMatchObject({ sandbox: { state: "ready" } });
    story.say("运行 echo two >> effect.txt; sleep 20; echo late >> effect.txt");
    const card = await story.hearQuestion();
    story.say(`确认 ${card.code}`);
    await story.fake.waitFor(() => story.folder.workspaceLines("effect.txt").length === 1, "the command at work");
    await proxy.cut();
    await story.hear("这一步没有做成。");
    expect(lastResult(story)).toMatch(/may have happened/);
    expect(story.folder.workspaceLines("effect.txt")).toEqual(["two"]);

    await proxy.restore();
    await fetch(`${kurisu.url}/readyz`);
    const left = async () => {
      const all = await docker.listContainers({ all: true });
      return all.filter(({ Mounts }) => Mounts.some(({ Source }) => Source.startsWith(story.folder.home)));
    };
    // A container whose stream broke ends by itself. Whatever did not, such as one that was made but never started, is
    // removed when the engine is back.
    await expect.poll(left).toEqual([]);

    // An engine that begins and then goes silent: it is not said that the command did not run.
    story.say("重新运行");
    const fresh = await story.hearQuestion();
    // The container that compares the folders has been started by then.
    await fetch(`${kurisu.url}/readyz`);
    proxy.loseAnswer(/^POST \S*\/start /);
    story.say(`确认 ${fresh.code}`);
    await story.hear(/这一步没有做成/);
    expect(lastResult(story)).toMatch(/may have happened/);
    expect(lastResult(story)).not.toMatch(/did not run/);
    expect(story.folder.workspaceLines("fresh.txt").length).toBeLessThanOrEqual(1);
  });
});
