import { describe, expect, it } from "vitest";
import { appendMessages, measureMessages } from "../../../src/store/queries/messages.ts";
import { findRemarkedUpTo, findRemarks, insertRemarks } from "../../../src/features/summaries/queries/remarks.ts";
import { insertSummary, listSummaries, readSummaries } from "../../../src/store/queries/summaries.ts";
import { forkBranch } from "../../../src/features/worldlines/branches.ts";
import { listEngines } from "../../support/store-engines.ts";
import { addSession, createTestStore } from "../../support/test-store.ts";

const speaker = { id: "fake:a", name: "a", taint: "user" } as const;
const remark = (position: number, text: string, ...terms: readonly string[]) =>
  ({ position, text, terms, speaker, role: "user", taint: "user", at: position }) as const;

describe.each(listEngines())("on %s:", (engine) => {
  it("a line has the summaries and the remarks of its own stretches, and measures no more than it is asked to", async () => {
    const store = await createTestStore(engine);
    const db = store.main;
    await addSession(store, "s");
    const said = Array.from({ length: 30 }, (_, index) => `${index + 1}`);
    const messages = said.map((text) => ({ role: "user", text, senderId: "a", senderName: "a" }) as const);
    await db
      .transaction()
      .execute((tx) => appendMessages(tx, { session: "s", turn: null, taint: "user", messages, now: 0 }));
    const summarise = (branch: string, number: number, from: number, upTo: number) =>
      insertSummary(db, {
        session: "s",
        branch,
        number,
        from,
        upTo,
        startPosition: 0,
        tokens: 3,
        taint: "user",
        now: 0,
        text: `${branch} ${upTo}`,
        sources: ["x"],
        speakers: [speaker],
        model: null,
        refused: 0,
      });
    await summarise("main", 1, 0, 10);
    await summarise("main", 2, 10, 20);
    const place = { session: "s", branch: "main" };
    await insertRemarks(db, place, [
      remark(3, "猫叫团子", "猫叫", "团子"),
      remark(15, "猫叫豆子", "猫叫", "豆子"),
      remark(4, "早", "早"),
    ]);

    const list = async () =>
      (await listSummaries(db, "s", { startPosition: 0, upTo: 30 })).map(({ from, upTo }) => [from, upTo]);
    const find = async (...terms: readonly string[]) =>
      (await findRemarks(db, "s", terms, { from: 0, upTo: 20 })).map(({ text }) => text);
    expect(await list()).toEqual([
      [10, 20],
      [0, 10],
    ]);
    expect(await find("猫叫", "团子")).toEqual(["猫叫团子", "猫叫豆子"]);
    expect(await find("没有")).toEqual([]);
    expect(await findRemarks(db, "other", ["猫叫"], { from: 0, upTo: 20 })).toEqual([]);
    const measured = await measureMessages(db, "s", { from: 0, upTo: 30 }, 5);
    expect(measured.map(({ position }) => position)).toEqual([30, 29, 28, 27, 26]);
    expect(measured.every(({ tokens }) => tokens > 0)).toBe(true);

    const reach = () => findRemarkedUpTo(db, "s", { from: 2, upTo: 20 });
    expect(await reach()).toBe(15);
    expect(await findRemarkedUpTo(db, "s", { from: 15, upTo: 20 })).toBe(15);
    await db.transaction().execute((tx) => forkBranch(tx, "s", { position: 12, point: 0, now: 0 }));
    expect(await list()).toEqual([[0, 10]]);
    expect(await find("猫叫", "团子", "豆子")).toEqual(["猫叫团子"]);
    expect(await reach()).toBe(4);
    await summarise("line-2", 2, 10, 12);
    expect(await list()).toEqual([
      [10, 12],
      [0, 10],
    ]);
    const ids = (await listSummaries(db, "s", { startPosition: 0, upTo: 30 })).map(({ id }) => id);
    expect(await readSummaries(db, ids)).toEqual([
      { text: "main 10", taint: "user", sources: ["x"], speakers: [speaker] },
      { text: "line-2 12", taint: "user", sources: ["x"], speakers: [speaker] },
    ]);
    expect(await listSummaries(db, "s", { startPosition: 12, upTo: 30 })).toEqual([]);
  });
});
