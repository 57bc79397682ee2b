/*
 * Messages that the process dies of, beside others that it must not be blamed on: the real program, killed from outside or
 * by what it reads (tests/support/kurisu-process/trap-texts.mjs).
 */
import { randomInt } from "node:crypto";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { findSendWindow } from "../support/kurisu-process/check-outcome.ts";
import { lastWords } from "../support/kurisu-process/scripted-model.ts";
import { lookIntoStore } from "../support/kurisu-process/look-into-store.ts";
import { startTelegramStory, type TelegramStory } from "../support/kurisu-process/telegram-story.ts";
import { testLimitMs } from "../support/patience.ts";
import { postgresIsThere } from "../support/postgres.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";
import { listEngines } from "../support/store-engines.ts";
import { waitUntil } from "../support/wait-until.ts";

const full = process.env["KURISU_TEST_FULL"] === "1";
const preload = join(import.meta.dirname, "../support/kurisu-process/trap-texts.mjs");
const people = [101, 102, 103, 104, 105, 106];
const channels = (stall = "") => ({
  "system/channels.yaml": `telegram: { allow: [${people.join(", ")}] }\nlimits: { messages: { person: 1000, all: 10000 }${stall} }\n`,
});
const aside = /^.*一碰就死机.*$/s;
const failed = /这次没做成|一碰就死机/;

function echo(delayMs: () => number) {
  return async (request: Parameters<typeof lastWords>[0]) => {
    await pause(delayMs());
    return { content: `听到了：${lastWords(request)}` };
  };
}

/** Starts again whenever it has died, until everything is answered. Answers how often it died. */
async function startUntilQuiet(
  story: TelegramStory,
  environment: Readonly<Record<string, string>>,
  onDeath: () => Promise<void> = async () => undefined,
): Promise<number> {
  for (let deaths = 0; deaths < 12; deaths += 1) {
    const started = await story.tryStart({ preload, environment });
    if (started.kind === "running") {
      const { kurisu } = started;
      const quiet = story.quiet().then(() => "quiet" as const);
      quiet.catch(() => undefined);
      if ((await Promise.race([quiet, kurisu.ended(60_000)])) === "quiet") {
        await kurisu.stop();
        return deaths;
      }
    }
    await onDeath();
  }
  throw new Error("it dies again and again");
}

describe.each(full ? listEngines() : listEngines().slice(-1))("on %s", (engine) => {
  const size = full ? { each: 10, kills: 8 } : { each: 3, kills: 2 };

  test(
    "kill -9 again and again: every message is answered, and none is given up",
    { timeout: full ? 600_000 : 300_000 },
    async () => {
      const script = echo(() => randomInt(100, 1_200));
      const story = await startTelegramStory({ engine, files: channels(), script });
      const said = people.flatMap((chat) =>
        Array.from({ length: size.each }, (_, index) => ({ chat, text: `第${index}句，${chat}` })),
      );
      for (const { chat, text } of said) story.say(text, { chat, from: { id: chat } });
      for (let kill = 0; kill < size.kills; kill += 1) {
        const kurisu = await story.start();
        await pause(700);
        await kurisu.crash();
      }
      const last = await story.start();
      const done = () => lookIntoStore(story.folder, "select id from turns where outcome = 'replied'");
      await waitUntil("the answers", async () => (await done()).length === said.length, 180_000);
      await story.quiet();
      for (const { chat, text } of said) {
        expect(story.said(chat)).toContain(`听到了：${text}`);
        expect(story.said(chat).filter((words) => failed.test(words))).toEqual([]);
      }
      expect((await last.stop()).code).toBe(0);
    },
  );
});

test("one message of six that kills the process is put aside, with one notice; the others are answered", async () => {
  const story = await startTelegramStory({ files: channels(), script: echo(() => 100) });
  for (const chat of people) story.say(chat === 103 ? "说「崩溃词」" : `你好，${chat}`, { chat, from: { id: chat } });
  // She dies of her own reply.
  const traps = [{ word: "听到了：说「崩溃词」", in: "validate", act: "kill" }];
  const innocent = people.filter((chat) => chat !== 103);
  const replyTo = (chat: number): string => `听到了：你好，${chat}`;
  // A reply that was out when she died, and not written down yet, is sent again.
  const again = new Set<number>();
  const deaths = await startUntilQuiet(story, { TRAPS: JSON.stringify(traps) }, async () => {
    for (const chat of innocent) {
      const window = await findSendWindow(story, chat);
      if (story.said(chat).length > 0 && (window.has(replyTo(chat)) || window.has("*"))) again.add(chat);
    }
  });
  // At the first it may have company; then it is alone.
  expect([5, 6]).toContain(deaths);
  const once = innocent.filter((chat) => !again.has(chat));
  expect(once.map((chat) => story.said(chat))).toEqual(once.map((chat) => [replyTo(chat)]));
  for (const chat of again) expect([[replyTo(chat)], [replyTo(chat), replyTo(chat)]]).toContainEqual(story.said(chat));
  expect(story.said(103)).toEqual([expect.stringMatching(aside)]);
  const audit = await lookIntoStore(story.folder, "select detail from audit where detail like '%PUT_ASIDE%'");
  expect(audit).toHaveLength(1);
});

