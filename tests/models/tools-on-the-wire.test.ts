import { LLMock } from "@copilotkit/aimock";
import { AIMessage, HumanMessage, SystemMessage, ToolMessage } from "@langchain/core/messages";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ToolDefinition } from "../../src/models/types.ts";
import { ask, createTestModels } from "../support/models/ask-models.ts";
import { sendEvents, startRawServer } from "../support/models/start-raw-server.ts";
import {
  anthropicStart,
  anthropicStop,
  anthropicText,
  openaiDone,
  openaiFinish,
  openaiText,
} from "../support/models/wire-events.ts";

const mock = new LLMock({ port: 0, chunkSize: 4 });

const search: ToolDefinition = {
  name: "web_search",
  description: "Searches the web",
  parameters: {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    properties: {
      query: { type: "string", minLength: 1, description: "words" },
      depth: { type: "string", enum: ["basic", "advanced"], default: "basic" },
      limits: {
        type: "object",
        properties: {
          max: { type: "integer", minimum: 1, maximum: 20 },
          sites: { type: "array", items: { type: "string" } },
        },
        required: ["max"],
        additionalProperties: false,
      },
    },
    required: ["query", "limits"],
    additionalProperties: false,
  },
};
const { $schema: _dialect, ...searchSchema } = search.parameters;

const choice: ToolDefinition = {
  name: "remind",
  description: "Reminds",
  parameters: {
    oneOf: [
      { type: "object", properties: { kind: { const: "at" }, at: { type: "string" } }, required: ["kind", "at"] },
      {
        type: "object",
        properties: { kind: { const: "every" }, every: { type: "string" } },
        required: ["kind", "every"],
      },
    ],
  },
};

beforeAll(async () => {
  mock.on(
    { userMessage: "look", hasToolResult: false },
    {
      content: "Looking.",
      toolCalls: [{ id: "x", name: "web_search", arguments: { query: "a", limits: { max: 3 } } }],
    },
  );
  mock.on({ userMessage: "look", hasToolResult: true }, { content: "Found it." });
  await mock.start();
});

afterAll(() => mock.stop());

function createMocked(models: string) {
  return createTestModels({
    models,
    credentials: {
      openai: { apiKey: "k", baseUrl: `${mock.url}/v1` },
      anthropic: { apiKey: "k", baseUrl: mock.url },
      ollama: { baseUrl: mock.url },
    },
  });
}

const conversation = [
  new SystemMessage("You are Kurisu."),
  new HumanMessage("earlier"),
  new AIMessage({ content: "", tool_calls: [{ id: "1.1", name: "web_search", args: { query: "x" } }] }),
  new ToolMessage({ tool_call_id: "1.1", content: '{"ok":true,"output":1}' }),
  new AIMessage(""),
  new AIMessage("Earlier answer."),
  new HumanMessage("look"),
  new AIMessage({ content: "Looking.", tool_calls: [{ id: "1.1", name: "web_search", args: { query: "a" } }] }),
  new ToolMessage({ tool_call_id: "1.1", content: '{"ok":true,"output":2}' }),
];

test.each(["openai:gpt-4o-mini", "anthropic:claude-sonnet-4-5", "ollama:qwen3"])(
  "%s calls a tool and reads its result",
  async (name) => {
    const models = createMocked(name);
    const first = await ask(models, { messages: [new HumanMessage("look")], tools: [search] });
    expect(first.answer).toMatchObject({ text: "Looking.", model: name });
    expect(first.answer.calls).toEqual([{ name: "web_search", arguments: { query: "a", limits: { max: 3 } } }]);
    const second = await ask(models, { messages: conversation, tools: [search] });
    expect(second.answer).toMatchObject({ text: "Found it.", calls: [] });
    expect(second.events.length).toBeGreaterThan(1);
    expect(mock.getRequests().at(-1)?.body).toMatchObject({
      tools: [{ function: { name: "web_search", parameters: { required: ["query", "limits"] } } }],
    });
  },
);

test("OpenAI gets the schemas whole, unique call ids, usage asked for", async () => {
  await using server = await startRawServer(sendEvents(openaiText("ok"), openaiFinish("stop"), openaiDone));
  const credentials = { openai: { apiKey: "k", baseUrl: `${server.url}/v1` } };
  const models = createTestModels({ models: "openai:gpt-4o-mini", credentials });
  await ask(models, { messages: conversation, tools: [search, choice] });
  const request = server.seen[0];
  expect(request).toMatchObject({ path: "/v1/chat/completions", headers: { authorization: "Bearer k" } });
  expect(request?.body).toMatchObject({ stream: true, stream_options: { include_usage: true } });
  expect(request?.body.tools).toEqual([
    { type: "function", function: { name: "web_search", description: "Searches the web", parameters: searchSchema } },
    { type: "function", function: expect.objectContaining({ name: "remind" }) },
  ]);
  expect(request?.body.messages).toMatchObject([
    { role: "system" },
    { role: "user" },
    { role: "assistant", tool_calls: [{ id: "call00001" }] },
    { role: "tool", tool_call_id: "call00001" },
    { role: "assistant", content: "Earlier answer." },
    { role: "user" },
    { role: "assistant", tool_calls: [{ id: "call00002" }] },
    { role: "tool", tool_call_id: "call00002" },
  ]);
  await ask(models, { tools: [] });
  expect(server.seen[1]?.body).not.toHaveProperty("tools");
});

test("Anthropic gets them too, also a schema that is a choice at its top", async () => {
  await using server = await startRawServer(
    sendEvents(anthropicStart(), anthropicText(0, "ok"), anthropicStop("end_turn")),
  );
  const credentials = { anthropic: { apiKey: "k", baseUrl: server.url } };
  await ask(createTestModels({ models: "anthropic:claude-sonnet-4-5", credentials }), {
    messages: conversation,
    tools: [search, choice],
  });
  const request = server.seen[0];
  expect(request).toMatchObject({ path: "/v1/messages", headers: { "x-api-key": "k" } });
  expect(request?.body).toMatchObject({ stream: true, system: [{ text: "You are Kurisu." }] });
  expect(request?.body.tools).toEqual([
    { name: "web_search", description: "Searches the web", input_schema: searchSchema },
    {
      name: "remind",
      description: "Reminds",
      input_schema: {
        type: "object",
        properties: {
          kind: { anyOf: [{ const: "at" }, { const: "every" }] },
          at: { type: "string" },
          every: { type: "string" },
        },
      },
    },
  ]);
  expect(JSON.stringify(request?.body.messages)).toContain('"tool_use_id":"call00002"');
});

test("each of two calls in one answer meets its own result", async () => {
  await using server = await startRawServer(sendEvents(openaiText("ok"), openaiFinish("stop"), openaiDone));
  const models = createTestModels({
    models: "openai:m",
    credentials: { openai: { apiKey: "k", baseUrl: `${server.url}/v1` } },
  });
  const calls = [
    { id: "1.1", name: "time", args: {} },
    { id: "1.2", name: "shell", args: {} },
  ];
  const messages = [
    new HumanMessage("look"),
    new AIMessage({ content: "", tool_calls: calls }),
    new ToolMessage({ tool_call_id: "1.2", content: "second" }),
    new ToolMessage({ tool_call_id: "1.1", content: "first" }),
  ];
  await ask(models, { messages });
  expect(server.seen[0]?.body["messages"]).toMatchObject([
    { role: "user" },
    { tool_calls: [{ id: "call00001" }, { id: "call00002" }] },
    { tool_call_id: "call00001", content: "first" },
    { tool_call_id: "call00002", content: "second" },
  ]);
});
