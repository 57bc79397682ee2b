import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { dockerIsThere } from "../support/docker.ts";
import { describeRest } from "../support/kurisu-process/drive-to-end.ts";
import { lastWords } from "../support/kurisu-process/scripted-model.ts";
import { shareTelegramStory } from "../support/kurisu-process/share-telegram-story.ts";
import { startTelegramStory } from "../support/kurisu-process/telegram-story.ts";

const full = process.env["KURISU_TEST_FULL"] === "1";

describe("SIGTERM", () => {
  const begin = shareTelegramStory();
  /** What is left to be done, of all chapters. */
  const nothingLeft = { inbox: [], turns: [], questions: [], outbox: [], checkpoints: [] };

  test("work that has begun comes to its end, and later work waits for the next start", async () => {
    const thinking = Promise.withResolvers<void>();
    const story = begin(async (request) => {
      if (!lastWords(request).startsWith("想")) return undefined;
      thinking.resolve();
      await pause(1_500);
      return { content: "想好了。" };
    });
    story.say("想一想");
    await thinking.promise;
    const ended = story.kurisu.stop();
    await pause(300);
    story.say("这句晚了");
    expect(await ended).toEqual({ code: 0, signal: null });
    expect(story.said()).toEqual(["想好了。"]);
    expect(await describeRest(story.folder)).toEqual(nothingLeft);
    expect(
      story.fake
        .pendingUpdates()
        .map((update) => JSON.stringify(update))
        .join(),
    ).toContain("这句晚了");
    await story.start();
    await story.hear("嗯，我在听。");
    await story.quiet();
    expect(story.said()).toEqual(["想好了。", "嗯，我在听。"]);
  });

  test("a second signal ends the process at once, and the next start resumes the running turn", async () => {
    const thinking = Promise.withResolvers<void>();
    const story = begin(async (request) => {
      if (!lastWords(request).startsWith("想") || story.model.requests.length > 1) return undefined;
      thinking.resolve();
      await pause(4_000);
      return { content: "想好了。" };
    });
    const { kurisu } = story;
    story.say("想一想");
    await thinking.promise;
    kurisu.kill("SIGTERM");
    await pause(300);
    kurisu.kill("SIGTERM");
    expect(await kurisu.ended(3_000)).toEqual({ code: 1, signal: null });
    await story.start();
    await story.hear("嗯，我在听。");
    await story.quiet();
    expect(story.said()).toEqual(["嗯，我在听。"]);
  });

  test.runIf(dockerIsThere())("a running command ends and is reported, and an open question stays open", async () => {
    const story = begin();
    story.say("运行 echo one >> effect.txt; sleep 2; echo two >> effect.txt");
    const first = await story.hearQuestion();
    story.say("运行 echo three >> effect.txt");
    const second = await story.hearQuestion();
    story.say(`确认 ${first.code}`);
    await story.fake.waitFor(() => story.folder.workspaceLines("effect.txt").length === 1, "the command at work");
    expect(await story.kurisu.stop()).toEqual({ code: 0, signal: null });
    expect(story.folder.workspaceLines("effect.txt")).toEqual(["one", "two"]);
    await story.hear("好了，我看过结果了。");
    const rest = await describeRest(story.folder);
    expect({ ...rest, questions: rest.questions.length, turns: rest.turns.length }).toMatchObject({
      questions: 1,
      turns: 1,
      inbox: [],
      outbox: [],
    });
    await story.start();
    story.say(`确认 ${second.code}`);
    await story.hear("好了，我看过结果了。");
    expect(story.folder.workspaceLines("effect.txt")).toEqual(["one", "two", "three"]);
  });
});

/** It takes as long as the grace does. */
test.each(full ? [40_000] : [])(
  "a model that is silent for %i ms does not hold it; the turn goes on at the next start",
  async (silence) => {
    const thinking = Promise.withResolvers<void>();
    const story = await startTelegramStory({
      async script() {
        if (story.model.requests.length > 1) return undefined;
        thinking.resolve();
        await pause(silence);
        return { content: "太晚了。" };
      },
    });
    const kurisu = await story.start();
    story.say("在吗");
    await thinking.promise;
    expect(await kurisu.stop(35_000)).toEqual({ code: 0, signal: null });
    expect(story.said()).toEqual([]);
    await story.start();
    await story.hear("嗯，我在听。");
  },
);
