import { setTimeout as sleep } from "node:timers/promises";
import { beforeEach, describe, expect, it } from "vitest";
import type { Store } from "../../src/store/open-store.ts";
import { appendMessages } from "../../src/store/queries/messages.ts";
import { addSession, createTestStore } from "../support/test-store.ts";

let store: Store;
beforeEach(async () => {
  store = await createTestStore();
  await addSession(store, "s");
});

const note = (text: string) => [{ role: "note", text }] as const;
const countMessages = async () =>
  (await store.main.selectFrom("messages").select("content").orderBy("position").execute()).length;

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

  it("that fail take nothing with them of what others wrote", async () => {
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) =>
        store.main.transaction().execute(async (tx) => {
          await appendMessages(tx, { session: "s", turn: null, taint: "owner", messages: note(`${index}`), now: 0 });
          if (index % 2 === 1) throw new Error("lost");
        }),
      ),
    );
    expect(results.filter((result) => result.status === "rejected")).toHaveLength(10);
    const rows = await store.main.selectFrom("messages").select("position").orderBy("position").execute();
    expect(rows.map((row) => row.position)).toEqual(Array.from({ length: 10 }, (_, index) => index + 1));
  });

  it("let a query from outside wait until they have ended, so that it never reads half of them", async () => {
    let seen: number | undefined;
    const writing = store.main.transaction().execute(async (tx) => {
      await appendMessages(tx, { session: "s", turn: null, taint: "owner", messages: note("1"), now: 0 });
      void countMessages().then((count) => {
        seen = count;
      });
      await sleep(10);
      expect(seen).toBeUndefined();
      await appendMessages(tx, { session: "s", turn: null, taint: "owner", messages: note("2"), now: 0 });
    });
    await writing;
    expect(await countMessages()).toBe(2);
    expect(seen).toBe(2);
  });
});