test("a message that hangs the process is put aside, so is a reply, and a stall that ends is seen in /readyz", async () => {
  const files = channels(", stall: { after: 1s, end: 6s }");
  const story = await startTelegramStory({ files, script: echo(() => 0) });
  const traps = [
    { word: "慢词", in: "dispatch.ts", act: "hang 1800" },
    { word: "卡死词", in: "dispatch.ts", act: "hang" },
    { word: "听到了：卡住", in: "outbox.ts", act: "hang" },
  ];
  const environment = { TRAPS: JSON.stringify(traps) };
  const first = await story.start({ preload, environment });
  const mark = join(story.folder.home, "stalled.json");

  story.say("慢词", { chat: 101, from: { id: 101 } });
  await story.hear("听到了：慢词", { chat: 101 });
  // Up to half a second after the reply: so often the watchdog looks.
  const goesOn = /"msg":"the event loop goes on after a stall"/;
  await waitUntil("the end of the stall", () => goesOn.test(first.stderr()));
  const ready = await fetch(`${first.url}/readyz`);
  const body = (await ready.json()) as Record<string, { readonly state: string; readonly detail: string }>;
  expect(ready.status).toBe(200);
  expect(body["event loop"]).toMatchObject({
    state: "degraded",
    detail: expect.stringMatching(/^stalled for [1-9]\.\d s, at work on inbox:telegram:/),
  });
  await waitUntil("the end of the mark", () => !existsSync(mark));

  story.say("卡死词", { chat: 102, from: { id: 102 } });
  await waitUntil("the hang", () => /"for":"inbox:[^"]*1001"[^\n]*is stalled/.test(first.stderr()));
  story.say("还在吗", { chat: 103, from: { id: 103 } });
  expect(statSync(mark).mode & 0o777).toBe(0o600);
  expect((await first.ended()).signal).toBe("SIGKILL");
  expect(first.stderr()).toContain("我卡死了");

  // A machine with much to do may keep a start waiting as long. And a stall is told once: one of a busy machine just before
  // the next hang would be told in its place, so only long ones count.
  const patient = channels(", stall: { after: 4s }");
  story.folder.configure("system/channels.yaml", patient["system/channels.yaml"]);
  const second = await story.start({ preload, environment });
  await story.hear(aside, { chat: 102 });
  await story.hear("听到了：还在吗", { chat: 103 });
  await story.quiet();
  expect(story.said(102)).toHaveLength(1);

  // The first answers have loaded everything by now, so nothing else stalls the process for so long.
  story.say("卡住", { chat: 101, from: { id: 101 } });
  await waitUntil("the hang", () => /"atWork":\[[^\]]*"outbox:[^\n]*is stalled/.test(second.stderr()));
  // The watchdog says it before it has written down whose work it was; a kill in between condemns nobody.
  await waitUntil("the name in the mark", () => readFileSync(mark, "utf8").includes('"named":"outbox:'));
  await second.crash();
  const third = await story.start({ preload, environment });
  await story.hear(aside, { chat: 101 });
  story.say("那这个呢", { chat: 101, from: { id: 101 } });
  await story.hear("听到了：那这个呢", { chat: 101 });
  expect((await third.stop()).code).toBe(0);
});

test.runIf(postgresIsThere())(
  "a message that hangs its gateway is put aside while a worker goes on, and the next gateway sends the rest",
  { timeout: 2 * testLimitMs },
  async () => {
    const files = channels(", stall: { after: 1s, end: 6s }");
    const story = await startTelegramStory({ engine: "postgres", files, script: echo(() => 0) });
    const traps = [{ word: "听到了：卡住", in: "outbox.ts", act: "hang" }];
    const at = async () => ({ KURISU_HOME: await createTemporaryFolder(), TRAPS: JSON.stringify(traps) });
    const home = await at();
    const worker = await story.start({ role: "worker", environment: await at() });
    const gateway = await story.start({ role: "gateway", environment: home, preload });
    story.say("说卡住", { chat: 101, from: { id: 101 } });
    story.say("卡住", { chat: 102, from: { id: 102 } });
    expect((await gateway.ended(60_000)).code).not.toBe(0);
    const second = await story.start({ role: "gateway", environment: home, preload });
    await story.hear(aside, { chat: 102 });
    story.say("还在吗", { chat: 102, from: { id: 102 } });
    await story.hear("听到了：还在吗", { chat: 102 });
    await story.quiet();
    expect(story.said(102)).not.toContain("听到了：卡住");
    // It may have been out, and not written down, when the gateway hung.
    expect(new Set(story.said(101))).toEqual(new Set(["听到了：说卡住"]));
    for (const node of [second, worker]) expect((await node.stop()).code).toBe(0);
  },
);
