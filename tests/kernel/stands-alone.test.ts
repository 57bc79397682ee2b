// full: needs PostgreSQL
import { pino } from "pino";
import { describe, expect, it } from "vitest";
import { standsAlone } from "../../src/kernel/claims/stands-alone.ts";
import { deleteNode, reportNode } from "../../src/store/queries/nodes.ts";
import { createDatabaseUntil, postgresIsThere } from "../support/postgres.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";
import { openTestStore } from "../support/test-store.ts";
import { untilTestEnds } from "../support/keep-until.ts";

const node = { role: "worker", place: "one:1", address: "", version: "1", policy: "1", sessions: 0, channels: [] };
const log = pino({ level: "silent" });

async function open() {
  const url = await createDatabaseUntil(untilTestEnds);
  const { main } = await openTestStore({ home: await createTemporaryFolder(), url });
  return main;
}

/** As if the reports of before were older by so much. */
const age = (db: Awaited<ReturnType<typeof open>>, ms: number) =>
  db
    .updateTable("nodes")
    .set(({ eb }) => ({ seen_at: eb("seen_at", "-", ms) }))
    .execute();

describe.runIf(postgresIsThere())("standsAlone, asked with the lock of the database", () => {
  it("a start is alone at once where no process reported itself in the last 15 s", async () => {
    const db = await open();
    expect(await standsAlone(db, log)).toBe(true);
    await reportNode(db, { ...node, id: "dead" });
    await age(db, 15_500);
    expect(await standsAlone(db, log)).toBe(true);
  });

  it("a start is not alone when a process whose lock the database has lost reports itself once more", async () => {
    const db = await open();
    for (const id of ["dead", "living"]) await reportNode(db, { ...node, id });
    await age(db, 5_000);
    const reporting = setInterval(() => void reportNode(db, { ...node, id: "living" }), 500);
    untilTestEnds(() => clearInterval(reporting));
    expect(await standsAlone(db, log)).toBe(false);
  });

  it("a start is alone when the last process gives no sign of life until its claims are void", async () => {
    const db = await open();
    await reportNode(db, { ...node, id: "dead" });
    await age(db, 14_000);
    expect(await standsAlone(db, log)).toBe(true);
  });

  it("a start is alone when the last process ends meanwhile", async () => {
    const db = await open();
    await reportNode(db, { ...node, id: "leaving" });
    const answer = standsAlone(db, log);
    await deleteNode(db, "leaving");
    expect(await answer).toBe(true);
  });
});
