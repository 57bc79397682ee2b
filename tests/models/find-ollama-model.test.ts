import { expect, test } from "vitest";
import { findOllamaModel, resolveOllamaUrl } from "../../src/models/providers/find-ollama-model.ts";
import { sendAndHang, sendStatus, startRawServer } from "../support/models/start-raw-server.ts";

test("answers the first model that can chat", async () => {
  const tags = { models: [{ name: "nomic-embed-text:latest" }, { name: "qwen3:8b" }] };
  await using server = await startRawServer(sendStatus(200, tags));
  expect(await findOllamaModel(server.url, 5_000)).toBe("qwen3:8b");
  expect(server.seen[0]?.path).toBe("/api/tags");
});

test("a server that does not answer like Ollama is none", async () => {
  await using empty = await startRawServer(sendStatus(200, { models: [] }));
  await using other = await startRawServer(sendStatus(404, "<html>"));
  await using silent = await startRawServer(sendAndHang());
  expect(await findOllamaModel(empty.url, 5_000)).toBeUndefined();
  expect(await findOllamaModel(other.url, 5_000)).toBeUndefined();
  expect(await findOllamaModel(silent.url, 100)).toBeUndefined();
  await silent[Symbol.asyncDispose]();
  expect(await findOllamaModel(silent.url, 5_000)).toBeUndefined();
});

test.each([
  [undefined, "http://127.0.0.1:11434"],
  ["", "http://127.0.0.1:11434"],
  ["0.0.0.0", "http://127.0.0.1:11434"],
  ["box:1234", "http://box:1234"],
  ["box", "http://box:11434"],
  ["https://ollama.example/", "https://ollama.example"],
  ["http://[::]:9/base/", "http://127.0.0.1:9/base"],
])("OLLAMA_HOST %s is %s", (host, url) => {
  expect(resolveOllamaUrl(host)).toBe(url);
});
