/*
 * `/stop all` while one turn is at work and two wait for a yes, killed with SIGKILL before, in the middle of and after the
 * sweep: either nothing has been stopped yet and the order comes again, or everything ends. Then the pause stays over
 * restarts, and `/resume` answers what people wrote meanwhile. A run takes two of the moments, each on one engine, and the
 * seed says which; KURISU_TEST_FULL=1 takes each on both, KURISU_TEST_SEED repeats a run.
 */
import { randomInt } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished, describe, expect, test } from "vitest";
import { dockerIsThere } from "../support/docker.ts";
import { describeRest } from "../support/kurisu-process/drive-to-end.ts";
import { killPreload, type KillPoint } from "../support/kurisu-process/kill-points.ts";
import { lookIntoStore, openQuestions } from "../support/kurisu-process/look-into-store.ts";
import { lastWords } from "../support/kurisu-process/scripted-model.ts";
import { owner, startTelegramStory, type TelegramStory } from "../support/kurisu-process/telegram-story.ts";
import { listEngines, type EngineName } from "../support/store-engines.ts";
import { waitUntil } from "../support/wait-until.ts";

const full = process.env["KURISU_TEST_FULL"] === "1";
const seed = Number(process.env["KURISU_TEST_SEED"] ?? randomInt(1_000_000));
const asking = -100_771;
const working = -100_772;

/** Durable writes of the main database after the order was given; undefined = killed when everything is over. */
const points: readonly { readonly moment: string; readonly point: KillPoint | undefined }[] = [
  { moment: "before it is taken in", point: "main:before:1" },
  { moment: "at the switch", point: "main:after:3" },
  { moment: "in the middle of the sweep", point: "main:after:6" },
  { moment: "after the sweep", point: undefined },
];

/** Those that come on this engine. */
const pointsOn = (engine: EngineName) =>
  full ? points : points.filter((_, index) => (index + seed) % points.length === listEngines().indexOf(engine));

const say = (story: TelegramStory, chat: number, words: string) =>
  story.say(`@kurisu_test_bot ${words}`, { chat, from: { id: owner } });

const livingTurns = async ({ folder }: TelegramStory) =>
  (await lookIntoStore(folder, "select id from turns where state <> 'ended'")).length;
const isPaused = async ({ folder }: TelegramStory) =>
  (await lookIntoStore(folder, "select id from pause")).length === 1;
const stops = ({ folder }: TelegramStory) =>
  lookIntoStore(folder, "select action from audit where action = 'pause.begun'");

/** Two commands wait for a yes, and a third turn waits for its model, which never answers it. */
async function beginMuch(engine: EngineName) {
  const thinking = Promise.withResolvers<void>();
  const end = Promise.withResolvers<undefined>();
  const story = await startTelegramStory({
    engine,
    files: { "system/channels.yaml": `telegram: { groups: ["${asking}", "${working}"] }\n` },
    script(request) {
      if (!lastWords(request).includes("慢慢想")) return undefined;
      thinking.resolve();
      return end.promise;
    },
  });
  onTestFinished(() => end.resolve(undefined));
  const armed = join(story.folder.config, "armed");
  const start = async (point: KillPoint | undefined) => {
    const environment = { KILL_ARMED: armed, KILL_LOG: join(story.folder.config, "kills.log") };
    const kurisu = await story.start(
      point === undefined ? {} : { preload: killPreload, environment: { ...environment, KILL_AT: point } },
    );
    story.say("运行 echo ran >> effect.txt");
    say(story, asking, "运行 echo ran >> effect.txt");
    say(story, working, "慢慢想");
    const codes = [(await story.hearQuestion()).code, (await story.hearQuestion(asking)).code];
    await thinking.promise;
    return { kurisu, codes };
  };
  return { story, start, arm: () => writeFileSync(armed, "") };
}

describe.runIf(dockerIsThere()).each(listEngines())("/stop all over a kill -9, on %s", (engine) => {
  test.each(pointsOn(engine))("$moment: all of it or nothing of it, and it lasts", async ({ point }) => {
    console.info(`stop all on ${engine}: KURISU_TEST_SEED=${seed}`);
    const { story, start, arm } = await beginMuch(engine);
    const { kurisu, codes } = await start(point);
    expect(await livingTurns(story)).toBe(3);
    arm();
    story.say("/stop all");
    if (point === undefined) {
      await story.hear(/全部停下/);
      await waitUntil("the end of the sweep", async () => (await livingTurns(story)) === 0);
      await kurisu.crash();
    } else await kurisu.ended();
    const untouched = [
      await isPaused(story),
      await livingTurns(story),
      (await openQuestions(story.folder)).length,
      (await stops(story)).length,
    ];
    const isWhole = untouched[0] === true || untouched.join() === "false,3,2,0";
    expect(isWhole, `nothing has ended before the switch: ${untouched.join()}`).toBe(true);

    const second = await story.start();
    await waitUntil("the end of all of it", async () => (await isPaused(story)) && (await livingTurns(story)) === 0);
    if (point !== undefined) await story.hear(/全部停下/);
    expect(await openQuestions(story.folder)).toEqual([]);
    expect(await stops(story)).toHaveLength(1);
    await story.hear(/总开关.*作废，没有执行/, { chat: asking });
    await story.hear(/总开关.*停下了/, { chat: working });
    story.say(`确认 ${codes[0] ?? ""}`);
    await story.hear(/确认也不会执行任何东西/);
    say(story, asking, `确认 ${codes[1] ?? ""}`);
    await story.hear(/确认也不会执行任何东西/, { chat: asking });
    say(story, asking, "在吗");
    await story.hear(/我先收着/, { chat: asking });

    await second.crash();
    const asked = story.model.requests.length;
    const third = await story.start();
    story.say("/status");
    await story.hear(/总开关：全部暂停/);
    expect(story.model.requests).toHaveLength(asked);
    story.say("/resume");
    await story.hear("恢复了。收着的 1 条消息现在开始回。");
    await story.hear("嗯，我在听。", { chat: asking });
    await story.quiet();
    expect(story.folder.workspaceLines("effect.txt"), "nothing that was stopped is begun again").toEqual([]);
    expect((await third.stop()).code).toBe(0);
    expect(await describeRest(story.folder)).toEqual({
      inbox: [],
      turns: [],
      questions: [],
      outbox: [],
      checkpoints: [],
    });
  });
});
