import { HumanMessage } from "@langchain/core/messages";
import { expect, test } from "vitest";
import { ask, createTestModels, readShown, shellTool } from "../../support/models/ask-models.ts";
import { workTime } from "../../support/work-time.ts";

test("streams sentence by sentence, through the same door as any model", async () => {
  const models = createTestModels({ models: "offline" });
  expect(models.offline).toBe(true);
  expect(models.status()).toMatchObject([{ model: "offline", state: "ready" }]);
  const { answer, events } = await ask(models, { messages: [new HumanMessage("what can you do?")] });
  expect(answer).toMatchObject({ model: "offline", calls: [], cut: false });
  expect(events.length).toBeGreaterThan(1);
  expect(readShown(events)).toBe(answer.text);
});

test("streams a call in pieces that pass the strict reading", async () => {
  const models = createTestModels({ models: "offline" });
  const { answer } = await ask(models, { messages: [new HumanMessage("run echo \"a\\b\" 'c'")], tools: [shellTool] });
  expect(answer).toMatchObject({ text: "", calls: [{ name: "shell", arguments: { command: `echo "a\\b" 'c'` } }] });
});

test("answers in the person's language", async () => {
  const models = createTestModels({ models: "offline" });
  const { answer } = await ask(models, { messages: [new HumanMessage("ls")], language: "ja", tools: [] });
  expect(answer.text).toContain("/status");
});

test("stands in when every model before it fails", async () => {
  const credentials = { openai: { apiKey: "k", baseUrl: "http://127.0.0.1:9/v1" } };
  const models = createTestModels({ models: "openai:x,offline", credentials });
  expect(models.offline).toBe(false);
  expect((await ask(models)).answer.model).toBe("offline");
});

test.each([`把${" ".repeat(3_900)}！`, `把${"\t ".repeat(1_900)}x`, "写，".repeat(1_900), "把a ".repeat(900)])(
  "reads %j at once, whatever its rules could try on it",
  async (text) => {
    const models = createTestModels({ models: "offline" });
    const start = workTime();
    await ask(models, { messages: [new HumanMessage(text)], language: "zh" });
    expect(workTime() - start).toBeLessThan(15_000);
  },
);
