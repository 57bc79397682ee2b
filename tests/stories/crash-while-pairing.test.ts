import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { killPreload } from "../support/kurisu-process/kill-points.ts";
import type { RunningKurisu } from "../support/kurisu-process/start-kurisu.ts";
import { waitUntil } from "../support/wait-until.ts";
import { startTelegramStory, type TelegramStory } from "../support/kurisu-process/telegram-story.ts";

const full = process.env["KURISU_TEST_FULL"] === "1";
const stranger = 77;
const hinted = /配对码：([A-Z0-9]{4}-[A-Z0-9]{4})/;

/** The writes that a start without an owner has more than one with an owner. */
const storedCode = 1;

/** Durable writes of the main database so far. */
const countWrites = (log: string) =>
  readFileSync(log, "utf8")
    .split("\n")
    .filter((line) => line.startsWith("main:")).length;

interface Fragile {
  readonly story: TelegramStory;
  readonly kurisu: RunningKurisu;
  readonly ownerCode: string;
  readonly log: string;
}

/** A fresh installation that is killed right after one of its writes; 0 = never. */
async function startFragile(write: number, withOwner: boolean): Promise<Fragile> {
  const story = await startTelegramStory({ withOwner });
  const log = join(story.folder.config, "kills.log");
  const environment = { KILL_LOG: log, KILL_AT: `main:after:${write}` };
  const kurisu = await story.start({ preload: killPreload, environment });
  const onScreen = () => /配对码\s+([A-Z0-9]{4}-[A-Z0-9]{4})/.exec(kurisu.stdout())?.[1];
  if (!withOwner)
    await waitUntil("the start screen, or the kill", () => onScreen() !== undefined || kurisu.exit() !== undefined);
  return { story, kurisu, log, ownerCode: onScreen() ?? "" };
}

/** Says it, waits for the answer or the kill, and starts again without the killer. */
async function sayAndRestart({ story, kurisu }: Fragile, words: string): Promise<void> {
  story.say(words, { chat: stranger });
  await story.fake.waitFor(() => kurisu.exit() !== undefined || story.said(stranger).length > 0, "an end");
  if (kurisu.exit() === undefined) await kurisu.crash();
  await story.start();
}

test("a stranger hears their code and a new owner their welcome, wherever the process is killed", async () => {
  const trial = await startFragile(0, true);
  const before = countWrites(trial.log);
  trial.story.say("你好", { chat: stranger });
  await trial.story.hear(hinted, { chat: stranger });
  await trial.story.quiet();
  const writes = countWrites(trial.log) - before;
  expect(writes).toBeGreaterThan(1);

  for (let write = 1; write < writes; write += 1) {
    // Each write kills one of the two; KURISU_TEST_FULL=1 kills both at each.
    if (full || write % 2 === 1) await greet(before + write);
    if (full || write % 2 === 0) await pair(before + storedCode + write);
  }
});

async function greet(write: number): Promise<void> {
  const greeted = await startFragile(write, true);
  await sayAndRestart(greeted, "你好");
  await greeted.story.hear(hinted, { chat: stranger });
  await greeted.story.quiet();
  const codes = greeted.story.said(stranger).map((text) => hinted.exec(text)?.[1]);
  expect(new Set(codes).size, `codes told: ${codes.join()}`).toBe(1);
}

async function pair(write: number): Promise<void> {
  const paired = await startFragile(write, false);
  await sayAndRestart(paired, paired.ownerCode);
  // The next start has the same code, which is never talk for the model.
  await paired.story.hear(/从现在起你是管理员/, { chat: stranger });
  await paired.story.quiet();
  expect(paired.story.model.requests).toEqual([]);
}
