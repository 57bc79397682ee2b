import { sql } from "kysely";
import { beforeEach, describe, expect, it } from "vitest";
import type { Store } from "../../src/store/open-store.ts";
import {
  findNewestRequest,
  findRequestLike,
  hasTurnAtWork,
  isAnswerAtWork,
  listPendingCauses,
  listSentFor,
  putBackSent,
} from "../../src/store/queries/api-requests.ts";
import { insertInboxItem, setInboxState } from "../../src/store/queries/inbox.ts";
import {
  findNextOutboxItem,
  finishOutboxItem,
  delayOutboxItem,
  saveOutboxItem,
} from "../../src/store/queries/outbox.ts";
import { listEngines } from "../support/store-engines.ts";
import { createTestStore } from "../support/test-store.ts";

let store: Store;
const session = "api:local:okabe";

/** Milliseconds of the fastest of many: the others may have waited for a busy machine. */
async function findFastest(times: number, work: () => Promise<unknown>): Promise<number> {
  let fastest = Infinity;
  for (let time = 0; time < times; time += 1) {
    const start = performance.now();
    await work();
    fastest = Math.min(fastest, performance.now() - start);
  }
  return fastest;
}

async function hear(
  id: string,
  more: { readonly kind?: "message" | "resume" | "again"; readonly payload?: string } = {},
) {
  const { kind = "message", payload = "{}" } = more;
  const item = { id, platform: "api", account: "local", eventKey: id, session, kind, payload, now: 1 } as const;
  await insertInboxItem(store.main, { ...item, state: "received" });
}

async function queue(id: string, cause: string | null): Promise<void> {
  const item = { id, session, turn: null, cause, state: "pending", payload: JSON.stringify({ id }), now: 1 } as const;
  await saveOutboxItem(store.main, item);
}

describe.each(listEngines())("requests of the API, on %s:", (engine) => {
  beforeEach(async () => {
    store = await createTestStore(engine);
  });

  it("the newest message of a conversation is found, and an index is there for that", async () => {
    expect(await findNewestRequest(store.main, session)).toBeUndefined();
    await hear("a");
    await hear("b");
    await hear("c", { kind: "resume" });
    expect(await findNewestRequest(store.main, session)).toEqual({ id: "b", eventKey: "b", payload: "{}" });
    expect(await findNewestRequest(store.main, "api:local:daru")).toBeUndefined();
    const index = await sql<{ readonly name: string }>`${sql.raw(
      engine === "sqlite"
        ? "select name from sqlite_master where name = 'inbox_api'"
        : "select indexname as name from pg_indexes where indexname = 'inbox_api'",
    )}`.execute(store.main);
    expect(index.rows).toHaveLength(1);
  });

  it("one that is told again is found by its fingerprint, for a while", async () => {
    for (const id of ["0a", "0a.1", "0a.2", "0ab.1", "0A.1", "0a/1", "0b.1"]) await hear(id);
    await hear("0a.2.again", { kind: "again" });
    const like = { account: "local", session, fingerprint: "0a", since: 1 };
    expect(await findRequestLike(store.main, like)).toMatchObject({ id: "0a.2" });
    expect(await findRequestLike(store.main, { ...like, since: 2 })).toBeUndefined();
    expect(await findRequestLike(store.main, { ...like, session: "api:local:daru" })).toBeUndefined();
    expect(await findRequestLike(store.main, { ...like, fingerprint: "0c" })).toBeUndefined();
  });

  it("sent messages of it are listed in order; waiting ones, as long as they may go", async () => {
    for (const id of ["1", "2", "3"]) await queue(id, "a");
    await queue("4", null);
    expect(await listPendingCauses(store.main, session, 5)).toEqual(["a", "a", "a", null]);
    await finishOutboxItem(store.main, "2", "sent", null, 2);
    await finishOutboxItem(store.main, "1", "sent", null, 3);
    await delayOutboxItem(store.main, { id: "3", attempts: 1, notBefore: 9, reason: "later" });
    expect(await listSentFor(store.main, session, "a")).toEqual(['{"id":"1"}', '{"id":"2"}']);
    expect(await listPendingCauses(store.main, session, 5)).toEqual([null]);
    expect(await listPendingCauses(store.main, session, 9)).toHaveLength(2);
  });

  it("a message that was sent and not got waits again, before later ones; a waiting or missing one stays so", async () => {
    for (const id of ["1", "2", "3"]) await queue(id, "a");
    await finishOutboxItem(store.main, "2", "sent", null, 2);
    await finishOutboxItem(store.main, "1", "dead", "refused", 2);
    expect(await putBackSent(store.main, ["1", "2", "3", "4"])).toEqual(["2"]);
    expect(await findNextOutboxItem(store.main, session)).toMatchObject({ id: "2", sentParts: [] });
    expect(await putBackSent(store.main, ["2"])).toEqual([]);
  });

  it("the check for a running request does not read the waiting payloads", async () => {
    const payload = JSON.stringify({ data: "A".repeat(8 * 1024 * 1024) });
    for (const id of ["a", "b", "c", "d"]) await hear(id, { payload });
    const look = await findFastest(50, () => isAnswerAtWork(store.main, session, "a"));
    const read = await findFastest(5, () => store.main.selectFrom("inbox").select("payload").execute());
    expect(look).toBeLessThan(read / 2);
  });

  it("a request counts as running while its row or a job from it is unfinished", async () => {
    await hear("a");
    expect(await isAnswerAtWork(store.main, session, "a")).toBe(true);
    expect(await isAnswerAtWork(store.main, session, "b")).toBe(false);
    await hear("job", { kind: "resume", payload: JSON.stringify({ turn: "t", cause: "a" }) });
    await setInboxState(store.main, "a", "done", 2);
    expect(await isAnswerAtWork(store.main, session, "a")).toBe(true);
    await setInboxState(store.main, "job", "done", 3);
    expect(await isAnswerAtWork(store.main, session, "a")).toBe(false);
    expect(await hasTurnAtWork(store.main, session)).toBe(false);
  });
});
