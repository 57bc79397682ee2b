import { describe, expect, test } from "vitest";
import { ask, createTestModels, readShown, shellTool } from "../support/models/ask-models.ts";
import { sendEvents, startRawServer, type RawAnswer } from "../support/models/start-raw-server.ts";
import { openaiCall, openaiDelta, openaiDone, openaiFinish, openaiText } from "../support/models/wire-events.ts";

/** Answers that are none by the book and are clear all the same; and some that are none. */

const tools = [
  shellTool,
  ...["time", "think"].map((name) => ({ name, description: name, parameters: { type: "object", properties: {} } })),
];

async function askServer(...answers: readonly RawAnswer[]) {
  await using server = await startRawServer(...answers);
  const models = createTestModels({
    models: "openai:m",
    credentials: { openai: { apiKey: "k", baseUrl: `${server.url}/v1` } },
  });
  const { answer, events } = await ask(models, { tools });
  return { answer, shown: readShown(events), requests: server.seen.length };
}

const send =
  (body: string, type = "application/json"): RawAnswer =>
  (response) => {
    response.writeHead(200, { "content-type": type }).end(body);
  };
const choice = (message: object, finish: string | null = "stop") =>
  JSON.stringify({ object: "chat.completion", choices: [{ index: 0, message, finish_reason: finish }] });

describe("an answer is whole", () => {
  test.each<[string, RawAnswer]>([
    ["without a finish reason, when the end mark comes", sendEvents(openaiText("fine"), openaiDone)],
    ["with empty finish reasons", sendEvents(openaiDelta({ content: "fine" }, ""), openaiDelta({}, ""), openaiDone)],
    [
      "when its last delta is null",
      sendEvents(openaiText("fine"), 'data: {"choices":[{"index":0,"delta":null,"finish_reason":"stop"}]}\n\n'),
    ],
    ["as one JSON where a stream was asked for", send(choice({ role: "assistant", content: "fine" }))],
    [
      "as one JSON that calls itself a stream",
      send(choice({ role: "assistant", content: "fine" }, null), "text/event-stream"),
    ],
    ["as a stream that calls itself JSON", send(openaiText("fine") + openaiFinish("stop") + openaiDone)],
    ["as lines of JSON", send(`${choice({ content: "fine" })}\n${JSON.stringify({ choices: [], usage: {} })}\n`)],
    [
      "with content as blocks",
      sendEvents(
        openaiDelta({ content: [{ type: "text", text: "fi" }] }),
        openaiDelta({ content: "ne" }),
        openaiFinish("stop"),
      ),
    ],
    ["with a reason in capitals", sendEvents(openaiText("fine"), openaiFinish("STOP"))],
    [
      "with one line break between events",
      send(
        `data: ${JSON.stringify({ choices: [{ delta: { content: "fine" } }] })}\ndata: [DONE]\n`,
        "text/event-stream",
      ),
    ],
    [
      "with comments and event names",
      sendEvents(": waiting\n\n", `event: message\n${openaiText("fine")}`, openaiFinish("stop")),
    ],
    [
      "with a whole message behind its pieces",
      sendEvents(openaiText("fine"), `data: ${choice({ content: "fine" })}\n\n`),
    ],
    [
      "when a token count without choices ends it",
      sendEvents(openaiText("fine"), 'data: {"choices":[],"usage":{"prompt_tokens":1,"completion_tokens":1}}\n\n'),
    ],
    ["as a refusal of the model", sendEvents(openaiDelta({ refusal: "fine" }), openaiFinish("stop"))],
  ])("%s", async (_, answer) => {
    expect(await askServer(answer)).toMatchObject({ answer: { text: "fine", cut: false }, shown: "fine", requests: 1 });
  });
});

describe("an error with status 200", () => {
  test.each<[string, RawAnswer, string, string]>([
    [
      "of a busy server",
      send('{"error":{"message":"model overloaded, try later","code":"overloaded"}}'),
      "MODEL_UNAVAILABLE",
      "model overloaded, try later",
    ],
    [
      "in the middle of a stream",
      sendEvents(openaiText("half"), 'data: {"error":{"code":429,"message":"rate limited upstream"}}\n\n'),
      "MODEL_LIMITED",
      "rate limited upstream",
    ],
    [
      "that is a page",
      send("<html><title>Welcome to nginx!</title></html>", "text/html"),
      "MODEL_UNAVAILABLE",
      "Welcome to nginx!",
    ],
    ["that is a bare message", send('{"code":1113,"message":"余额不足"}'), "MODEL_NO_CREDIT", "credit"],
    ["for a wrong key", send('{"error":"Invalid API key"}'), "MODEL_REFUSED_KEY", "Invalid API key"],
  ])("%s is told with its words", async (_, answer, code, words) => {
    await expect(askServer(answer)).rejects.toMatchObject({ code, message: expect.stringContaining(words) });
  });
});

