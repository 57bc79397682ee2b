import { expect, it, onTestFinished } from "vitest";
import { createServerEmbedder } from "../../../src/features/memory/embedding/server-embedder.ts";
import { createVectorWriter } from "../../../src/features/memory/embedding/vector-writer.ts";
import { createEmbedTexts } from "../../../src/models/embed-texts.ts";
import { TestGateway } from "../../support/gateway.ts";
import { embeddingsKey, startEmbeddingsServer } from "../../support/models/embeddings-server.ts";
import type { ScriptedView } from "../../support/scripted-model.ts";
import { waitUntil } from "../../support/wait-until.ts";

const promptOf = ({ request }: ScriptedView): string => request.messages.map((message) => message.text).join("\n");
const isSummary = (view: ScriptedView): boolean => promptOf(view).includes("You write the record of a conversation");

it("a question without a shared word finds an old sentence by meaning, on this line and in this chat only", async () => {
  const server = await startEmbeddingsServer([/红豆|甜品/]);
  const embeddings = { baseUrl: server.url, apiKey: embeddingsKey, model: "test-vectors" };
  const kurisu = new TestGateway({ window: { tokens: 600, messages: 200 }, embeddings });
  onTestFinished(() => kurisu.dispose());
  await kurisu.start();
  kurisu.model.script = (view) => ({ text: isSummary(view) ? "他们聊了很多。" : "嗯" });
  const ask = async (text: string, chat = "talk") => {
    await kurisu.say(text, { chat });
    return promptOf(kurisu.model.asked.findLast((view) => !isSummary(view)) as ScriptedView);
  };
  await kurisu.say("冰箱那盒是红豆糕。", { chat: "talk" });
  for (let at = 1; at <= 24; at += 1)
    await kurisu.say(`第${at}天，天气不错，我在家里写了一会儿代码，又看了两页书，没有别的事情发生。`, { chat: "talk" });
  expect(await ask("有甜品吗？")).not.toContain("红豆糕");

  const { main } = kurisu.store;
  const embedder = createServerEmbedder(createEmbedTexts(embeddings), embeddings.model);
  const silent = { warn: () => undefined, info: () => undefined } as never;
  const writer = createVectorWriter({ db: main, embedder, maxMessages: () => 1_000, log: silent });
  writer.start();
  await waitUntil("all is read", async () => {
    const { read, said } = await main
      .selectNoFrom((of) => [
        of
          .selectFrom("vectors")
          .select(({ fn }) => fn.countAll<number>().as("count"))
          .as("read"),
        of
          .selectFrom("log_messages")
          .select(({ fn }) => fn.countAll<number>().as("count"))
          .as("said"),
      ])
      .executeTakeFirstOrThrow();
    return read === said;
  });
  await writer.stop();
  const asked = await ask("来点甜品？");
  expect(asked).toMatch(/\| \d{4}-\d\d-\d\d .+: 冰箱那盒是红豆糕。/);
  expect(await ask("来点甜品？", "elsewhere")).not.toContain("红豆糕");
  // The server is gone: words are compared, and nobody is kept waiting by a fault.
  server.be("failing");
  expect(await ask("还要别的甜品？")).not.toContain("红豆糕");
  kurisu.clock.advance(120_000);
  server.be("well");
  await kurisu.say("/new", { chat: "talk" });
  expect(await ask("甜品呢？")).not.toContain("红豆糕");
});
