import { AIMessage, HumanMessage, SystemMessage, ToolMessage } from "@langchain/core/messages";
import { describe, expect, test } from "vitest";
import { ask, createTestModels } from "../support/models/ask-models.ts";
import { call, meet, namesOf, tool, tools, type Body, type Refusal } from "../support/models/refusing-server.ts";
import { sendStatus, startRawServer } from "../support/models/start-raw-server.ts";

/** What servers say when they do not take a request, and the request that they get next. */

describe("a parameter that a server does not know is left out, and remembered", () => {
  test.each<[string, Refusal]>([
    [
      "OpenAI",
      { says: "Unknown parameter: 'stream_options'.", more: { param: "stream_options", code: "unknown_parameter" } },
    ],
    [
      "FastAPI",
      {
        says: "",
        status: 422,
        more: {
          detail: [{ type: "extra_forbidden", loc: ["body", "stream_options"], msg: "Extra inputs are not permitted" }],
        },
      },
    ],
    ["Go", { says: 'json: unknown field "stream_options"' }],
    ["Mistral", { says: "Extra inputs are not permitted: stream_options" }],
    ["a Chinese server", { says: "参数 stream_options 不支持" }],
  ])("the models leave out a parameter as %s says it", async (_, refusal) => {
    const met = await meet(refusal, (body) => "stream_options" in body);
    expect(met).toMatchObject({ texts: ["fine", "fine"], asked: 2, again: 1 });
    expect(met.last).not.toHaveProperty("stream_options");
    expect(namesOf(met.last)).toHaveLength(5);
  });

  test("a server that cannot stream is asked for a whole answer", async () => {
    const met = await meet({ says: "stream is not supported" }, (body) => body["stream"] === true);
    expect(met.texts).toEqual(["fine", "fine"]);
    expect(met.last).not.toHaveProperty("stream_options");
  });
});

describe("a model that takes no tools is asked without them, which is told once", () => {
  test.each<[string, Refusal]>([
    ["Ollama", { says: "registry.ollama.ai/library/gemma:2b does not support tools" }],
    ["OpenRouter", { says: "No endpoints found that support tool use. To learn more, visit …", status: 404 }],
    ["vLLM", { says: '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set' }],
    ["Gemini", { says: "Function calling is not enabled for models/gemma-3-27b-it" }],
    ["a server of its own", { says: "Unknown parameter: 'tools'." }],
    ["a Chinese server", { says: "该模型不支持工具调用" }],
  ])("the models ask without tools as %s says it", async (_, refusal) => {
    const met = await meet(refusal, (body) => body.tools !== undefined);
    expect(met).toMatchObject({ texts: ["fine", "fine"], asked: 2, again: 1 });
    expect(met.refused).toEqual([{ model: "openai:m", tools: [], reason: refusal.says }]);
    expect(met.status).toContain("without tools");
    expect(JSON.stringify(met.last.messages)).toContain("[record] You called time");
    expect(met.last.messages.every(({ role }) => role !== "tool")).toBe(true);
  });
});

describe("of too many tools as many stay as the server takes, ours first", () => {
  const many = [...Array.from({ length: 150 }, (_, index) => tool(`mcp__s__tool_${index}`)), ...tools];

  test.each<[string, string, number]>([
    [
      "OpenAI",
      "Invalid 'tools': array too long. Expected an array with maximum length 128, but got an array with length 155 instead.",
      128,
    ],
    ["Groq", "'tools' : maximum number of items is 128", 128],
    ["one that names no number", "Too many tools in the request", 77],
  ])("the models drop tools above the limit as %s says it", async (_, says, left) => {
    const met = await meet({ says }, ({ tools: sent = [] }) => sent.length > left, { tools: many });
    expect(met).toMatchObject({ texts: ["fine", "fine"], again: 1, refused: [] });
    expect(namesOf(met.last)).toHaveLength(left);
    expect(namesOf(met.last)).toEqual(expect.arrayContaining(["time", "shell", "fetch"]));
  });
});

