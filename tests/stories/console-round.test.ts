import { expect, test } from "vitest";
import type { QuestionsView } from "../../src/console/views/question-views.ts";
import type { WholeSessionView } from "../../src/console/views/chats-views.ts";
import type { TurnView } from "../../src/console/views/turn-views.ts";
import { signInToConsole } from "../support/kurisu-process/sign-in-to-console.ts";
import { callTools, resultsOfThisTurn, type ModelScript } from "../support/kurisu-process/scripted-model.ts";
import { startTelegramStory } from "../support/kurisu-process/telegram-story.ts";

const waits = 1_200;

/** A file is written, which needs an approval; the server reports what each request used. */
const write: ModelScript = (request) => {
  const isOver = resultsOfThisTurn(request).length > 0;
  const answer = isOver
    ? { content: "写好了。" }
    : callTools({ name: "file_write", arguments: { path: "effect.txt", content: "one\n", mode: "append" } });
  return {
    ...answer,
    usage: isOver ? { prompt_tokens: 1_300, completion_tokens: 7 } : { prompt_tokens: 1_000, completion_tokens: 21 },
  };
};

test("the console tells of a turn what the model's server reported, what it cost, and how long a person was waited for", async () => {
  const story = await startTelegramStory({
    script: write,
    files: {
      "system/models.yaml": "budget:\n  prices:\n    openai:test: { input: 2, output: 10 }\n",
    },
  });
  const read = await signInToConsole(await story.start());
  story.say("写吧");
  await story.hearQuestion();
  const [asked] = (await read<QuestionsView>("/questions")).open;
  const session = asked?.session ?? "";
  const { turn = "" } = await read<WholeSessionView>(`/sessions/${encodeURIComponent(session)}`);
  const parked = await read<TurnView>(`/turns/${turn}`);
  expect(parked.rounds).toMatchObject([
    { round: 1, verdicts: { allow: 0, ask: 1, deny: 0 }, calls: [{ state: "waits", question: asked?.code }] },
  ]);
  // The time that is measured.
  await new Promise((resolve) => void setTimeout(resolve, waits));
  story.say("确认");
  await story.hear("写好了。");
  await story.quiet();

  const told = await read<TurnView>(`/turns/${turn}`);
  expect(told).toMatchObject({
    state: "replied",
    models: ["openai:test"],
    sums: { input: 2_300, output: 28 },
    rounds: [
      { round: 1, thoughts: [{ input: 1_000, output: 21, end: "answered" }] },
      { round: 2, thoughts: [{ input: 1_300, output: 7, end: "answered" }] },
    ],
    questions: [{ code: asked?.code, state: "approved", end: { how: "words" }, cards: [{ platform: "telegram" }] }],
  });
  expect(told.sums?.cost).toBeCloseTo((2_300 * 2 + 28 * 10) / 1_000_000, 9);
  expect(told.sums).not.toHaveProperty("estimated");
  for (const { thoughts } of told.rounds) expect(thoughts[0]?.ms).toBeGreaterThan(0);
  expect(told.waitedMs).toBeGreaterThanOrEqual(waits);
  expect(told.rounds[0]?.calls[0]).toMatchObject({ state: "done", verdict: "ask", argument: "effect.txt" });
  expect(told.audit?.last).toBeGreaterThan(told.audit?.first ?? 0);
});
