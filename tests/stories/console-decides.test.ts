import { expect, test } from "vitest";
import type { QuestionsView, QuestionView } from "../../src/console/views/question-views.ts";
import { callTools, lastWords, resultsOfThisTurn, type ModelScript } from "../support/kurisu-process/scripted-model.ts";
import type { RunningKurisu } from "../support/kurisu-process/start-kurisu.ts";
import { owner, startTelegramStory } from "../support/kurisu-process/telegram-story.ts";

/** 写 WORD: a file is written, which needs an approval. */
const write: ModelScript = (request) => {
  const word = /^写 (\w+)$/.exec(lastWords(request))?.[1];
  if (word === undefined) return undefined;
  if (resultsOfThisTurn(request).length > 0) return { content: `${word} 写好了。` };
  return callTools({ name: "file_write", arguments: { path: "effect.txt", content: `${word}\n`, mode: "append" } });
};

/** A browser that is signed in by the code of the start screen. */
async function signIn(kurisu: RunningKurisu) {
  const [code = ""] = /\b[2-9A-Z]{4}-[2-9A-Z]{4}\b/.exec(kurisu.stdout()) ?? [];
  const headers = { "content-type": "application/json", "x-kurisu": "1", origin: kurisu.url };
  const entered = await fetch(`${kurisu.url}/api/login`, {
    method: "POST",
    headers,
    body: JSON.stringify({ code }),
  });
  expect(entered.status).toBe(204);
  const cookie = entered.headers.getSetCookie()[0]?.split(";")[0] ?? "";
  const ask = async (path: string, body?: object) => {
    const answer = await fetch(`${kurisu.url}/api${path}`, {
      headers: { ...headers, cookie },
      ...(body && { method: "POST", body: JSON.stringify(body) }),
    });
    return { status: answer.status, view: await answer.json() };
  };
  return {
    questions: async () => (await ask("/questions")).view as QuestionsView,
    approve: ({ calls, id }: QuestionView) =>
      ask(`/questions/${id}/decision`, {
        decision: "approved",
        calls: calls.map(({ call, hash }) => ({ call, hash })),
      }),
  };
}

test("what is asked in Telegram is confirmed in the console and runs, and the other way round each place follows the other", async () => {
  const story = await startTelegramStory({ script: write });
  const { approve, questions } = await signIn(await story.start());

  story.say("写 one");
  const card = await story.hearQuestion();
  const [asked] = (await questions()).open;
  if (!asked) throw new Error("the console lists no question");
  expect(asked).toMatchObject({
    code: card.code,
    chat: { platform: "telegram", kind: "private" },
    shownIn: ["telegram"],
    calls: [{ tool: "file_write", diff: { file: "effect.txt", lines: [{ sign: "+", text: "one" }] } }],
  });
  expect((await approve(asked)).status).toBe(200);
  // The card is edited before the console has its answer.
  const edited = story.fake.botMessages(owner).find(({ messageId }) => messageId === card.message.messageId);
  expect(edited?.text).toMatch(/^✓ \S+ · file_write effect\.txt · 控制台 · \d\d:\d\d$/u);
  expect(edited?.keyboard).toEqual([]);
  await story.hear("one 写好了。");
  expect(story.folder.workspaceLines("effect.txt")).toEqual(["one"]);

  story.say("写 two");
  const second = await story.hearQuestion();
  const [shown] = (await questions()).open;
  if (!shown) throw new Error("the console lists no question");
  story.fake.press({ chat: owner, messageId: second.message.messageId, button: "确认" });
  await story.hear("two 写好了。");
  const { closed, open } = await questions();
  expect(open).toEqual([]);
  expect(closed.map(({ code, end, state }) => ({ code, state, how: end?.how, platform: end?.platform }))).toEqual([
    { code: second.code, state: "approved", how: "button", platform: "telegram" },
    { code: card.code, state: "approved", how: "console", platform: "console" },
  ]);
  const late = await approve(shown);
  expect(late).toMatchObject({ status: 409, view: { code: "closed", how: "button", platform: "telegram" } });
  await story.quiet();
  expect(story.folder.workspaceLines("effect.txt")).toEqual(["one", "two"]);
});
