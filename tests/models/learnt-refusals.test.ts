import { AIMessage, HumanMessage } from "@langchain/core/messages";
import { describe, expect, test } from "vitest";
import { ask, createTestModels } from "../support/models/ask-models.ts";
import { conversation, fine, meet, namesOf, tools, type Body } from "../support/models/refusing-server.ts";
import { sendEvents, sendStatus, startRawServer, type RawAnswer } from "../support/models/start-raw-server.ts";

/** What of a refusal is remembered, and what only sounds like one. */

describe("words that only sound like it change nothing", () => {
  test.each<[string, number, string]>([
    ["a stream that broke off upstream", 500, "unexpected end of stream"],
    ["a proxy's retries", 500, "litellm.APIError: Max retries exceeded with url: /v1/messages"],
    ["a tool server of theirs", 500, "tool server: max retries exceeded"],
    ["an unknown fault", 500, "Unknown system error -5"],
    ["a limit of the day", 400, "You exceeded your daily token limit of 500000 tokens"],
    ["a limit of messages a minute", 400, "maximum number of messages per minute (3)"],
    ["a signature of the request", 400, "invalid signature"],
    ["a filter", 400, "The response was filtered due to the prompt triggering content_filter"],
  ])("%s", async (_, status, says) => {
    const answer: RawAnswer = sendStatus(status, { error: { message: says } });
    await using server = await startRawServer(answer, answer, fine);
    const models = createTestModels({
      models: "openai:m",
      credentials: { openai: { apiKey: "k", baseUrl: `${server.url}/v1` } },
    });
    // Some are asked again at once, some are not.
    for (let times = 0; times < 3; times += 1)
      await ask(models, { messages: conversation, tools }).catch(() => undefined);
    const bodies = server.seen.map(({ body }) => body as unknown as Body);
    expect(bodies.at(-1)).toEqual(bodies[0]);
    expect(bodies[0]?.tools).toHaveLength(5);
  });

  test("a model's own slip is tried again with the same tools", async () => {
    const slip = {
      message: "Failed to call a function. tool call validation failed: parameters for tool shell did not match schema",
      code: "tool_use_failed",
    };
    await using server = await startRawServer(sendStatus(400, { error: slip }), fine);
    const models = createTestModels({
      models: "openai:m",
      credentials: { openai: { apiKey: "k", baseUrl: `${server.url}/v1` } },
    });
    expect((await ask(models, { tools })).answer.text).toBe("fine");
    expect(server.seen[1]?.body).toEqual(server.seen[0]?.body);
  });
});

