import { HumanMessage } from "@langchain/core/messages";
import { describe, expect, test } from "vitest";
import { buildPrompt } from "../../src/kernel/agent/build-prompt.ts";
import type { TurnStateValue } from "../../src/kernel/agent/state.ts";
import type { InputKind } from "../../src/core/content-part.ts";
import { ask, createTestModels } from "../support/models/ask-models.ts";
import { sendEvents, sendStatus, startRawServer, type RawAnswer } from "../support/models/start-raw-server.ts";
import {
  anthropicStart,
  anthropicStop,
  anthropicText,
  openaiDone,
  openaiFinish,
  openaiText,
} from "../support/models/wire-events.ts";

const part = (path: string) => ({ type: "image", mimeType: "image/png", path, bytes: 3 }) as const;
const result = (callId: string, ...parts: readonly ReturnType<typeof part>[]) =>
  ({
    role: "tool",
    callId,
    tool: "screenshot",
    ok: true,
    text: `{"ok":true}`,
    ...(parts.length > 0 && { parts }),
  }) as const;
const calls = ["1.1", "1.2"].map((id) => ({ id, name: "screenshot", arguments: {} }));

/** A turn in which two screenshots were taken in one round, of which one is still there. */
const messages = buildPrompt(
  {
    input: { text: "look", turn: "t", chatKind: "private", person: { name: "Okabe", role: "owner" } },
    moment: "now",
    knowledge: "",
    lore: "",
    preferences: "",
    waiting: [],
    offered: [],
    skillCatalogue: "",
    suggestedSkills: [],
    network: [],
    examples: [],
    given: [],
    instruction: "",
    draft: "",
    transcript: [
      { role: "assistant", text: "", calls },
      result("1.1", part("results/a.png")),
      result("1.2", part("results/gone.png")),
    ],
  } as unknown as TurnStateValue,
  "You are Kurisu.",
  [],
  new Map([["results/a.png", "QUJD"]]),
);

const openaiAnswer = sendEvents(openaiText("a diagram"), openaiFinish("stop"), openaiDone);
const anthropicAnswer = sendEvents(anthropicStart(), anthropicText(0, "a diagram"), anthropicStop("end_turn"));

async function askAbout(provider: "openai" | "anthropic", ...answers: readonly RawAnswer[]) {
  await using server = await startRawServer(...answers);
  const models = createTestModels({
    models: `${provider}:m`,
    credentials:
      provider === "openai"
        ? { openai: { apiKey: "k", baseUrl: `${server.url}/v1` } }
        : { anthropic: { apiKey: "k", baseUrl: server.url } },
  });
  const { answer } = await ask(models, { messages });
  const again = await ask(models, { messages });
  return {
    text: answer.text,
    again: again.answer.text,
    bodies: server.seen.map(({ body }) => body as { messages: { role: string }[] }),
  };
}

describe("a picture of a tool's result", () => {
  test("goes to OpenAI after the results of the round, which stay side by side", async () => {
    const { text, bodies } = await askAbout("openai", openaiAnswer);
    expect(text).toBe("a diagram");
    expect(bodies[0]?.messages.map(({ role }) => role)).toEqual([
      "system",
      "user",
      "assistant",
      "tool",
      "tool",
      "user",
    ]);
    expect(bodies[0]?.messages.at(-1)).toMatchObject({
      content: [
        { type: "text", text: "[record] The pictures of these results: results/a.png" },
        { type: "image_url", image_url: { url: "data:image/png;base64,QUJD" } },
      ],
    });
  });

  test("goes to Anthropic as its own image block", async () => {
    const { bodies } = await askAbout("anthropic", anthropicAnswer);
    expect(bodies[0]?.messages.at(-1)).toEqual({
      role: "user",
      content: [
        { type: "tool_result", tool_use_id: "call00001", content: `{"ok":true}` },
        { type: "tool_result", tool_use_id: "call00002", content: `{"ok":true}` },
        { type: "text", text: "[record] The pictures of these results: results/a.png" },
        { type: "image", source: { type: "base64", media_type: "image/png", data: "QUJD" } },
      ],
    });
  });

  test("a picture is left out for a model that refuses it; the model is told, and gets no picture again", async () => {
    const refusal = sendStatus(400, { error: { message: "image_url is only supported by certain models" } });
    const { text, again, bodies } = await askAbout("openai", refusal, openaiAnswer);
    expect([text, again]).toEqual(["a diagram", "a diagram"]);
    expect(bodies.map((body) => JSON.stringify(body).includes("QUJD"))).toEqual([true, false, false]);
    expect(JSON.stringify(bodies[1])).toContain("this model does not take them");
  });

  test("a refusal of words alone stays a refusal", async () => {
    await using server = await startRawServer(sendStatus(400, { error: { message: "too long" } }));
    const models = createTestModels({
      models: "openai:m",
      credentials: { openai: { apiKey: "k", baseUrl: `${server.url}/v1` } },
    });
    await expect(ask(models, { messages: [new HumanMessage("hello")] })).rejects.toThrow(/No model answered/);
    expect(server.seen).toHaveLength(1);
  });
});

