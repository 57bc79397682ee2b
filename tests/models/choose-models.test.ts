import { expect, test } from "vitest";
import { chooseModels } from "../../src/models/choose-models.ts";
import { formatModelReference } from "../../src/models/model-reference.ts";

const nothing = {
  wanted: undefined,
  keys: { openai: false, anthropic: false },
  openaiBaseUrl: false,
  ollamaModel: undefined,
};

test.each([
  ["nothing set", nothing, ["offline"]],
  ["an OpenAI key", { ...nothing, keys: { openai: true, anthropic: false } }, ["openai:gpt-4o-mini"]],
  [
    "both keys",
    { ...nothing, keys: { openai: true, anthropic: true } },
    ["openai:gpt-4o-mini", "anthropic:claude-sonnet-4-5"],
  ],
  ["Ollama answers", { ...nothing, ollamaModel: "qwen3:8b" }, ["ollama:qwen3:8b"]],
  [
    "a key before Ollama",
    { ...nothing, keys: { openai: false, anthropic: true }, ollamaModel: "x" },
    ["anthropic:claude-sonnet-4-5"],
  ],
  ["blank", { ...nothing, wanted: "  " }, ["offline"]],
  ["offline by name", { ...nothing, wanted: "offline", keys: { openai: true, anthropic: true } }, ["offline"]],
  [
    "a list",
    { ...nothing, wanted: "ollama:qwen3:8b , openai:gpt-4o,offline", openaiBaseUrl: true },
    ["ollama:qwen3:8b", "openai:gpt-4o", "offline"],
  ],
])("%s", (_, input, expected) => {
  const choice = chooseModels(input);
  expect(choice.kind === "models" && choice.models.map(formatModelReference)).toEqual(expected);
});

test.each([
  ["gemini:pro", "unknown provider"],
  ["openai:", "name is missing"],
  ["gpt-4o", "unknown provider"],
  ["offline,", "empty entry"],
  ["openai:gpt-4o", "OPENAI_API_KEY"],
  ["anthropic:claude", "ANTHROPIC_API_KEY"],
  ["offline:x", "no name"],
])("refuses %s", (wanted, fault) => {
  expect(chooseModels({ ...nothing, wanted })).toMatchObject({ kind: "faulty", fault: expect.stringContaining(fault) });
});

test("every fault is told at once", () => {
  const choice = chooseModels({ ...nothing, wanted: "gemini:pro,anthropic:" });
  expect(choice).toMatchObject({ kind: "faulty", fault: expect.stringMatching(/gemini.*anthropic/) });
});