describe("what is tried for one request", () => {
  test("the models forget an omission that did not help", async () => {
    const refuse = sendStatus(400, { error: { message: "Unknown parameter: 'stream_options'." } });
    const other = sendStatus(400, { error: { message: "the moon is in the wrong phase" } });
    await using server = await startRawServer(refuse, other, fine);
    const models = createTestModels({
      models: "openai:m",
      credentials: { openai: { apiKey: "k", baseUrl: `${server.url}/v1` } },
    });
    await expect(ask(models)).rejects.toMatchObject({ code: "MODEL_REFUSED_REQUEST" });
    await ask(models);
    expect(server.seen[2]?.body).toHaveProperty("stream_options");
  });

  test("side-by-side requests all learn the refusal", async () => {
    const isKnown = ({ stream_options: given }: Record<string, unknown>) => given !== undefined;
    await using server = await startRawServer((response, request) =>
      isKnown(request.body)
        ? sendStatus(400, { error: { message: "Unknown parameter: 'stream_options'." } })(response, request)
        : fine(response, request),
    );
    const models = createTestModels({
      models: "openai:m",
      credentials: { openai: { apiKey: "k", baseUrl: `${server.url}/v1` } },
    });
    const answers = await Promise.all(Array.from({ length: 4 }, () => ask(models)));
    expect(answers.map(({ answer }) => answer.text)).toEqual(["fine", "fine", "fine", "fine"]);
  });

  test("leaves no thought and no word of a person in what is told of it", async () => {
    const cut = sendEvents('data: {"choices":[{"delta":{"reasoning_content":"SECRET-THOUGHT, that is');
    const echo = sendStatus(422, {
      detail: [{ loc: ["body", "messages"], msg: "value error", input: "this does not support tools, SECRET-THOUGHT" }],
    });
    for (const answer of [cut, echo]) {
      await using server = await startRawServer(answer);
      const models = createTestModels({
        models: "openai:m",
        credentials: { openai: { apiKey: "k", baseUrl: `${server.url}/v1` } },
      });
      const failed = await ask(models, { tools }).catch((error: unknown) => String(error));
      expect(failed).toEqual(expect.stringContaining("No model answered"));
      expect(failed).not.toContain("SECRET-THOUGHT");
      expect(namesOf(server.seen.at(-1)?.body as unknown as Body)).toHaveLength(5);
    }
  });

  test("the models drop a field that the provider returned and now refuses, and no tool with its name", async () => {
    const from = "openai:m";
    const says = "property 'executed_tools' is unsupported";
    const holds = (body: Body) => JSON.stringify(body.messages).includes("executed_tools");
    const messages = (host: string) => [
      new HumanMessage("a"),
      new AIMessage({
        content: "b",
        additional_kwargs: { kept: { from: `${from}@${host}`, fields: { executed_tools: [] } } },
      }),
      new HumanMessage("c"),
    ];
    await using server = await startRawServer((response, request) =>
      holds(request.body as unknown as Body)
        ? sendStatus(400, { error: { message: says } })(response, request)
        : fine(response, request),
    );
    const models = createTestModels({
      models: from,
      credentials: { openai: { apiKey: "k", baseUrl: `${server.url}/v1` } },
    });
    const { answer } = await ask(models, { messages: messages(new URL(server.url).host), tools });
    expect(answer.text).toBe("fine");
    expect(server.seen).toHaveLength(2);
    expect(holds(server.seen[0]?.body as unknown as Body)).toBe(true);
    expect(namesOf(server.seen[1]?.body as unknown as Body)).toHaveLength(5);
  });

  test("the models read what the provider behind a proxy said", async () => {
    const raw = JSON.stringify({ error: { message: "mistral-tiny does not support tools" } });
    const met = await meet(
      { says: "Provider returned error", more: { metadata: { raw } } },
      (body) => body.tools !== undefined,
    );
    expect(met.texts).toEqual(["fine", "fine"]);
    expect(met.refused).toMatchObject([{ reason: "mistral-tiny does not support tools" }]);
  });

  test.each([
    "This model's maximum context length is 1000 tokens. However, you requested 5000 tokens (1000 in the messages, 4000 in the completion).",
    "This endpoint's maximum context length is 1000 tokens. However, you requested about 2300 tokens (1500 of text input, 800 of tool input).",
    "Range of input length should be [1, 1000]",
  ])("keeps the newest words, whatever numbers it names: %s", async (says) => {
    const met = await meet({ says }, (body) => JSON.stringify(body.messages).length > 3_000);
    expect(met.texts).toEqual(["fine", "fine"]);
    expect(met.again).toBe(1);
    expect(JSON.stringify(met.last.messages)).toContain("what time is it");
  });
});

test("an unknown refusal is reported with the server's own words, after one request", async () => {
  await using server = await startRawServer(sendStatus(400, { error: { message: "the moon is in the wrong phase" } }));
  const models = createTestModels({
    models: "openai:m",
    credentials: { openai: { apiKey: "k", baseUrl: `${server.url}/v1` } },
  });
  await expect(ask(models)).rejects.toMatchObject({
    code: "MODEL_REFUSED_REQUEST",
    message: expect.stringContaining("the moon is in the wrong phase"),
  });
  expect(server.seen).toHaveLength(1);
});