describe("a part of a person's message", () => {
  const parts = [
    { type: "image", mimeType: "image/png", data: "QUJD" },
    { type: "file", mimeType: "application/pdf", data: "UERG", metadata: { filename: "inbox/a.pdf" } },
    { type: "audio", mimeType: "audio/wav", data: "V0FW" },
  ];
  const asked = [new HumanMessage({ content: [{ type: "text", text: "look" }, ...parts] as never })];

  /** What the server was sent, by the models' own inputs or by those of models.yaml. */
  async function send(
    model: string,
    inputs: readonly InputKind[] | undefined,
    ...answers: readonly RawAnswer[]
  ): Promise<readonly unknown[]> {
    await using server = await startRawServer(...answers);
    const models = createTestModels({
      models: model,
      credentials: {
        openai: { apiKey: "k", baseUrl: `${server.url}/v1` },
        anthropic: { apiKey: "k", baseUrl: server.url },
      },
      ...(inputs && { inputs }),
    });
    await ask(models, { messages: asked });
    return server.seen.map(({ body }) => (body as { messages: { content: unknown }[] }).messages.at(-1)?.content);
  }

  test("goes to OpenAI in the form of chat completions", async () => {
    expect(await send("openai:m", ["image", "file", "audio"], openaiAnswer)).toEqual([
      [
        { type: "text", text: "look" },
        { type: "image_url", image_url: { url: "data:image/png;base64,QUJD" } },
        { type: "file", file: { filename: "inbox/a.pdf", file_data: "data:application/pdf;base64,UERG" } },
        { type: "input_audio", input_audio: { data: "V0FW", format: "wav" } },
      ],
    ]);
  });

  test("goes to Anthropic once each; what its models do not take is told in words", async () => {
    expect(await send("anthropic:m", undefined, anthropicAnswer)).toEqual([
      [
        { type: "text", text: expect.stringMatching(/^look\n\(The sounds are left out/) },
        { type: "image", source: { type: "base64", media_type: "image/png", data: "QUJD" } },
        { type: "document", source: { type: "base64", media_type: "application/pdf", data: "UERG" } },
      ],
    ]);
  });

  test("a refused part is left out of the next try: first the rarer kinds, then pictures", async () => {
    const refusal = sendStatus(400, { error: { message: "Invalid content type" } });
    const sent = await send("openai:m", ["image", "file"], refusal, refusal, openaiAnswer);
    expect(sent.map((content) => JSON.stringify(content).match(/"type":"\w+"/g))).toEqual([
      ['"type":"text"', '"type":"image_url"', '"type":"file"'],
      ['"type":"text"', '"type":"image_url"'],
      null,
    ]);
    expect(sent[2]).toMatch(
      /^look\n\(The pictures and sounds and documents are left out: .* Say so instead of guessing\.\)$/,
    );
  });

  test("a picture is not offered to a local model that only reads", async () => {
    expect(createTestModels({ models: "ollama:qwen3:8b" }).inputs).toEqual(new Set());
    expect(createTestModels({ models: "ollama:qwen2.5vl:7b,offline" }).inputs).toEqual(new Set(["image"]));
  });
});
