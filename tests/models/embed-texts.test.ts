import { describe, expect, test } from "vitest";
import { createEmbedTexts } from "../../src/models/embed-texts.ts";
import { embeddingsKey, startEmbeddingsServer } from "../support/models/embeddings-server.ts";
import { waitUntil } from "../support/wait-until.ts";

const longest = 30_000;
const options = (url: string) => ({ baseUrl: url, apiKey: embeddingsKey, model: "test-vectors" });

describe("vectors of texts", () => {
  test("come in the order of the texts, in requests that small servers take, too", async () => {
    const server = await startEmbeddingsServer([/tea/, /rain/]);
    const embed = createEmbedTexts(options(server.url));
    const texts = Array.from({ length: 70 }, (_, index) => `${index % 2 === 0 ? "tea" : "rain"}\n${index}`);
    const vectors = await embed(texts, longest);
    expect(vectors).toEqual(
      texts.map((text) => [0.1, text.startsWith("tea") ? 1 : 0, text.startsWith("rain") ? 1 : 0]),
    );
    expect(server.asked.flat().toSorted()).toEqual(texts.toSorted());
    expect(server.asked).toHaveLength(3);
    expect(await embed([], longest)).toEqual([]);
    expect(server.refused).toEqual([]);
  });

  test.each(["failing", "uneven", "few", "nonsense"] as const)(
    "createEmbedTexts fails when the server is %s",
    async (mood) => {
      const server = await startEmbeddingsServer([/tea/]);
      server.be(mood);
      await expect(createEmbedTexts(options(server.url))(["tea", "rain"], longest)).rejects.toThrow(Error);
      expect(server.asked).toEqual([["tea", "rain"]]);
    },
  );

  test.each([
    ["key", { apiKey: "sk-other" }],
    ["model", { model: "other" }],
    ["address", { baseUrl: "http://127.0.0.1:1/v1" }],
  ])("createEmbedTexts fails with a wrong %s and does not try again", async (_what, wrong) => {
    const server = await startEmbeddingsServer();
    await expect(createEmbedTexts({ ...options(server.url), ...wrong })(["tea"], longest)).rejects.toThrow(Error);
    expect(server.asked).toEqual([]);
    expect(server.refused.length).toBeLessThan(2);
  });

  test.each(["silent", "dripping"] as const)(
    "createEmbedTexts stops waiting for a server that is %s, and the request ends, too",
    async (mood) => {
      const server = await startEmbeddingsServer();
      server.be(mood);
      await expect(createEmbedTexts(options(server.url))(["tea"], 200)).rejects.toThrow(Error);
      await waitUntil("the end of the request", () => server.abandoned() === 1);
      expect(server.asked).toEqual([["tea"]]);
    },
  );
});
