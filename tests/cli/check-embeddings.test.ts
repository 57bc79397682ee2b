import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { checkEmbeddings } from "../../src/cli/check-embeddings.ts";
import { memoryOptions } from "../../src/features/memory/memory-options.ts";

const memory = memoryOptions.parse({});
const here = memoryOptions.parse({ embeddings: { gguf: import.meta.filename } });

async function startServer(status: number): Promise<string> {
  const server = createServer((_, response) => response.writeHead(status).end("{}"));
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

test("a doctor names what memory is searched by, and what to do where the model does not answer", async () => {
  const missing = (): Promise<never> => Promise.reject(new Error("npm install node-llama-cpp@3"));
  const states = [
    await checkEmbeddings({ memory }),
    await checkEmbeddings({ memory, embeddings: { baseUrl: await startServer(200), model: "bge-m3" } }),
    await checkEmbeddings({ memory, embeddings: { baseUrl: await startServer(401), apiKey: "key" } }),
    await checkEmbeddings({ memory, embeddings: { baseUrl: "http://127.0.0.1:1/v1" } }),
    await checkEmbeddings({ memory: here }, () => Promise.resolve({})),
    await checkEmbeddings({ memory: here }, missing),
    await checkEmbeddings({ memory: memoryOptions.parse({ embeddings: { gguf: "/nowhere/model.gguf" } }) }),
  ];
  expect(states.map(({ check, detail, state }) => [check, state, detail])).toEqual(
    [
      ["ok", /^none: .*searched by words\. Set EMBEDDINGS_BASE_URL, or embeddings\.gguf/],
      ["ok", /^bge-m3 at 127\.0\.0\.1:\d+, which answers$/],
      ["broken", /^EMBEDDINGS_API_KEY: .*HTTP 401.*searched by words$/],
      ["broken", /^EMBEDDINGS_BASE_URL: 127\.0\.0\.1:1 .*searched by words$/],
      ["ok", /in this process$/],
      ["broken", /npm install node-llama-cpp@3.*searched by words$/],
      ["broken", /embeddings\.gguf: .*\/nowhere\/model\.gguf.*searched by words$/],
    ].map(([state, detail]) => ["embeddings", state, expect.stringMatching(detail!) as string]),
  );
});
