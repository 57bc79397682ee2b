import { beforeEach, describe, expect, it } from "vitest";
import type { Store } from "../../src/store/open-store.ts";
import {
  insertInboxItem,
  listUnfinishedInbox,
  readInboxWatermark,
  setInboxState,
} from "../../src/store/queries/inbox.ts";
import { finishLedgerRow, listLedger, startLedgerRow } from "../../src/store/queries/ledger.ts";
import {
  findNextOutboxItem,
  findOutboxItem,
  saveOutboxItem,
  finishOutboxItem,
  setOutboxPreview,
} from "../../src/store/queries/outbox.ts";
import { insertQuestion } from "../../src/store/queries/insert-question.ts";
import { closeQuestion, consumeApprovedCall, setCallStates } from "../../src/store/queries/question-states.ts";
import { findQuestion } from "../../src/store/queries/questions.ts";
import { listEngines } from "../support/store-engines.ts";
import { createTestStore } from "../support/test-store.ts";

describe.each(listEngines())("on %s:", (engine) => {
  let store: Store;
  beforeEach(async () => {
    store = await createTestStore(engine);
    await insertQuestion(store.main, {
      id: "q",
      code: "K7",
      session: "s",
      turn: "t",
      interrupt: "i",
      asker: "fake:alice",
      askerName: "alice",
      policy: "p",
      deadline: 100,
      createdAt: 0,
      calls: [
        { call: "1.1", tool: "poke", arguments: { what: "a" }, hash: "h1", summary: "a", detail: "a" },
        { call: "1.2", tool: "poke", arguments: { what: "b" }, hash: "h2", summary: "b", detail: "b" },
      ],
    });
  });

  const close = (state: "decided" | "expired" | "cancelled", now: number, beforeDeadline: boolean) =>
    closeQuestion(store.main, {
      id: "q",
      state,
      decision: state === "decided" ? "approved" : null,
      by: "x",
      how: "words",
      now,
      beforeDeadline,
    });

  describe("a question", () => {
    it("a question is closed once, whoever comes first", async () => {
      const states = ["decided", "expired", "cancelled"] as const;
      const results = await Promise.all(states.map((state) => close(state, 10, state === "decided")));
      const winners = states.filter((_, index) => results[index]);
      expect(winners).toHaveLength(1);
      expect(await findQuestion(store.main, "q")).toMatchObject({ state: winners[0], closedAt: 10 });
    });

    it.each([
      [99, true],
      [100, false],
      [101, false],
    ])("a question with the deadline 100 can be decided at %i: %s", async (now, expected) => {
      expect(await close("decided", now, true)).toBe(expected);
    });

    it("lets an approved call be used once, with its own arguments, in its own turn", async () => {
      expect(await consumeApprovedCall(store.main, "t", "1.1", "h1")).toBe(false);
      await close("decided", 10, true);
      await setCallStates(store.main, "q", ["1.1"], "approved");
      await setCallStates(store.main, "q", ["1.1", "1.2"], "rejected");
      expect(await consumeApprovedCall(store.main, "t", "1.1", "h2")).toBe(false);
      expect(await consumeApprovedCall(store.main, "t2", "1.1", "h1")).toBe(false);
      expect(await consumeApprovedCall(store.main, "t", "1.2", "h2")).toBe(false);
      expect(await consumeApprovedCall(store.main, "t", "1.1", "h1")).toBe(true);
      expect(await consumeApprovedCall(store.main, "t", "1.1", "h1")).toBe(false);
      expect((await findQuestion(store.main, "q"))?.calls.map((call) => call.state)).toEqual(["consumed", "rejected"]);
    });
  });

  describe("the ledger", () => {
    it("claims a call once and keeps its first outcome", async () => {
      const start = { turn: "t", call: "1.1", tool: "poke", hash: "h", token: 1, now: 1 };
      expect(await startLedgerRow(store.main, start)).toBe(true);
      expect(await startLedgerRow(store.main, { ...start, token: 2 })).toBe(false);
      await finishLedgerRow(store.main, "t", "1.1", '"first"', 2);
      await finishLedgerRow(store.main, "t", "1.1", '"second"', 3);
      expect(await listLedger(store.main, "t")).toMatchObject([
        { state: "done", outcome: '"first"', token: 1, finished_at: 2 },
      ]);
    });
  });

  describe("the inbox", () => {
    const item = {
      id: "i1",
      platform: "fake",
      account: "bot",
      eventKey: "k",
      session: "s",
      kind: "message",
      state: "received",
      payload: "{}",
      now: 0,
    } as const;

    it("takes the same event of the same account once", async () => {
      expect(await insertInboxItem(store.main, item)).toMatchObject({ id: "i1", seq: 1 });
      expect(await insertInboxItem(store.main, { ...item, id: "i2" })).toBeUndefined();
      expect(await insertInboxItem(store.main, { ...item, id: "i3", account: "other" })).toBeDefined();
      expect(await readInboxWatermark(store.main)).toBeGreaterThanOrEqual(2);
    });

    it("lists what is unfinished in the order it came", async () => {
      for (const id of ["a", "b", "c"]) await insertInboxItem(store.main, { ...item, id, eventKey: id, session: id });
      await setInboxState(store.main, "b", "done", 1);
      expect((await listUnfinishedInbox(store.main)).map((row) => row.id)).toEqual(["a", "c"]);
      expect((await listUnfinishedInbox(store.main, "c")).map((row) => row.id)).toEqual(["c"]);
    });
  });

  describe("the outbox", () => {
    const item = { id: "o", session: "s", turn: "t", cause: null, state: "live", payload: "{}", now: 0 } as const;

    it("turns a live message into the finished one, and leaves one that is out as it is", async () => {
      await saveOutboxItem(store.main, item);
      await setOutboxPreview(store.main, "o", "m1");
      await setOutboxPreview(store.main, "o", "m2");
      expect(await findNextOutboxItem(store.main, "s")).toBeUndefined();
      await saveOutboxItem(store.main, { ...item, state: "pending", payload: '"final"' });
      await saveOutboxItem(store.main, { ...item, state: "pending", payload: '"later"' });
      expect(await findNextOutboxItem(store.main, "s")).toMatchObject({ payload: '"final"', preview: "m1" });
      await finishOutboxItem(store.main, "o", "sent", null, 1);
      await saveOutboxItem(store.main, item);
      expect(await findOutboxItem(store.main, "o")).toMatchObject({ state: "sent", payload: '"final"' });
    });
  });
});
