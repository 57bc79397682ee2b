import { AIMessage, HumanMessage } from "@langchain/core/messages";
import { describe, expect, test } from "vitest";
import { estimateTokens } from "../../src/core/estimate-tokens.ts";
import type { Spending } from "../../src/models/types.ts";
import { ask, createTestModels } from "../support/models/ask-models.ts";
import { sendEvents, sendStatus, startRawServer } from "../support/models/start-raw-server.ts";
import { openaiDone, openaiFinish, openaiText, openaiUsage } from "../support/models/wire-events.ts";

const told = openaiUsage(120, 7, 100);

function create(url: string) {
  const spent: Spending[] = [];
  const credentials = { openai: { apiKey: "sk-test-0123456789abcdef", baseUrl: `${url}/v1` } };
  const spend = async (one: Spending) => void spent.push(one);
  return { spent, models: createTestModels({ models: "openai:one", credentials, spend }) };
}

/** One answer of a server with this as its usage. */
async function tell(usage: string) {
  const event = openaiUsage(0, 0, 0).replace(/"usage":.*\}(?=\}\s*$)/, `"usage":${usage}`);
  await using server = await startRawServer(sendEvents(openaiText("fine"), openaiFinish("stop"), event, openaiDone));
  const made = create(server.url);
  await ask(made.models);
  return made;
}

describe("the usage of a request", () => {
  test("the usage equals what the server says", async () => {
    await using server = await startRawServer(sendEvents(openaiText("fine"), openaiFinish("stop"), told, openaiDone));
    const { models, spent } = create(server.url);
    await ask(models);
    expect(spent).toEqual([
      {
        payer: { id: "fake:alice", owner: false },
        model: "openai:one",
        usage: { input: 120, output: 7, cachedInput: 100 },
        estimated: false,
        startedAt: expect.any(Number) as number,
        ms: expect.any(Number) as number,
        end: "answered",
      },
    ]);
  });

  test("the usage is estimated and marked where the server says nothing", async () => {
    await using server = await startRawServer(sendEvents(openaiText("很好。"), openaiFinish("stop"), openaiDone));
    const { models, spent } = create(server.url);
    await ask(models, { messages: [new HumanMessage("字".repeat(500))], tools: [] });
    expect(spent).toMatchObject([{ estimated: true }]);
    expect(spent[0]?.usage.input).toBeGreaterThan(490);
    expect(spent[0]?.usage.input).toBeLessThan(560);
    expect(spent[0]?.usage.output).toBeGreaterThan(0);
  });

  test("the arguments of earlier calls count in an estimate", async () => {
    await using server = await startRawServer(sendEvents(openaiText("fine"), openaiFinish("stop"), openaiDone));
    const { models, spent } = create(server.url);
    const tool_calls = [{ id: "1", name: "file_write", args: { content: "字".repeat(500) } }];
    const messages = [new HumanMessage("写"), new AIMessage({ content: "", tool_calls }), new HumanMessage("继续")];
    await ask(models, { messages, tools: [] });
    expect(spent[0]?.usage.input).toBeGreaterThan(500);
  });

  test.each([
    ["lacks the answer", { prompt_tokens: 5, total_tokens: 5 }],
    ["is below nothing", { prompt_tokens: 5, completion_tokens: -7 }],
    ["is no number", { prompt_tokens: "5", completion_tokens: 7 }],
    ["is more than any answer has", { prompt_tokens: 1e18, completion_tokens: 7 }],
  ])("the usage is estimated where what the server says %s", async (_, usage) => {
    const { spent } = await tell(JSON.stringify(usage));
    expect(spent).toMatchObject([{ estimated: true }]);
    expect(spent[0]?.usage.input).toBeGreaterThan(0);
    expect(Object.values(spent[0]?.usage ?? {}).every((count) => Number.isSafeInteger(count) && count >= 0)).toBe(true);
  });

  test("the usage is estimated where the server says an endless number", async () => {
    const { spent } = await tell(`{"prompt_tokens":1e400,"completion_tokens":7}`);
    expect(spent).toMatchObject([{ estimated: true, usage: { cachedInput: 0 } }]);
  });

  test("the usage is rounded, and its cached part never exceeds its input", async () => {
    const usage = { prompt_tokens: 4.6, completion_tokens: 1.5, prompt_tokens_details: { cached_tokens: 99 } };
    const { spent } = await tell(JSON.stringify(usage));
    expect(spent).toMatchObject([{ estimated: false, usage: { input: 5, output: 2, cachedInput: 5 } }]);
  });

  test("counts for an answer that broke off, and for the next try; not for a request that was refused", async () => {
    const broken = sendEvents(openaiText("half of an"));
    const good = sendEvents(openaiText("whole"), openaiFinish("stop"), told, openaiDone);
    await using server = await startRawServer(sendStatus(503, { error: { message: "busy" } }), broken, good);
    const { models, spent } = create(server.url);
    const { answer } = await ask(models).catch(() => ask(models));
    expect(answer.text).toBe("whole");
    expect(spent.map(({ estimated }) => estimated)).toEqual([true, false]);
  });

  test("counts for an answer that was stopped", async () => {
    await using server = await startRawServer(
      sendEvents(openaiText("one"), openaiText("two"), openaiFinish("stop"), openaiDone),
    );
    const { models, spent } = create(server.url);
    const stop = new AbortController();
    const asking = ask(models, { signal: stop.signal, onEvent: () => stop.abort() });
    await expect(asking).rejects.toThrow(/abort/i);
    expect(spent).toMatchObject([{ estimated: true }]);
  });
});

test.each([
  ["", 0],
  ["four", 1],
  ["fives", 2],
  ["海马体", 3],
  ["海马体 and", 4],
])("%j is about %i tokens", (text, tokens) => {
  expect(estimateTokens(text)).toBe(tokens);
});
