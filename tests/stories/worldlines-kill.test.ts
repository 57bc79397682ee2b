/*
 * A turn in which the model sends itself a D-Mail, then a person's /dmail and /worldline, killed with SIGKILL right before
 * or after each durable write, started again and brought to the end. The seed says on which engine;
 * KURISU_TEST_FULL=1 takes every point on both, KURISU_TEST_SEED repeats a sample.
 */
import { randomInt } from "node:crypto";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { ConversationMessage } from "../../src/core/conversation.ts";
import { describeRest, driveToEnd } from "../support/kurisu-process/drive-to-end.ts";
import {
  killMoments,
  killPreload,
  listKillPoints,
  readKill,
  sample,
  type KillPoint,
} from "../support/kurisu-process/kill-points.ts";
import { lookIntoStore } from "../support/kurisu-process/look-into-store.ts";
import { callTools, lastWords, resultsOfThisTurn, type ModelScript } from "../support/kurisu-process/scripted-model.ts";
import { startTelegramStory, type TelegramStory } from "../support/kurisu-process/telegram-story.ts";
import { sampleEngines, type EngineName } from "../support/store-engines.ts";

const full = process.env["KURISU_TEST_FULL"] === "1";
const seed = Number(process.env["KURISU_TEST_SEED"] ?? randomInt(1_000_000));
const points = 1;

const letter = "别再看钟了";
const said = ["几点了", "那算了", "/dmail 0 换个问题", "/worldline 1"];

/** Looks at the clock, then tells itself not to; answers everything else with what was said. */
const script: ModelScript = (request) => {
  const words = lastWords(request);
  if (JSON.stringify(request.messages.at(-1)).includes("A D-Mail of your own")) return { content: "好，不看了。" };
  if (words !== said[0]) return { content: `嗯，「${words}」。` };
  if (resultsOfThisTurn(request).length === 0) return callTools({ name: "time", arguments: {} });
  return callTools({ name: "dmail", arguments: { checkpoint: 0, message: letter } });
};

describe.each(sampleEngines(seed))("kill -9 around a D-Mail on %s", (engine) => {
  test("the past is changed once, and the message is answered", { timeout: full ? 3_600_000 : 300_000 }, async () => {
    const all = await countPoints(engine);
    const chosen = full ? all : sample(all, points, seed);
    console.info(`D-Mail kills on ${engine}: ${chosen.length} of ${all.length} points, KURISU_TEST_SEED=${seed}`);
    const failures: string[] = [];
    for (const point of chosen) failures.push(...(await tryPoint(engine, point)));
    expect(failures, `KURISU_TEST_SEED=${seed}`).toEqual([]);
  });
});

/** The run without a kill. */
async function countPoints(engine: EngineName): Promise<readonly KillPoint[]> {
  await using stack = new AsyncDisposableStack();
  const story = await startTelegramStory({ engine, script, keep: (end) => stack.defer(end) });
  const log = join(story.folder.config, "kills.log");
  const kurisu = await story.start({ preload: killPreload, environment: { KILL_LOG: log } });
  expect(await tellAll(story, kurisu, [...said])).toBe("rest");
  expect((await kurisu.stop()).code).toBe(0);
  await checkStory(story);
  return listKillPoints(log, killMoments[engine]);
}

async function tryPoint(engine: EngineName, point: KillPoint): Promise<readonly string[]> {
  await using stack = new AsyncDisposableStack();
  const story = await startTelegramStory({ engine, script, keep: (end) => stack.defer(end) });
  const log = join(story.folder.config, "kills.log");
  const left = [...said];
  try {
    const first = await story.tryStart({ preload: killPreload, environment: { KILL_AT: point, KILL_LOG: log } });
    if (first.kind === "running") {
      if ((await tellAll(story, first.kurisu, left)) === "rest") first.kurisu.kill("SIGTERM");
      await first.kurisu.ended();
    }
    const second = await story.start();
    expect(await tellAll(story, second, left)).toBe("rest");
    expect((await second.stop()).code).toBe(0);
    await checkStory(story);
    return [];
  } catch (error) {
    return [`${point} (${readKill(log)}): ${String(error)}\nchat: ${JSON.stringify(story.said())}`];
  }
}

/** Says what is left of it, each after the answer to the one before. */
async function tellAll(
  story: TelegramStory,
  kurisu: Parameters<typeof driveToEnd>[1],
  left: string[],
): Promise<"rest" | "gone"> {
  const nobodyAsks = () => {
    throw new Error("there is nothing to say yes to");
  };
  if (left.length < said.length && (await driveToEnd(story, kurisu, nobodyAsks, { count: 0 })) === "gone")
    return "gone";
  for (let next = left.shift(); next !== undefined; next = left.shift()) {
    story.say(next);
    if ((await driveToEnd(story, kurisu, nobodyAsks, { count: 0 })) === "gone") return "gone";
  }
  return "rest";
}

async function checkStory({ folder, said: heard }: TelegramStory): Promise<void> {
  expect(await describeRest(folder)).toEqual({ inbox: [], turns: [], questions: [], outbox: [], checkpoints: [] });
  // One message at the most may come twice: the one that was on its way.
  const texts = [...new Set(heard())];
  expect(texts).toHaveLength(5);
  expect(texts[0]).toBe("好，不看了。");
  expect(texts[1]).toBe("嗯，「那算了」。");
  expect(texts[2]).toContain("从第 0 点重新开始");
  expect(texts[3]).toBe("嗯，「换个问题」。");
  expect(texts[4]).toContain("现在是 α，上次停在第 1 点「那算了」");
  expect(heard().length).toBeLessThanOrEqual(6);

  const outcomes = await lookIntoStore(folder, "select outcome from turns");
  expect(outcomes).toEqual([{ outcome: "replied" }, { outcome: "replied" }, { outcome: "replied" }]);
  expect(await lookIntoStore(folder, "select number from branches order by number")).toEqual([
    { number: 1 },
    { number: 2 },
  ]);
  expect(await lookIntoStore(folder, "select branch from sessions")).toEqual([{ branch: "main" }]);
  const ledger = await lookIntoStore(folder, "select call, tool, state from tool_ledger order by call");
  expect(ledger).toEqual([
    { call: "1.1", tool: "time", state: "done" },
    { call: "2.1", tool: "dmail", state: "done" },
  ]);
  const rows = await lookIntoStore(folder, "select branch, content from messages order by branch, position");
  const kept = rows.map(({ branch, content }) => {
    const { role, text } = JSON.parse(String(content)) as ConversationMessage;
    return `${branch} ${role} ${role === "note" ? text.includes(letter) : text}`;
  });
  expect(kept).toEqual([
    "line-2 note false",
    "line-2 user 换个问题",
    "line-2 assistant 嗯，「换个问题」。",
    "main user 几点了",
    "main note true",
    "main assistant 好，不看了。",
    "main user 那算了",
    "main assistant 嗯，「那算了」。",
  ]);
}
