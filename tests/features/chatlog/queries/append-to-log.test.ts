import { describe, expect, it } from "vitest";
import { addLogChat, appendToLog } from "../../../../src/features/chatlog/queries/append-to-log.ts";
import { listEngines } from "../../../support/store-engines.ts";
import { createTestStore } from "../../../support/test-store.ts";

const second = Date.parse("2026-11-27T12:00:00Z");

describe.each(listEngines())("the chat log on %s", (engine) => {
  it("keeps every message of many chats that speak in the same second", async () => {
    const store = await createTestStore(engine);
    const chats: number[] = [];
    for (let index = 0; index < 30; index += 1) {
      const chat = { name: `room ${index}`, kind: "group" as const, readers: ["owners"], now: second };
      chats.push(await store.main.transaction().execute((tx) => addLogChat(tx, chat)));
    }
    const lines = chats.flatMap((chat) => Array.from({ length: 12 }, (_, index) => ({ chat, index })));
    await Promise.all(
      lines.map(({ chat, index }) =>
        store.main.transaction().execute(async (tx) => {
          const entry = {
            chat,
            sender: { person: `fake:${chat}`, name: `somebody ${chat}` },
            role: "person" as const,
            text: `line ${index}`,
            taint: "user" as const,
            key: String(index),
            saidAt: second + index,
          };
          // The same message may be brought twice at once.
          await appendToLog(tx, index % 4 === 0 ? [entry, { ...entry, key: `${index}b` }] : [entry]);
        }),
      ),
    );
    const rows = await store.main.selectFrom("log_messages").select(["chat", "key", "place"]).execute();
    expect(rows).toHaveLength(30 * (12 + 3));
    expect(new Set(rows.map(({ chat, key }) => `${chat} ${key}`)).size).toBe(rows.length);
    expect(new Set(rows.map(({ place }) => place)).size).toBe(rows.length);
    await store.close();
  });
});
