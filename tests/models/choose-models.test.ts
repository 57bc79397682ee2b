import { expect, test } from "vitest";
import {
  chooseModels,
  listIdleKeys,
  listKeysLeftOffline,
  type ModelChoiceInput,
} from "../../src/models/choose-models.ts";
import { formatModelReference } from "../../src/models/model-reference.ts";

const nothing: ModelChoiceInput = { wanted: undefined, credentials: {}, found: undefined };
const keys = { openai: { apiKey: "o" }, anthropic: { apiKey: "a" } };
const ofOllama: ModelChoiceInput["found"] = { provider: "ollama", name: "qwen3:8b" };

test.each<[string, ModelChoiceInput, readonly string[]]>([
  ["nothing set", nothing, ["offline"]],
  ["an OpenAI key", { ...nothing, credentials: { openai: keys.openai } }, ["openai:gpt-4o-mini"]],
  ["both keys", { ...nothing, credentials: keys }, ["openai:gpt-4o-mini", "anthropic:claude-sonnet-4-5"]],
  ["Ollama answers", { ...nothing, found: ofOllama }, ["ollama:qwen3:8b"]],
  [
    "a key before Ollama",
    { ...nothing, credentials: { anthropic: keys.anthropic }, found: ofOllama },
    ["anthropic:claude-sonnet-4-5"],
  ],
  [
    "a server without keys is asked by name only",
    { ...nothing, credentials: { openai: { baseUrl: "b" } } },
    ["offline"],
  ],
  ["blank", { ...nothing, wanted: "  " }, ["offline"]],
  ["offline by name", { ...nothing, wanted: "offline", credentials: keys }, ["offline"]],
  [
    "a list",
    { ...nothing, wanted: "ollama:qwen3:8b , openai:gpt-4o,offline", credentials: { openai: { baseUrl: "b" } } },
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

test.each([
  ["an address without a key names no model", { credentials: { openai: { baseUrl: "b" } } }, ["OPENAI_BASE_URL"]],
  ["a key with a default model is used", { credentials: keys }, []],
  ["Ollama is looked at", { credentials: { ollama: { baseUrl: "b" } } }, []],
  ["a model was named", { wanted: "offline", credentials: { openai: { baseUrl: "b" } } }, []],
])("idle keys: %s", (_, input, variables) => {
  expect(listIdleKeys(input).map(({ variable }) => variable)).toEqual(variables);
});

test.each([
  ["no model is named", { credentials: keys }, []],
  [
    "the offline model alone is named",
    { wanted: " offline ", credentials: keys },
    ["OPENAI_API_KEY", "ANTHROPIC_API_KEY"],
  ],
  ["the offline model is the last one", { wanted: "openai:a,offline", credentials: keys }, []],
  ["an address has no key", { wanted: "offline", credentials: { openai: { baseUrl: "b" } } }, []],
])("keys that stay unused when %s", (_, input, variables) => {
  expect(listKeysLeftOffline(input)).toEqual(variables);
});

test("every fault is told at once", () => {
  const choice = chooseModels({ ...nothing, wanted: "gemini:pro,anthropic:" });
  expect(choice).toMatchObject({ kind: "faulty", fault: expect.stringMatching(/gemini.*anthropic/) });
});
