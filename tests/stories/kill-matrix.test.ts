/*
 * The whole story (message, question, 「确认」, run, reply) on Telegram, killed with SIGKILL right before or right after each
 * durable write, then started again and brought to its end. What counts is what happened outside: the lines the command
 * appended and the messages in the chat. KURISU_TEST_FULL=1 takes every point, KURISU_TEST_SEED repeats a sample.
 */
import { randomInt } from "node:crypto";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { dockerIsThere } from "../support/docker.ts";
import { describeRest, driveToEnd } from "../support/kurisu-process/drive-to-end.ts";
import { killPreload, listKillPoints, readKill, sample, type KillPoint } from "../support/kurisu-process/kill-points.ts";
import { lookIntoStore } from "../support/kurisu-process/look-into-store.ts";
import { startTelegramStory, type TelegramStory } from "../support/kurisu-process/telegram-story.ts";

const full = process.env["KURISU_TEST_FULL"] === "1";
const seed = Number(process.env["KURISU_TEST_SEED"] ?? randomInt(1_000_000));
const sampled = 10;

const done = "好了，我看过结果了。";
const unsure = /可能.*也可能/;

describe.runIf(dockerIsThere())("kill -9 at any durable write", () => {
  test("nothing is lost, nothing runs twice", { timeout: full ? 3_600_000 : 240_000 }, async () => {
    const all = await countPoints();
    const points = full ? all : sample(all, sampled, seed);
    console.info(`kill matrix: ${points.length} of ${all.length} points, KURISU_TEST_SEED=${seed}`);
    const failures: string[] = [];
    for (const point of points) {
      const outcome = await tryPoint(point);
      if (outcome !== "") failures.push(outcome);
    }
    expect(failures, `KURISU_TEST_SEED=${seed}`).toEqual([]);
  });
});

/** The run without a kill: how many durable writes there are. */
async function countPoints(): Promise<readonly KillPoint[]> {
  await using stack = new AsyncDisposableStack();
  const story = await startTelegramStory({ keep: (end) => stack.defer(end) });
  const log = join(story.folder.config, "kills.log");
  const kurisu = await story.start({ preload: killPreload, environment: { KILL_LOG: log } });
  tell(story);
  expect(await driveToEnd(story, kurisu, { count: 0 })).toBe("rest");
  expect((await kurisu.stop()).code).toBe(0);
  checkEffects(story, new Set());
  return listKillPoints(log);
}

/** Kills at one point, starts again, goes on to the end. Answers what went wrong, or "". */
async function tryPoint(point: KillPoint): Promise<string> {
  await using stack = new AsyncDisposableStack();
  const story = await startTelegramStory({ keep: (end) => stack.defer(end) });
  const log = join(story.folder.config, "kills.log");
  const answered = { count: 0 };
  try {
    const first = await story.tryStart({ preload: killPreload, environment: { KILL_AT: point, KILL_LOG: log } });
    tell(story);
    if (first.kind === "running") {
      const end = await driveToEnd(story, first.kurisu, answered);
      // The counts of two runs differ by what the clock decides; a point may come after the end.
      if (end === "rest") first.kurisu.kill("SIGTERM");
      await first.kurisu.ended();
    }
    const window = findSendWindow(story);
    const second = await story.start();
    expect(await driveToEnd(story, second, answered)).toBe("rest");
    expect((await second.stop()).code).toBe(0);
    checkEffects(story, window);
    return "";
  } catch (error) {
    return `${point} (${readKill(log)}): ${String(error)}\nchat: ${JSON.stringify(story.said())}`;
  }
}

function tell(story: TelegramStory): void {
  story.say("帮我看看 /workspace 里有什么，运行 echo ran >> effect.txt; ls -la");
}

/** Messages that are out but not written down as sent: these, and only these, may come twice. */
function findSendWindow({ folder, said }: TelegramStory): ReadonlySet<string> {
  const rows = lookIntoStore(folder.home, "select payload from outbox where state = 'pending' and sent_parts = '[]'");
  const waiting = rows.map((row) => markOf((JSON.parse(String(row["payload"])) as { text: string }).text));
  const out = new Set(said().map(markOf));
  return new Set(waiting.filter((mark) => out.has(mark)));
}

/** A card is known by its code, also after it has become its outcome; any other message by its text. */
function markOf(text: string): string {
  return /编号 [A-Z]+\d/.exec(text)?.[0] ?? text;
}

function checkEffects(story: TelegramStory, window: ReadonlySet<string>): void {
  const { folder, fake } = story;
  const effects = folder.workspaceLines("effect.txt").length;
  const said = story.said();
  const toldUnsure = said.some((text) => unsure.test(text));
  expect(effects, "executions").toBeLessThanOrEqual(1);
  if (effects === 0) expect(toldUnsure, "nothing ran, so the person must hear it").toBe(true);
  if (!toldUnsure) expect(effects, "approved and no doubt told").toBe(1);

  const first = [...fake.botMessages(4242)].map((message) => markOf(message.texts[0] ?? ""));
  for (const mark of new Set(first)) {
    const copies = first.filter((other) => other === mark).length;
    expect(copies, `copies of ${mark}`).toBeLessThanOrEqual(window.has(mark) ? 2 : 1);
  }
  const replies = new Set(said.filter((text) => text === done || unsure.test(text)));
  expect([...replies], "one terminal reply").toHaveLength(1);

  expect(describeRest(folder.home)).toEqual({ inbox: [], turns: [], questions: [], outbox: [], checkpoints: [] });
  const questions = lookIntoStore(folder.home, "select state, decision from questions");
  expect(questions).toEqual([{ state: "decided", decision: "approved" }]);
  const runs = lookIntoStore(folder.home, "select count(*) as runs from tool_ledger where tool = 'shell'");
  expect(runs).toEqual([{ runs: 1 }]);
}