describe("calls are told apart", () => {
  const time = { name: "time", arguments: {} };
  const think = { name: "think", arguments: { thought: "one" } };

  test.each<[string, readonly string[], readonly object[]]>([
    [
      "two with one id and one number",
      [
        openaiCall({ id: "x", name: "think", arguments: '{"thought":"one"}' }),
        openaiCall({ id: "x", name: "time", arguments: "{}" }),
      ],
      [think, time],
    ],
    [
      "two of one tool with one id",
      [
        openaiCall({ id: "x", name: "think", arguments: '{"thought":"one"}' }),
        openaiCall({ id: "x", name: "think", arguments: '{"thought":"two"}' }),
      ],
      [think, { name: "think", arguments: { thought: "two" } }],
    ],
    [
      "one whose id changes on the way",
      [
        openaiCall({ id: "a", name: "think" }),
        openaiCall({ id: "b", arguments: '{"thought":' }),
        openaiCall({ id: "b", arguments: '"one"}' }),
      ],
      [think],
    ],
    [
      "one that is sent again whole",
      [
        openaiCall({ id: "a", name: "think", arguments: '{"thought":"one"}' }),
        openaiCall({ id: "a", arguments: '{"thought":"one"}' }),
      ],
      [think],
    ],
    [
      "one with its name in pieces",
      [openaiCall({ id: "a", name: "thi" }), openaiCall({ name: "nk", arguments: '{"thought":"one"}' })],
      [think],
    ],
    [
      "one with its arguments as an object",
      [
        openaiDelta({
          tool_calls: [{ index: 0, id: "a", function: { name: "think", arguments: { thought: "one" } } }],
        }),
      ],
      [think],
    ],
    [
      "one with its arguments as a string in a string",
      [openaiCall({ id: "a", name: "think", arguments: JSON.stringify('{"thought":"one"}') })],
      [think],
    ],
    [
      "one in the old form",
      [
        openaiDelta({ function_call: { name: "think", arguments: '{"thought":' } }),
        openaiDelta({ function_call: { arguments: '"one"}' } }),
      ],
      [think],
    ],
    [
      "one whose second part has a number of its own",
      [
        openaiCall({ index: 0, id: "a", name: "think", arguments: '{"thought":' }),
        openaiCall({ index: 1, arguments: '"one"}' }),
      ],
      [think],
    ],
    [
      "two without any number or id",
      [
        openaiDelta({
          tool_calls: [
            { function: { name: "think", arguments: '{"thought":"one"}' } },
            { function: { name: "time", arguments: "{}" } },
          ],
        }),
      ],
      [think, time],
    ],
  ])("%s", async (_, pieces, calls) => {
    const { answer } = await askServer(sendEvents(...pieces, openaiFinish("tool_calls"), openaiDone));
    expect(answer.calls).toEqual(calls);
  });

  test("a call whose arguments never came is not run where its tool needs some", async () => {
    const { answer } = await askServer(
      sendEvents(
        openaiCall({ id: "a", name: "shell" }),
        openaiCall({ index: 1, id: "b", name: "time" }),
        openaiFinish("tool_calls"),
      ),
    );
    expect(answer.calls).toEqual([
      { name: "shell", arguments: {}, fault: expect.stringContaining("did not arrive") },
      time,
    ]);
  });
});

describe("thoughts are no part of an answer", () => {
  test.each<[string, readonly string[], string]>([
    ["in a tag at the beginning", ["<think>the user greets", " me</think>\n\n你好。"], "你好。"],
    ["in square brackets", ["[THINK]the use", "r greets me[/T", "HINK]你好。"], "你好。"],
    ["in Kimi's signs", ["◁think▷hm◁/think▷你好。"], "你好。"],
    ["with only their end", ["用户在打招呼，我应该简短回应", "。</think>你好，", "有什么事？"], "你好，有什么事？"],
    ["around a marked answer", ["<think>hm</think><final>你", "好。</final>\n"], "你好。"],
  ])("%s", async (_, pieces, text) => {
    const { answer, shown } = await askServer(sendEvents(...pieces.map(openaiText), openaiFinish("stop")));
    expect([answer.text, shown]).toEqual([text, text]);
  });

  test.each([
    ["Qwen 的模板会先输出一个", " <think> 标签，再写", "正文，最后是 </think>。"],
    ["The tag `</think>` ends it.\n", "Then the answer begins."],
    ["看这段：\n```\n先想。\n</think>\n```\n就是这样。"],
  ])("an answer about them arrives whole: %s %s", async (...pieces) => {
    const { answer } = await askServer(sendEvents(...pieces.filter(Boolean).map(openaiText), openaiFinish("stop")));
    expect(answer.text).toBe(pieces.filter(Boolean).join(""));
  });
});

test("an answer keeps the provider's extra fields with their source", async () => {
  const details = (text: string) => [{ type: "reasoning.text", index: 0, text }];
  const { answer } = await askServer(
    sendEvents(
      openaiDelta({ role: "assistant", reasoning_content: "I need ", reasoning_details: details("I need ") }),
      openaiDelta({ reasoning_content: "the clock.", reasoning_details: details("the clock.") }),
      openaiDelta({
        tool_calls: [
          {
            index: 0,
            id: "own-1",
            type: "function",
            extra_content: { google: { thought_signature: "s" } },
            function: { name: "time", arguments: "{}" },
          },
        ],
      }),
      openaiFinish("tool_calls"),
    ),
  );
  expect(answer.kept).toEqual({
    from: expect.stringMatching(/^openai:m@127\.0\.0\.1:\d+$/),
    fields: { reasoning_content: "I need the clock.", reasoning_details: details("I need the clock.") },
    calls: [{ id: "own-1", fields: { extra_content: { google: { thought_signature: "s" } } } }],
  });
});