describe("a tool whose schema is refused is left out alone, which is told", () => {
  test.each<[string, Refusal]>([
    [
      "OpenAI",
      {
        says: "Invalid schema for function 'mcp__s__score': In context=('properties', 'name'), pattern is not a regex",
        more: { param: "tools[0].function.parameters" },
      },
    ],
    [
      "Anthropic",
      { says: "tools.4.custom.input_schema: JSON schema is invalid. It must match JSON Schema draft 2020-12" },
    ],
    [
      "Gemini",
      { says: "* GenerateContentRequest.tools[0].function_declarations[4].parameters.properties: should be non-empty" },
    ],
  ])("the models leave out one tool as %s says it", async (_, refusal) => {
    const met = await meet(refusal, (body) => namesOf(body).includes("mcp__s__score"));
    expect(met).toMatchObject({ texts: ["fine", "fine"], asked: 2, again: 1 });
    expect(namesOf(met.last)).toEqual(["time", "shell", "fetch", "mcp__s__echo"]);
    expect(met.refused).toMatchObject([{ tools: ["mcp__s__score"] }]);
  });

  test("the models drop the MCP servers' tools where the server names none", async () => {
    const met = await meet({ says: "Invalid tool schema" }, (body) => namesOf(body).includes("mcp__s__score"));
    expect(namesOf(met.last)).toEqual(["time", "shell", "fetch"]);
  });
});

describe("a conversation that is too long is cut, and the limit is remembered", () => {
  test.each<[string, Refusal, number]>([
    ["a limit of messages", { says: "Chat history exceeds the 12-message limit", status: 413 }, 12],
    ["a list that is too long", { says: "messages: array too long. Expected an array with maximum length 8" }, 8],
  ])("%s", async (_, refusal, most) => {
    const met = await meet(refusal, ({ messages }) => messages.length > most);
    expect(met).toMatchObject({ texts: ["fine", "fine"], again: 1 });
    expect(met.last.messages.at(0)?.role).toBe("system");
    expect(met.last.messages.at(1)?.role).toBe("user");
    expect(met.last.messages.slice(-3).map(({ role }) => role)).toEqual(["user", "assistant", "tool"]);
  });

  test.each<[string, Refusal]>([
    [
      "OpenAI",
      {
        says: "This model's maximum context length is 1000 tokens. However, your messages resulted in 1900 tokens. Please reduce the length of the messages.",
        more: { code: "context_length_exceeded" },
      },
    ],
    ["Anthropic", { says: "prompt is too long: 1900 tokens > 1000 maximum" }],
    [
      "llama.cpp",
      {
        says: "the request exceeds the available context size. try increasing the context size or enable context shift",
        status: 500,
      },
    ],
    ["nginx", { says: "413 Request Entity Too Large", status: 413 }],
    ["Qwen", { says: "输入内容过长，超出模型的上下文长度" }],
  ])("tokens, as %s says it", async (_, refusal) => {
    const met = await meet(refusal, (body) => JSON.stringify(body.messages).length > 4_000);
    expect(met).toMatchObject({ texts: ["fine", "fine"], again: 1 });
    expect(JSON.stringify(met.last.messages)).toContain("what time is it");
  });

  test("steps of the turn itself go last, and a record takes their place", async () => {
    const rounds = Array.from({ length: 8 }, (_, index) => [
      new AIMessage({ content: "", tool_calls: [call(`${index}.1`)] }),
      new ToolMessage({ tool_call_id: `${index}.1`, content: `result ${index}` }),
    ]).flat();
    const messages = [new SystemMessage("s"), new HumanMessage("<context>\n</context>\n\nwork"), ...rounds];
    const met = await meet({ says: "at most 9 messages" }, (body) => body.messages.length > 9, { messages });
    expect(met.texts).toEqual(["fine", "fine"]);
    expect(met.last.messages.slice(0, 3)).toMatchObject([
      { role: "system" },
      { role: "user", content: expect.stringContaining("work") },
      { role: "user", content: expect.stringContaining("earlier steps of this turn left out") },
    ]);
    expect(met.last.messages.at(-1)).toMatchObject({ role: "tool", content: "result 7" });
  });

  test("a conversation that cannot be cut is reported as too long, with the server's words", async () => {
    await using server = await startRawServer(
      sendStatus(400, { error: { message: "maximum context length is 4 tokens" } }),
    );
    const models = createTestModels({
      models: "openai:m",
      credentials: { openai: { apiKey: "k", baseUrl: `${server.url}/v1` } },
    });
    const failed = ask(models, { messages: [new HumanMessage("hi")], tools: [] });
    await expect(failed).rejects.toMatchObject({
      code: "MODEL_TOO_LONG",
      message: expect.stringContaining("maximum context length is 4 tokens"),
    });
  });
});

