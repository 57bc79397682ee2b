import { join } from "node:path";
import { expect, test } from "vitest";
import { describeRest } from "../support/kurisu-process/drive-to-end.ts";
import { callTools, lastWords, resultsOfThisTurn } from "../support/kurisu-process/scripted-model.ts";
import { startTelegramStory, type TelegramStory } from "../support/kurisu-process/telegram-story.ts";
import { mayMountDisk, mountSmallDisk } from "../support/small-disk.ts";

const cannotMount = !mayMountDisk();
const written = ({ folder }: TelegramStory) => folder.workspaceLines("a.txt");

test.skipIf(cannotMount)(
  "a full disk: what people write waits at Telegram, and nothing is lost or doubled when there is space again",
  async () => {
    const disk = mountSmallDisk(8);
    const story = await startTelegramStory({
      home: join(disk.path, "home"),
      script(request) {
        if (resultsOfThisTurn(request).length > 0) return undefined;
        if (lastWords(request).startsWith("写"))
          return callTools({ name: "file_write", arguments: { path: "a.txt", content: "x\n", mode: "append" } });
        if (!lastWords(request).startsWith("满")) return undefined;
        if (story.model.requests.filter((one) => lastWords(one).startsWith("满")).length === 1) disk.fill();
        return { content: "满了又空了。" };
      },
    });
    const kurisu = await story.start();
    story.say("在吗");
    await story.hear("嗯，我在听。");
    await story.quiet();

    // At accept: the update stays unconfirmed, and readiness says so.
    disk.fill();
    const { updateId } = story.say("还在吗");
    await story.fake.waitFor(() => /database or disk is full.*not stored/.test(kurisu.stderr()), "the fault at accept");
    expect(story.fake.pendingUpdates().map(({ update_id }) => update_id)).toContain(updateId);
    const ready = (await (await fetch(`${kurisu.url}/readyz`)).json()) as Record<
      string,
      { state?: string; detail?: string }
    >;
    expect(ready["telegram"]).toMatchObject({ state: "degraded" });
    expect(ready["telegram"]?.detail).toMatch(/cannot be stored.*disk is full/);
    expect(story.said()).toEqual(["嗯，我在听。"]);
    disk.free();
    await story.hear("嗯，我在听。");
    await story.quiet();
    expect(story.said()).toEqual(["嗯，我在听。", "嗯，我在听。"]);

    // At the decision: nothing is half decided.
    story.say("写一行");
    await story.hearQuestion();
    await story.quiet();
    disk.fill();
    story.say("确认");
    await story.fake.waitFor(() => kurisu.stderr().split("not stored").length > 2, "the fault at the decision");
    expect(written(story)).toEqual([]);
    disk.free();
    await story.hear("好了，我看过结果了。");
    await story.quiet();
    expect(written(story)).toEqual(["x"]);

    // In the middle of a turn: it ends once, with the reply or with the word that it failed.
    const faults = kurisu.stderr().split("disk is full").length;
    story.say("满");
    await story.fake.waitFor(() => kurisu.stderr().split("disk is full").length > faults, "the fault in the turn");
    disk.free();
    const end = /满了又空了|这次没做成/;
    await story.hear(end);
    await story.quiet();
    expect(story.said().filter((text) => end.test(text))).toHaveLength(1);
    expect((await kurisu.stop()).code).toBe(0);
    expect(await describeRest(story.folder)).toEqual({
      inbox: [],
      turns: [],
      questions: [],
      outbox: [],
      checkpoints: [],
    });
  },
);

test.skipIf(cannotMount)(
  "a disk that is full at the start: one line with the remedy, and a start once there is space",
  async () => {
    const disk = mountSmallDisk(4);
    const story = await startTelegramStory({ home: join(disk.path, "home") });
    disk.fill();
    const refused = await story.tryStart();
    if (refused.kind === "running") throw new Error("it started on a full disk");
    expect([1, 69]).toContain(refused.exit.code);
    expect(refused.process.stderr()).not.toMatch(/\n\s+at /);
    expect(refused.process.stderr()).toContain(disk.path);
    disk.free();
    const kurisu = await story.start();
    story.say("在吗");
    await story.hear("嗯，我在听。");
    expect((await kurisu.stop()).code).toBe(0);
  },
);
