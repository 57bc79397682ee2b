// full: two processes of one Postgres database
import { describe, expect, it } from "vitest";
import { logSaid } from "../../../../src/features/chatlog/queries/log-said.ts";
import type { Store } from "../../../../src/store/open-store.ts";
import { postgresIsThere } from "../../../support/postgres.ts";
import { createStorePlace } from "../../../support/store-engines.ts";
import { addSession, openTestStore } from "../../../support/test-store.ts";

const monday = Date.UTC(2026, 10, 23);

describe.runIf(postgresIsThere())("the chat log of several processes", () => {
  it("takes a message while a transaction that logged another chat in the same second is open", async () => {
    const place = await createStorePlace("postgres");
    const [one, other] = [await openTestStore(place), await openTestStore(place)];
    const sender = { person: "fake:alice", name: "alice" };
    const hear = (db: Store["main"], session: string, text: string) =>
      logSaid(db, { session, sender, role: "person", text, taint: "user", key: text, saidAt: monday });
    for (const session of ["s", "t"]) await hear(one.main, await addSession(one, session), "你好");
    const goOn = Promise.withResolvers<void>();
    const began = Promise.withResolvers<void>();
    const slow = one.main.transaction().execute(async (tx) => {
      await hear(tx, "s", "慢的");
      began.resolve();
      await goOn.promise;
    });
    await began.promise;
    await other.main.transaction().execute((tx) => hear(tx, "t", "快的"));
    await other.main.transaction().execute((tx) => hear(tx, "t", "更快的"));
    goOn.resolve();
    await slow;
    await hear(one.main, "s", "然后");
    const rows = await one.main.selectFrom("log_messages").select(["text", "place"]).orderBy("place").execute();
    expect(rows.map(({ text }) => text)).toEqual(["你好", "你好", "慢的", "快的", "更快的", "然后"]);
    expect(new Set(rows.map((row) => row.place)).size).toBe(6);
  });
});
