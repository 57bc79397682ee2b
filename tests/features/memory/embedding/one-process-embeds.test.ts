// full: two processes of one Postgres database
import { describe, expect, it, onTestFinished } from "vitest";
import { createServerEmbedder } from "../../../../src/features/memory/embedding/server-embedder.ts";
import { createVectorWriter } from "../../../../src/features/memory/embedding/vector-writer.ts";
import { addLogChat, appendToLog } from "../../../../src/features/chatlog/queries/append-to-log.ts";
import { createKnownSecrets } from "../../../../src/core/known-secrets.ts";
import { createLog } from "../../../../src/core/log.ts";
import { createEmbedTexts } from "../../../../src/models/embed-texts.ts";
import { embeddingsKey, startEmbeddingsServer } from "../../../support/models/embeddings-server.ts";
import { postgresIsThere } from "../../../support/postgres.ts";
import { createStorePlace } from "../../../support/store-engines.ts";
import { openTestStore } from "../../../support/test-store.ts";
import { waitUntil } from "../../../support/wait-until.ts";

const log = createLog({ level: "silent", secrets: createKnownSecrets([]) });

describe.runIf(postgresIsThere())("two processes that may embed", () => {
  it("send each text to the model once", async () => {
    const place = await createStorePlace("postgres");
    const stores = [await openTestStore(place), await openTestStore(place)];
    const [{ main }] = stores as [(typeof stores)[0]];
    const texts = Array.from({ length: 150 }, (_, index) => `about rain ${index}`);
    await main.transaction().execute(async (tx) => {
      const chat = await addLogChat(tx, { name: "talk", kind: "import", readers: ["owners"], now: 0 });
      const sender = { person: "", name: "n" };
      const entries = texts.map((text, index) => ({
        chat,
        sender,
        role: "person" as const,
        text,
        taint: "untrusted" as const,
        key: `${index}`,
        saidAt: index,
      }));
      await appendToLog(tx, entries);
    });
    const server = await startEmbeddingsServer([/rain/]);
    const embed = createEmbedTexts({ baseUrl: server.url, apiKey: embeddingsKey, model: "test-vectors" });
    const pauses = { idleMs: 20, breathMs: 5 };
    for (const store of stores) {
      const embedder = createServerEmbedder(embed, "one");
      const writer = createVectorWriter({ db: store.main, embedder, maxMessages: () => 1_000, log, pauses });
      writer.start();
      onTestFinished(() => writer.stop());
    }
    await waitUntil(
      "all is read",
      async () => (await main.selectFrom("vectors").select("item").execute()).length === 150,
    );
    expect(server.asked.flat().toSorted()).toEqual(texts.toSorted());
  });
});
