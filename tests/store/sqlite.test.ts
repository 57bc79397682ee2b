import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { beforeEach, describe, expect, it } from "vitest";
import type { Store } from "../../src/store/open-store.ts";
import { openStore } from "../support/open-store.ts";
import { appendMessages } from "../../src/store/queries/messages.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";
import { addSession, createTestStore } from "../support/test-store.ts";

let store: Store;
beforeEach(async () => {
  store = await createTestStore();
  await addSession(store, "s");
});

const note = (text: string) => [{ role: "note", text }] as const;
const countMessages = async () =>
  (await store.main.selectFrom("messages").select("content").orderBy("position").execute()).length;

describe("the files", () => {
  it("writes so that nothing is lost: a log, which flush-behind-the-loop.test.ts looks at", async () => {
    const { main, checkpoints } = store;
    const read = async (db: typeof main | typeof checkpoints, name: string) => {
      const { rows } = await sql<Record<string, unknown>>`PRAGMA ${sql.raw(name)}`.execute(db);
      return Object.values(rows[0] ?? {})[0];
    };
    expect([
      await read(main, "journal_mode"),
      await read(main, "synchronous"),
      await read(main, "foreign_keys"),
    ]).toEqual(["wal", 1, 1]);
    expect([await read(checkpoints, "journal_mode"), await read(checkpoints, "synchronous")]).toEqual(["wal", 1]);
  });

  it("says what is wrong with a file that is no database", async () => {
    const home = await createTemporaryFolder();
    writeFileSync(
      join(home, "kurisu.db"),
      "this is no database, but long enough to look like a file of one".repeat(50),
    );
    await expect(openStore({ home })).rejects.toMatchObject({ code: "DATA_FOLDER_UNUSABLE" });
  });
  it("reads its rows by the index, however long the conversation is", async () => {
    const plan = await sql<{ detail: string }>`EXPLAIN QUERY PLAN
      SELECT content FROM messages WHERE session = 's' AND branch = 'main' AND position > 1`.execute(store.main);
    expect(plan.rows.map((row) => row.detail).join()).toContain("USING INDEX messages_window");
  });
});

describe("transactions on one connection", () => {
  it("come one after the other, whole", async () => {
    const order: string[] = [];
    await Promise.all(
      ["a", "b", "c", "d"].map((name) =>
        store.main.transaction().execute(async (tx) => {
          order.push(`${name} begins`);
          await appendMessages(tx, { session: "s", turn: null, taint: "owner", messages: note(name), now: 0 });
          await sleep(2);
          await appendMessages(tx, { session: "s", turn: null, taint: "owner", messages: note(name), now: 0 });
          order.push(`${name} ends`);
        }),
      ),
    );
    expect(order).toEqual(["a", "b", "c", "d"].flatMap((name) => [`${name} begins`, `${name} ends`]));
    expect(await countMessages()).toBe(8);
  });

  it("let a query from outside read beside them what is committed, never half of them", async () => {
    const seen: number[] = [];
    await store.main.transaction().execute(async (tx) => {
      await appendMessages(tx, { session: "s", turn: null, taint: "owner", messages: note("1"), now: 0 });
      seen.push(await countMessages());
      await appendMessages(tx, { session: "s", turn: null, taint: "owner", messages: note("2"), now: 0 });
    });
    expect([...seen, await countMessages()]).toEqual([0, 2]);
  });
});
