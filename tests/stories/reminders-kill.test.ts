/*
 * A reminder and a scheduled task came due while nothing ran. The process is killed with SIGKILL around one of the writes that
 * follow its start, and started again: each of them comes once. The seed says on which engine;
 * KURISU_TEST_FULL=1 takes every point on both, KURISU_TEST_SEED repeats a sample.
 */
import { randomInt } from "node:crypto";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { insertReminder } from "../../src/features/reminders/queries/reminders.ts";
import { ensureSession } from "../../src/store/queries/sessions.ts";
import { openStore } from "../support/open-store.ts";
import { findSendWindow } from "../support/kurisu-process/check-outcome.ts";
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
import { owner, startTelegramStory, type TelegramStory } from "../support/kurisu-process/telegram-story.ts";
import { sampleEngines, type EngineName } from "../support/store-engines.ts";

const full = process.env["KURISU_TEST_FULL"] === "1";
const seed = Number(process.env["KURISU_TEST_SEED"] ?? randomInt(1_000_000));
const points = 1;
/** Points tried beside each other. */
const atOnce = 2;
const hourMs = 3_600_000;
const nobodyAsks = (): never => {
  throw new Error("there is nothing to say yes to");
};

describe.each(sampleEngines(seed))("on %s", (engine) => {
  test(
    "kill -9 while what was missed is told: each comes once, and says how late it is",
    { timeout: full ? 3_600_000 : 120_000 },
    async () => {
      const all = await countPoints(engine);
      const chosen = full ? all : sample(all, points, seed);
      console.info(`kills around reminders: ${chosen.length} of ${all.length} points, KURISU_TEST_SEED=${seed}`);
      const failures: string[] = [];
      for (let at = 0; at < chosen.length; at += atOnce) {
        const tried = chosen.slice(at, at + atOnce).map((point) => tryPoint(engine, point));
        failures.push(...(await Promise.all(tried)).flat());
      }
      expect(failures, `KURISU_TEST_SEED=${seed}`).toEqual([]);
    },
  );
});

/** The database of an installation that was down for three hours. */
async function begin(stack: AsyncDisposableStack, engine: EngineName): Promise<TelegramStory> {
  const keep = (end: () => unknown) => stack.defer(async () => void (await end()));
  const story = await startTelegramStory({ engine, keep, script: () => ({ content: "今天晴。" }) });
  const store = await openStore(story.folder);
  // The platform knows the chat from what was said there.
  story.say("/quiet off");
  const account = String(story.fake.botId);
  const session = `telegram:${account}:${owner}`;
  const now = Date.now();
  const place = { platform: "telegram", account, chat: String(owner), thread: null };
  await ensureSession(store.main, { id: session, ...place, chatKind: "private", language: "zh", now });
  const due = now - 3 * hourMs - 60_000;
  const common = { person: `telegram:${owner}`, name: "冈部", session, zone: "UTC", language: "zh", now: due } as const;
  const clean = { taint: "owner", sources: [], nextDue: due } as const;
  await insertReminder(store.main, {
    ...common,
    ...clean,
    id: "pill",
    text: "吃药",
    task: false,
    schedule: { kind: "once", at: due },
  });
  await insertReminder(store.main, {
    ...common,
    ...clean,
    id: "weather",
    text: "查一下天气",
    task: true,
    schedule: { kind: "every", everyMs: hourMs, from: due },
  });
  await store.close();
  return story;
}

/** The run without a kill. */
async function countPoints(engine: EngineName): Promise<readonly KillPoint[]> {
  await using stack = new AsyncDisposableStack();
  const story = await begin(stack, engine);
  const log = join(story.folder.config, "kills.log");
  const kurisu = await story.start({ preload: killPreload, environment: { KILL_LOG: log } });
  expect(await driveToEnd(story, kurisu, nobodyAsks, { count: 0 })).toBe("rest");
  expect((await kurisu.stop()).code).toBe(0);
  await checkStory(story, new Set());
  return listKillPoints(log, killMoments[engine]);
}

async function tryPoint(engine: EngineName, point: KillPoint): Promise<readonly string[]> {
  await using stack = new AsyncDisposableStack();
  const story = await begin(stack, engine);
  const log = join(story.folder.config, "kills.log");
  try {
    const first = await story.tryStart({
      preload: killPreload,
      environment: { KILL_AT: point, KILL_LOG: log },
    });
    if (first.kind === "running") {
      // The counts of two runs differ by what the clock decides; a point may come after the end.
      if ((await driveToEnd(story, first.kurisu, nobodyAsks, { count: 0 })) === "rest") first.kurisu.kill("SIGTERM");
      await first.kurisu.ended();
    }
    const window = await findSendWindow(story, owner);
    const second = await story.start();
    expect(await driveToEnd(story, second, nobodyAsks, { count: 0 })).toBe("rest");
    expect((await second.stop()).code).toBe(0);
    await checkStory(story, window);
    return [];
  } catch (error) {
    return [`${point} (${readKill(log)}): ${String(error)}\n${JSON.stringify(story.said())}`];
  }
}

/** `window`: texts that were out at the kill and not written down. Only these may come twice. */
async function checkStory(story: TelegramStory, window: ReadonlySet<string>): Promise<void> {
  expect(await describeRest(story.folder)).toEqual({
    inbox: [],
    turns: [],
    questions: [],
    outbox: [],
    checkpoints: [],
  });
  const said = story.said();
  const copies = (fits: RegExp) => said.filter((text) => fits.test(text));
  for (const fits of [
    /^.*(?:到点|时间).*：吃药\n（本来是 .+ 的，我这边停了 3 小时 1 分钟。）$/,
    /^定时任务现在才开始：查一下天气\n（本来是 .+ 的，我这边停了 3 小时 1 分钟，后面还有 3 次也过了，不一一补。）$/,
    /^今天晴。$/,
  ]) {
    const heard = copies(fits);
    const mayRepeat = heard.some((text) => window.has(text)) || window.has("*");
    expect(heard.length, `${fits}: ${JSON.stringify(said)}`).toBeGreaterThanOrEqual(1);
    expect(heard.length, `${fits}: ${JSON.stringify(said)}`).toBeLessThanOrEqual(mayRepeat ? 2 : 1);
  }
  expect(await lookIntoStore(story.folder, "select id, state from reminders order by id")).toEqual([
    { id: "pill", state: "done" },
    { id: "weather", state: "active" },
  ]);
  const fired = "select count(*) as count from inbox where kind = 'reminder'";
  expect(Number((await lookIntoStore(story.folder, fired))[0]?.["count"])).toBe(2);
  expect(await lookIntoStore(story.folder, "select outcome from turns")).toEqual([{ outcome: "replied" }]);
}
