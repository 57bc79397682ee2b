/*
 * Several chats are answered at once, so on SQLite their writes share COMMITs. The process is killed with SIGKILL right before
 * one of these, or after it and before anybody is answered; then started again. KURISU_TEST_FULL=1 takes every point,
 * KURISU_TEST_SEED repeats a sample.
 */
import { randomInt } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findSendWindow } from "../support/kurisu-process/check-outcome.ts";
import { describeRest, driveToEnd } from "../support/kurisu-process/drive-to-end.ts";
import {
  killPreload,
  listKillPoints,
  readKill,
  sample,
  type KillPoint,
} from "../support/kurisu-process/kill-points.ts";
import { lookIntoStore } from "../support/kurisu-process/look-into-store.ts";
import { lastWords } from "../support/kurisu-process/scripted-model.ts";
import { owner, startTelegramStory, type TelegramStory } from "../support/kurisu-process/telegram-story.ts";

const full = process.env["KURISU_TEST_FULL"] === "1";
const seed = Number(process.env["KURISU_TEST_SEED"] ?? randomInt(1_000_000));
const points = 1;

const chats = [-100_1, -100_2, -100_3, -100_4, -100_5, -100_6];
const files = {
  "system/channels.yaml": `telegram: { groups: ["*"] }\nlimits: { turns: { person: 16 } }\n`,
};
const nobodyAsks = (): never => {
  throw new Error("there is nothing to say yes to");
};

test(
  "kill -9 around a COMMIT that several chats share: nothing is lost, doubled or out of order",
  { timeout: full ? 3_600_000 : 300_000 },
  async () => {
    const all = await countPoints();
    const chosen = full ? all : sample(all, points, seed);
    console.info(`kills in a group: ${chosen.length} of ${all.length} points, KURISU_TEST_SEED=${seed}`);
    const failures: string[] = [];
    for (const point of chosen) failures.push(...(await tryPoint(point)));
    expect(failures, `KURISU_TEST_SEED=${seed}`).toEqual([]);
  },
);

function begin(stack: AsyncDisposableStack): Promise<TelegramStory> {
  return startTelegramStory({
    files,
    keep: (end) => stack.defer(end),
    script: (request) => ({ content: `嗯，「${lastWords(request).at(-1)}」。` }),
  });
}

/** Two messages in each chat, all at once. Counting begins with them. */
function tell(story: TelegramStory, armed: string): void {
  writeFileSync(armed, "");
  for (const what of ["一", "二"]) {
    for (const chat of chats) story.say(`@kurisu_test_bot ${what}`, { chat, from: { id: owner } });
  }
}

/** The run without a kill. */
async function countPoints(): Promise<readonly KillPoint[]> {
  await using stack = new AsyncDisposableStack();
  const story = await begin(stack);
  const [log, armed] = [join(story.folder.config, "kills.log"), join(story.folder.config, "armed")];
  const kurisu = await story.start({
    preload: killPreload,
    environment: { KILL_LOG: log, KILL_ARMED: armed },
  });
  tell(story, armed);
  expect(await driveToEnd(story, kurisu, nobodyAsks, { count: 0 })).toBe("rest");
  expect((await kurisu.stop()).code).toBe(0);
  const found = listKillPoints(log, ["before", "after"]);
  // Four for each message if nobody shared: accepted, begun, ended, sent.
  expect(found.length / 2).toBeLessThan(4 * 2 * chats.length);
  await checkStory(story, new Map());
  return found;
}

async function tryPoint(point: KillPoint): Promise<readonly string[]> {
  await using stack = new AsyncDisposableStack();
  const story = await begin(stack);
  const [log, armed] = [join(story.folder.config, "kills.log"), join(story.folder.config, "armed")];
  try {
    const first = await story.start({
      preload: killPreload,
      environment: { KILL_AT: point, KILL_LOG: log, KILL_ARMED: armed },
    });
    tell(story, armed);
    // The counts of two runs differ by what the clock decides; a point may come after the end.
    if ((await driveToEnd(story, first, nobodyAsks, { count: 0 })) === "rest") first.kill("SIGTERM");
    await first.ended();
    const windows = new Map<number, ReadonlySet<string>>();
    for (const chat of chats) windows.set(chat, await findSendWindow(story, chat));
    const second = await story.start();
    expect(await driveToEnd(story, second, nobodyAsks, { count: 0 })).toBe("rest");
    expect((await second.stop()).code).toBe(0);
    await checkStory(story, windows);
    return [];
  } catch (error) {
    return [`${point} (${readKill(log)}): ${String(error)}\n${JSON.stringify(chats.map((chat) => story.said(chat)))}`];
  }
}

/** `windows`: by chat, the texts that were out at the kill and not written down. Only these may come twice. */
async function checkStory(story: TelegramStory, windows: ReadonlyMap<number, ReadonlySet<string>>): Promise<void> {
  expect(await describeRest(story.folder)).toEqual({
    inbox: [],
    turns: [],
    questions: [],
    outbox: [],
    checkpoints: [],
  });
  for (const chat of chats) {
    const heard = story.said(chat);
    const window = windows.get(chat) ?? new Set();
    const mayRepeat = (text: string): boolean => window.has(text) || window.has("*");
    const once = heard.filter((text, index) => text !== heard[index - 1] || !mayRepeat(text));
    expect(once).toEqual(["嗯，「一」。", "嗯，「二」。"]);
    expect(heard.length).toBeLessThanOrEqual(window.size > 0 ? 3 : 2);
  }
  const outcomes = await lookIntoStore(story.folder, "select outcome, count(*) as turns from turns group by outcome");
  expect(outcomes).toEqual([{ outcome: "replied", turns: 2 * chats.length }]);
  const rows = await lookIntoStore(
    story.folder,
    "select session, group_concat(role || json_extract(content, '$.text'), ' ') as said from (select * from messages order by position) group by session",
  );
  expect(rows).toHaveLength(chats.length);
  const conversation = /^user\S*\s?一 assistant嗯，「一」。 user\S*\s?二 assistant嗯，「二」。$/;
  for (const { said } of rows) expect(said).toMatch(conversation);
  const log = await lookIntoStore(
    story.folder,
    "select chat, group_concat(role || text, ' ') as said from (select * from log_messages order by role, place) group by chat",
  );
  expect(log).toHaveLength(chats.length);
  for (const { said } of log) expect(said).toMatch(/^her嗯，「一」。 her嗯，「二」。 person\S*\s?一 person\S*\s?二$/);
  const indexed = await lookIntoStore(
    story.folder,
    "select count(*) as found from log_search where log_search match '\"嗯\" *'",
  );
  expect(indexed).toEqual([{ found: 2 * chats.length }]);
}
