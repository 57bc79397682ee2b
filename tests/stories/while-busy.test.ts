import { expect, test } from "vitest";
import { describeRest } from "../support/kurisu-process/drive-to-end.ts";
import { callTools, lastWords, type ModelRequest, type ModelScript } from "../support/kurisu-process/scripted-model.ts";
import { lookIntoStore } from "../support/kurisu-process/look-into-store.ts";
import type { RunningKurisu } from "../support/kurisu-process/start-kurisu.ts";
import { startTelegramStory } from "../support/kurisu-process/telegram-story.ts";
import { waitUntil } from "../support/wait-until.ts";

const stored = "select id from inbox where payload like '%潮汐%'";
const nothing = { inbox: [], turns: [], questions: [], outbox: [], checkpoints: [] };

/** The words of the person since the answer before. */
function wordsOfTurn({ messages }: ModelRequest): readonly string[] {
  const begin = messages.findLastIndex(({ content }) => JSON.stringify(content).includes("</context>"));
  return messages
    .slice(begin)
    .filter(({ role }) => role === "user")
    .map((message) => lastWords({ messages: [message] } as ModelRequest));
}

/** Turns of two steps. `step` = their second request has come, or the first one with all words; it goes on with `open`. */
function createWork() {
  let [step, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const script: ModelScript = async (request) => {
    const said = wordsOfTurn(request);
    const isSecond = request.messages.at(-1)?.role === "tool" || said.length > 1;
    if (!isSecond && !said[0]?.startsWith("看看")) return { content: `答：${said.join("｜")}。` };
    if (isSecond) {
      step.resolve();
      await gate.promise;
    }
    const isAsked = said.length > 1 || (isSecond && said[0] !== "看看时间");
    return isAsked ? { content: `答：${said.join("｜")}。` } : callTools({ name: "time", arguments: {} });
  };
  return {
    script,
    come: () => step.promise,
    open() {
      const before = gate;
      [step, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      before.resolve();
    },
  };
}

test("words steered into a turn are in its answer once, whenever the process is killed", async () => {
  const work = createWork();
  const story = await startTelegramStory({ script: work.script });
  const first = await story.start();
  story.say("/busy 插话");
  await story.hear(/下一步/);
  story.say("看看时间");
  await work.come();
  story.say("顺便说说天气");
  story.say("/busy");
  await story.hear(/现在是插话/);
  work.open();
  await work.come();
  // They were taken in, and the answer is not there yet.
  await kill(first);
  work.open();
  const second = await story.start();
  await work.come();
  work.open();
  await story.hear("答：看看时间｜顺便说说天气。");
  story.say("看看日期");
  await work.come();
  story.say("还有潮汐");
  await waitUntil("the words stored", async () => (await lookIntoStore(story.folder, stored)).length === 1);
  // They have come and wait: the turn takes them, or they begin one.
  await kill(second);
  work.open();
  const third = await story.start();
  await work.come();
  work.open();
  await waitUntil("an answer to the tides", () => story.said().some((text) => text.includes("潮汐")));
  await story.quiet();
  const answers = story
    .said()
    .filter((text) => text.startsWith("答："))
    .join();
  for (const words of ["看看时间", "天气", "看看日期", "潮汐"]) expect(answers.split(words)).toHaveLength(2);
  story.say("/stop");
  await story.hear(/没有/);
  expect((await third.stop()).code).toBe(0);
  expect(await describeRest(story.folder)).toEqual(nothing);
});

test("a burst of three is one turn, and words in mode interrupt stop the running turn", async () => {
  const held = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const story = await startTelegramStory({
    files: { "system/channels.yaml": "busy: { burst: 1500ms, mode: interrupt }\n" },
    async script(request) {
      const said = wordsOfTurn(request);
      if (said[0] === "慢慢想") {
        begun.resolve();
        await held.promise;
      }
      // A model takes its time for an answer; the rest of a burst comes meanwhile.
      if (said.length < 3) await new Promise((resolve) => setTimeout(resolve, 600));
      return { content: `答：${said.join("｜")}。` };
    },
  });
  const kurisu = await story.start();
  for (const text of ["在吗", "帮我看看", "notes.txt"]) story.say(text);
  await story.hear("答：在吗｜帮我看看｜notes.txt。");
  story.say("慢慢想");
  await begun.promise;
  await new Promise((resolve) => setTimeout(resolve, 2_700));
  story.say("算了，说点别的");
  await story.hear("答：算了，说点别的。");
  held.resolve();
  await story.quiet();
  expect(story.said().filter((text) => text.includes("慢慢想"))).toEqual([]);
  expect((await kurisu.stop()).code).toBe(0);
  expect(await describeRest(story.folder)).toEqual(nothing);
});

async function kill(kurisu: RunningKurisu): Promise<void> {
  kurisu.kill("SIGKILL");
  await kurisu.ended();
}