describe("the form of a conversation follows the server", () => {
  const twice = [
    new SystemMessage("s"),
    new HumanMessage("one"),
    new HumanMessage("two"),
    new AIMessage("a"),
    new HumanMessage("three"),
  ];

  test.each<[string, Refusal]>([
    [
      "vLLM",
      {
        says: "After the optional system message, conversation roles must alternate user/assistant/user/assistant/...",
      },
    ],
    [
      "llama.cpp",
      { says: "Jinja Exception: Conversation roles must alternate user/assistant/user/assistant/...", status: 500 },
    ],
  ])("roles take turns, as %s says it", async (_, refusal) => {
    const isTwice = ({ messages }: Body) => messages.some(({ role }, index) => role === messages[index - 1]?.role);
    const met = await meet(refusal, isTwice, { messages: twice });
    expect(met).toMatchObject({ texts: ["fine", "fine"], again: 1 });
    expect(met.last.messages).toEqual([
      { role: "system", content: "s" },
      { role: "user", content: "one\n\ntwo" },
      { role: "assistant", content: "a" },
      { role: "user", content: "three" },
    ]);
  });

  test.each<[string, Refusal]>([
    ["Gemma's template", { says: "System role not supported" }],
    ["o1", { says: "Unsupported value: 'messages[0].role' does not support 'system' with this model." }],
    ["Gemini", { says: "Developer instruction is not enabled for models/gemma-3-27b-it" }],
  ])("the system message is folded into the first words, as %s says it", async (_, refusal) => {
    const met = await meet(refusal, ({ messages }) => messages.some(({ role }) => role === "system"), {
      messages: twice,
    });
    expect(met.texts).toEqual(["fine", "fine"]);
    expect(met.last.messages[0]).toMatchObject({ role: "user", content: expect.stringMatching(/^s\n\none/) });
  });

  test("content is text where a list is refused", async () => {
    const picture = { type: "image", mimeType: "image/png", data: "QUJD" };
    const messages = [new HumanMessage({ content: [{ type: "text", text: "look" }, picture] as never })];
    const met = await meet(
      { says: "messages.0.content: Input should be a valid string", status: 422 },
      (body) => body.messages.some(({ content }) => Array.isArray(content)),
      { messages },
    );
    expect(met.texts).toEqual(["fine", "fine"]);
    expect(typeof met.last.messages[0]?.content).toBe("string");
  });

  test("results and calls that lost each other are mended before anything is sent", async () => {
    const messages = [
      new HumanMessage("a"),
      new ToolMessage({ tool_call_id: "9.1", content: "of a call that is gone" }),
      new AIMessage({ content: "", tool_calls: [call("1.1"), call("1.2")] }),
      new ToolMessage({ tool_call_id: "1.2", content: "second" }),
      new HumanMessage("b"),
    ];
    const met = await meet({ says: "" }, () => false, { messages });
    expect(met.last.messages).toMatchObject([
      { role: "user" },
      { role: "assistant" },
      { role: "tool", tool_call_id: "call00001", content: expect.stringContaining("not known") },
      { role: "tool", tool_call_id: "call00002", content: "second" },
      { role: "user" },
    ]);
  });
});
