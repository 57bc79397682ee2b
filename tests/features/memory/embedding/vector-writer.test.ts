import { expect, it, onTestFinished } from "vitest";
import { createServerEmbedder } from "../../../../src/features/memory/embedding/server-embedder.ts";
import { createMeaning } from "../../../../src/features/memory/embedding/meaning.ts";
import { createVectorWriter } from "../../../../src/features/memory/embedding/vector-writer.ts";
import { searchSemantic } from "../../../../src/features/chatlog/search-semantic.ts";
import { createEmbedTexts } from "../../../../src/models/embed-texts.ts";
import type { Store } from "../../../../src/store/open-store.ts";
import { addLogChat, appendToLog } from "../../../../src/features/chatlog/queries/append-to-log.ts";
import { HandClock } from "../../../support/hand-clock.ts";
import { embeddingsKey, startEmbeddingsServer } from "../../../support/models/embeddings-server.ts";
import { createTestStore } from "../../../support/test-store.ts";
import { waitUntil } from "../../../support/wait-until.ts";

const now = Date.UTC(2026, 10, 23);

function createLog() {
  const said: string[] = [];
  const tell = (...given: readonly unknown[]) => void said.push(String(given.at(-1)));
  return { said, log: { warn: tell, info: tell } as never };
}

async function addMessages(store: Store, texts: readonly string[], name = "talk"): Promise<number> {
  return store.main.transaction().execute(async (tx) => {
    const chat = await addLogChat(tx, { name, kind: "import", readers: ["owners"], now });
    const entries = texts.map((text, index) => {
      const sender = { person: "", name: "n" };
      return {
        chat,
        sender,
        role: "person" as const,
        text,
        taint: "untrusted" as const,
        key: `${index}`,
        saidAt: now + index,
      };
    });
    await appendToLog(tx, entries);
    return chat;
  });
}

const countOf = async (store: Store, model: string) =>
  (await store.main.selectFrom("vectors").select("item").where("model", "=", model).execute()).length;

it("texts are embedded in the background, in batches, up to a limit, and again after a change of model or a failure", async () => {
  const store = await createTestStore();
  const server = await startEmbeddingsServer([/tea|oolong/, /rain/]);
  const { log, said } = createLog();
  const chat = await addMessages(
    store,
    Array.from({ length: 100 }, (_, index) => (index === 90 ? "ok" : `about rain ${index}`)),
  );
  const embed = createEmbedTexts({ baseUrl: server.url, apiKey: embeddingsKey, model: "test-vectors" });
  const start = (model: string, most: number) => {
    const embedder = createServerEmbedder(embed, model);
    const pauses = { idleMs: 20, breathMs: 0, failedMs: 20, mostMs: 40 };
    const writer = createVectorWriter({ db: store.main, embedder, maxMessages: () => most, log, pauses });
    writer.start();
    onTestFinished(() => writer.stop());
    return { embedder, writer };
  };
  server.be("failing");
  const first = start("one", 60);
  await waitUntil("the server is asked", () => server.asked.length >= 3);
  server.be("well");
  await waitUntil("all is read", async () => (await countOf(store, "server:one")) === 60);
  expect(said).toEqual([
    "the model for embeddings did not answer; memory is searched by words",
    "the model for embeddings answers again",
  ]);
  // "ok" says nothing, and is not sent.
  expect(server.asked.flat()).not.toContain("ok");
  expect(Math.max(...server.asked.map(({ length }) => length))).toBeLessThanOrEqual(32);
  const asked = server.asked.length;
  await addMessages(store, ["oolong is ready"], "other");
  await waitUntil("all is read", async () => (await countOf(store, "server:one")) === 61);
  expect(server.asked.length).toBe(asked + 1);
  await first.writer.stop();

  const second = start("two", 1_000);
  await waitUntil("all is read", async () => (await countOf(store, "server:two")) === 101);
  expect(await countOf(store, "server:one")).toBe(0);
  await second.writer.stop();

  // No word of the question is in the message.
  const clock = new HandClock();
  const meaning = createMeaning({ db: store.main, embedder: second.embedder, clock, log });
  const chats = [chat, chat + 1];
  const options = { limit: 3, now, zone: "UTC" };
  const search = (text: string, within = chats) => searchSemantic({ db: store.main, meaning }, within, text, options);
  const found = await search("a cup of tea?");
  expect([found.kind, found.found[0]?.message.text]).toEqual(["semantic", "oolong is ready"]);
  expect(found.found.every(({ score }) => score > 0 && score <= 1)).toBe(true);
  expect((await search("a cup of tea?", [chat])).found.map(({ message }) => message.text)).not.toContain(
    "oolong is ready",
  );

  // The server is gone: it says that words were compared, and asks no more for a minute.
  server.be("failing");
  const before = server.asked.length;
  expect(await search("rain 12")).toMatchObject({
    kind: "lexical",
    found: [{ message: { text: "about rain 12" } }, {}, {}],
  });
  expect((await search("rainy 77")).kind).toBe("lexical");
  expect(server.asked.length).toBe(before + 1);
  server.be("well");
  clock.advance(60_000);
  expect((await search("something wet, rain")).kind).toBe("semantic");
});

it("a text that was changed after it was read is embedded again", async () => {
  const store = await createTestStore();
  const server = await startEmbeddingsServer([/tea/, /rain/]);
  await addMessages(store, ["about rain", "more about rain"]);
  const embed = createEmbedTexts({ baseUrl: server.url, apiKey: embeddingsKey, model: "test-vectors" });
  const embedder = createServerEmbedder(embed, "one");
  const pauses = { idleMs: 1, breathMs: 0 };
  const writer = createVectorWriter({ db: store.main, embedder, maxMessages: () => 60, ...createLog(), pauses });
  writer.start();
  onTestFinished(() => writer.stop());
  await waitUntil("both are read", async () => (await countOf(store, "server:one")) === 2);
  await store.main.updateTable("log_messages").set({ text: "about tea" }).where("text", "=", "about rain").execute();
  await waitUntil("the changed one is read", () => server.asked.flat().includes("about tea"));
  await waitUntil("it is kept", async () => (await countOf(store, "server:one")) === 2);
  expect(server.asked.flat()).toEqual(expect.arrayContaining(["about rain", "about tea"]));
});

it("a search without a model compares letters where words find too little, and reports it", async () => {
  const store = await createTestStore();
  const chat = await addMessages(store, ["oolong is ready", "see you", "good night"]);
  const options = { limit: 3, now, zone: "UTC" };
  const { found, kind } = await searchSemantic({ db: store.main }, [chat], "oolon redy", options);
  expect(kind).toBe("lexical");
  expect(found.map(({ message }) => message.text)).toEqual(["oolong is ready"]);
  expect(await searchSemantic({ db: store.main }, [], "oolong", options)).toEqual({ kind: "lexical", found: [] });
});
