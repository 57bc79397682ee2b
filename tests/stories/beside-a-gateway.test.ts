import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { dockerIsThere } from "../support/docker.ts";
import { spawnKurisu } from "../support/kurisu-process/spawn-kurisu.ts";
import { startTelegramStory } from "../support/kurisu-process/telegram-story.ts";
import { listSessionContainers } from "../support/session-containers.ts";

const patience = { interval: 50 };

/** By its arguments, the code that each ends with. */
const others = { doctor: 0, tools: 0, start: 69 };

describe.runIf(dockerIsThere())("a second process on the data folder of a running gateway", () => {
  test("leaves the containers of the first alone: the doctor, a look at the tools, and a start, which is refused", async () => {
    const story = await startTelegramStory();
    const { folder } = story;
    const kurisu = await story.start();
    story.say("运行 echo one >> effect.txt; until [ -e go ]; do sleep 0.1; done; echo two >> effect.txt");
    await story.hearQuestion();
    story.say("确认");
    await expect.poll(() => folder.workspaceLines("effect.txt"), patience).toEqual(["one"]);
    const listIds = async () => (await listSessionContainers(folder.home)).map(({ Id }) => Id);
    const before = await listIds();
    expect(before).toHaveLength(1);

    // All at once: the command at work may take no more than its 30 s.
    await Promise.all(
      Object.entries(others).map(async ([command, code]) => {
        const other = spawnKurisu([command], { folder, environment: { KURISU_MODEL: "offline" } });
        const ended = await other.ended();
        expect({ command, ...ended, said: other.stdout() }).toMatchObject({ command, code });
      }),
    );
    expect(await listIds()).toEqual(before);

    writeFileSync(join(folder.home, "workspaces", folder.workspaces()[0] ?? "", "go"), "");
    await story.hear("好了，我看过结果了。");
    expect(folder.workspaceLines("effect.txt")).toEqual(["one", "two"]);
    expect((await kurisu.stop()).code).toBe(0);
  });
});
