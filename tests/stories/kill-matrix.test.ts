/*
 * The whole story (message, question, yes, run, reply) on Telegram, killed with SIGKILL right before or after each durable
 * write (on Postgres also while one is on its way), then started again and brought to its end. What counts is what happened
 * outside: the lines the command appended and the messages in the chat. Each course comes on one engine of the store, and
 * the seed says which; KURISU_TEST_FULL=1 takes every point on both, KURISU_TEST_SEED repeats a sample.
 */
import { randomInt } from "node:crypto";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createSemaphore } from "../../src/core/semaphore.ts";
import { sampleEngines, type EngineName } from "../support/store-engines.ts";
import { dockerIsThere } from "../support/docker.ts";
import { checkOutcome, findSendWindow } from "../support/kurisu-process/check-outcome.ts";
import { driveToEnd, type SayYes } from "../support/kurisu-process/drive-to-end.ts";
import {
  killMoments,
  killPreload,
  listKillPoints,
  readKill,
  sample,
  type KillPoint,
} from "../support/kurisu-process/kill-points.ts";
import { besideOthers, type KeepUntil } from "../support/keep-until.ts";
import { callTools, lastWords, resultsOfThisTurn, type ModelScript } from "../support/kurisu-process/scripted-model.ts";
import { owner, startTelegramStory, type TelegramStory } from "../support/kurisu-process/telegram-story.ts";

const places = createSemaphore(2);
const full = process.env["KURISU_TEST_FULL"] === "1";
const seed = Number(process.env["KURISU_TEST_SEED"] ?? randomInt(1_000_000));

interface Scenario {
  readonly name: string;
  readonly chat: number;
  readonly files: Readonly<Record<string, string>>;
  readonly tell: (story: TelegramStory) => void;
  readonly sayYes: SayYes;
  /** What the model says where it does not just obey. */
  readonly script?: ModelScript;
  /** Points of a sample. */
  readonly points: number;
}

const group = -100_777;
const wish = "运行 echo ran >> effect.txt; ls -la";

const scenarios: readonly Scenario[] = [
  {
    name: "「确认」 in private",
    chat: owner,
    files: {},
    tell: (story) => story.say(wish),
    sayYes: (story, { code }, before) => story.say(before === 0 ? "确认" : `确认 ${code}`),
    points: 2,
  },
  {
    name: "the button in a group",
    chat: group,
    files: { "system/channels.yaml": `telegram: { groups: ["${group}"] }\n` },
    tell: (story) => story.say(`@kurisu_test_bot ${wish}`, { chat: group, from: { id: owner } }),
    sayYes(story) {
      const card = story.fake.botMessages(group).findLast(({ keyboard }) => keyboard.length > 0);
      if (card !== undefined) {
        story.fake.press({ chat: group, messageId: card.messageId, button: "确认", from: { id: owner } });
      }
    },
    points: 1,
  },
  {
    name: "a sub-agent's command",
    chat: owner,
    files: {},
    tell: (story) => story.say("派人去"),
    sayYes: (story, { code }, before) => story.say(before === 0 ? "确认" : `确认 ${code}`),
    // The sub-agent obeys its task as she obeys people, and she says of its report what she says of any result.
    script: (request) =>
      lastWords(request) === "派人去" && resultsOfThisTurn(request).length === 0
        ? callTools({ name: "task", arguments: { description: wish } })
        : undefined,
    points: 1,
  },
];

interface Course extends Scenario {
  readonly engine: EngineName;
}

const courses: readonly Course[] = scenarios.flatMap((scenario, index) =>
  sampleEngines(seed + index).map((engine) => ({ ...scenario, engine })),
);

describe.runIf(dockerIsThere())("kill -9 at any durable write", () => {
  test.concurrent.for(courses)(
    "$name on $engine: nothing is lost, nothing runs twice",
    { timeout: full ? 3_600_000 : 400_000 },
    besideOthers(async ({ expect }, { engine, ...scenario }: Course) => {
      using _ = await takePlace();
      const all = await countPoints(scenario, engine);
      const points = full ? all : sample(all, scenario.points, seed);
      console.info(`kill matrix on ${engine}: ${points.length} of ${all.length} points, KURISU_TEST_SEED=${seed}`);
      const failures: string[] = [];
      for (const point of points) failures.push(...(await tryPoint(scenario, engine, point)));
      expect(failures, `KURISU_TEST_SEED=${seed}`).toEqual([]);
    }),
  );
});

/** Two courses at a time: one starts its program while the other waits for a container. */
async function takePlace(): Promise<Disposable> {
  const release = await places.acquire(new AbortController().signal);
  return { [Symbol.dispose]: () => release?.() };
}

function tellStory({ files, script }: Scenario, engine: EngineName, keep: KeepUntil): Promise<TelegramStory> {
  return startTelegramStory({ engine, files, keep, ...(script && { script }) });
}

/** The run without a kill: how many durable writes there are. */
async function countPoints(scenario: Scenario, engine: EngineName): Promise<readonly KillPoint[]> {
  await using stack = new AsyncDisposableStack();
  const story = await tellStory(scenario, engine, (end) => stack.defer(end));
  const log = join(story.folder.config, "kills.log");
  const kurisu = await story.start({ preload: killPreload, environment: { KILL_LOG: log } });
  scenario.tell(story);
  expect(await driveToEnd(story, kurisu, scenario.sayYes, { count: 0 })).toBe("rest");
  expect((await kurisu.stop()).code).toBe(0);
  await checkOutcome(story, scenario.chat, new Set());
  return listKillPoints(log, killMoments[engine]);
}

/** Kills at one point, starts again, goes on to the end. Answers what went wrong. */
async function tryPoint(scenario: Scenario, engine: EngineName, point: KillPoint): Promise<readonly string[]> {
  await using stack = new AsyncDisposableStack();
  const story = await tellStory(scenario, engine, (end) => stack.defer(end));
  const log = join(story.folder.config, "kills.log");
  const said = { count: 0 };
  try {
    const first = await story.tryStart({ preload: killPreload, environment: { KILL_AT: point, KILL_LOG: log } });
    scenario.tell(story);
    if (first.kind === "running") {
      const end = await driveToEnd(story, first.kurisu, scenario.sayYes, said);
      // The counts of two runs differ by what the clock decides; a point may come after the end.
      if (end === "rest") first.kurisu.kill("SIGTERM");
      await first.kurisu.ended();
    }
    const window = await findSendWindow(story, scenario.chat);
    const second = await story.start();
    expect(await driveToEnd(story, second, scenario.sayYes, said)).toBe("rest");
    expect((await second.stop()).code).toBe(0);
    await checkOutcome(story, scenario.chat, window);
    return [];
  } catch (error) {
    return [`${point} (${readKill(log)}): ${String(error)}\nchat: ${JSON.stringify(story.said(scenario.chat))}`];
  }
}
