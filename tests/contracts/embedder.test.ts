import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { compareUnits, type Embedder } from "../../src/features/memory/embedding/embedder.ts";
import { createLexicalEmbedder } from "../../src/features/memory/embedding/lexical-embedder.ts";
import { createLlamaEmbedder, loadLlama } from "../../src/features/memory/embedding/llama-embedder.ts";
import { createServerEmbedder } from "../../src/features/memory/embedding/server-embedder.ts";
import { createEmbedTexts } from "../../src/models/embed-texts.ts";
import { tellLeftOut } from "../support/left-out.ts";
import { embeddingsKey, startEmbeddingsServer } from "../support/models/embeddings-server.ts";
import { writeTinyGguf } from "../support/models/tiny-gguf.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";

const longest = 20_000;
const hasLlama = await loadLlama().then(
  () => true,
  () => false,
);
if (!hasLlama)
  tellLeftOut(
    "the embedder of GGUF files, but for a stand-in",
    "node-llama-cpp is not installed: npm install node-llama-cpp",
  );

/** A stand-in for node-llama-cpp, without a model: its context refuses a text of more than 126 letters. */
const standIn: Parameters<typeof createLlamaEmbedder>[1] = () =>
  Promise.resolve({
    getLlama: () =>
      Promise.resolve({
        loadModel: () =>
          Promise.resolve({
            embeddingVectorSize: 3,
            createEmbeddingContext: () =>
              Promise.resolve({
                model: { trainContextSize: 128 },
                calculateInputLength: (text: string) => text.length + 2,
                getEmbeddingFor(text: string) {
                  if (text === "" || text.length > 126)
                    throw new Error("Input is longer than the usable context size.");
                  return Promise.resolve({ vector: [(text.codePointAt(0) ?? 0) % 7, 5, 1] });
                },
              }),
          }),
        dispose: () => Promise.resolve(),
      }),
  });

const standInThatRefuses = () => Promise.resolve({ getLlama: () => Promise.reject(new Error("invalid magic")) });

async function createLlama(load?: typeof standIn): Promise<Embedder> {
  const path = join(await createTemporaryFolder(), "tiny.gguf");
  writeTinyGguf(path);
  return createLlamaEmbedder(path, load);
}

const embedders: Readonly<Record<string, () => Promise<Embedder>>> = {
  "the built-in one": () => Promise.resolve(createLexicalEmbedder()),
  "one behind a server": async () => {
    const { url } = await startEmbeddingsServer([/tea/, /rain/]);
    return createServerEmbedder(
      createEmbedTexts({ baseUrl: url, apiKey: embeddingsKey, model: "test-vectors" }),
      "test-vectors",
    );
  },
  "a GGUF file, by a stand-in of its package": () => createLlama(standIn),
  ...(hasLlama && { "a GGUF file": () => createLlama() }),
};

describe.each(Object.entries(embedders))("the embedder contract: %s", (_, create) => {
  it("gives one vector of length 1 a text, of one size, the same for the same text", async () => {
    const embedder = await create();
    onTestFinished(() => embedder.close());
    expect(await embedder.embed([], longest)).toEqual([]);
    const texts = [
      "tea with milk",
      "rain tomorrow",
      "tea with milk",
      "",
      "  ",
      "😀",
      "\ud800",
      `long ${"tea ".repeat(5_000)}`,
    ];
    const vectors = await embedder.embed(texts, longest);
    expect(vectors).toHaveLength(texts.length);
    expect(new Set(vectors.map(({ length }) => length))).toEqual(new Set([embedder.dimensions]));
    for (const at of [0, 1, 2, 7]) {
      const length = Math.hypot(...(vectors[at] ?? []));
      expect(length).toBeCloseTo(1, 4);
    }
    expect(vectors.flatMap((vector) => [...vector]).every(Number.isFinite)).toBe(true);
    const [tea, rain, again] = vectors as [Float32Array, Float32Array, Float32Array];
    expect(compareUnits(tea, again)).toBeCloseTo(1, 4);
    expect(compareUnits(tea, rain)).toBeLessThan(0.9999);
    expect(compareUnits(tea, new Float32Array(1))).toBe(-1);
    const [both] = await Promise.all([embedder.embed(["rain tomorrow"], longest), embedder.embed(["x"], longest)]);
    expect(compareUnits(both[0] ?? tea, rain)).toBeCloseTo(1, 4);
    expect(embedder.id).not.toBe("");
  });
});

it("the built-in one knows what is written alike, whatever it means", async () => {
  const embedder = createLexicalEmbedder();
  const [asked, slip, other, variant] = (await embedder.embed(
    ["显微镜在教授那里", "显微竟在教受那里", "明天吃什么", "顯微鏡在教授那裡"],
    longest,
  )) as [Float32Array, Float32Array, Float32Array, Float32Array];
  expect(compareUnits(asked, slip)).toBeGreaterThan(0.4);
  expect(compareUnits(asked, variant)).toBeCloseTo(1, 4);
  expect(compareUnits(asked, other)).toBeLessThan(0.2);
});

it("a GGUF file that is not there, and a package that is not, are faults with the remedy", async () => {
  const missing = createLlamaEmbedder("/nowhere/model.gguf", standIn);
  await expect(missing.embed(["x"], longest)).rejects.toMatchObject({
    code: "EMBEDDINGS_UNAVAILABLE",
    message: expect.stringContaining("there is no file /nowhere/model.gguf"),
  });
  const broken = createLlamaEmbedder(import.meta.filename, hasLlama ? loadLlama : standInThatRefuses);
  await expect(broken.embed(["x"], longest)).rejects.toThrow("Choose a GGUF file of an embedding model");
});

it.skipIf(hasLlama)("a GGUF file without its package is a fault that names the package", async () => {
  const without = await createLlama();
  await expect(without.embed(["x"], longest)).rejects.toMatchObject({
    code: "EMBEDDINGS_UNAVAILABLE",
    message: expect.stringContaining("npm install node-llama-cpp@3"),
  });
});

it("one that takes too long is given up", async () => {
  const silent = await createLlama(() => new Promise(() => undefined));
  await expect(silent.embed(["x"], 50)).rejects.toThrow("timeout");
});
