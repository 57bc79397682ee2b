import { describe, expect, it } from "vitest";
import { emptyCheckpoint, uuid6 } from "@langchain/langgraph-checkpoint";
import { findCheckpoint, listCheckpoints } from "../../src/store/queries/checkpoints.ts";
import { insertInboxItem } from "../../src/store/queries/inbox.ts";
import { finishLedgerRow, listLedger, startLedgerRow } from "../../src/store/queries/ledger.ts";
import { appendMessages, readWindow } from "../../src/store/queries/messages.ts";
import { savePerson, savePairing, findPairing } from "../../src/store/queries/people.ts";
import { insertQuestion } from "../../src/store/queries/insert-question.ts";
import { findQuestion } from "../../src/store/queries/questions.ts";
import { findSession } from "../../src/store/queries/sessions.ts";
import { makeQuestion } from "../support/make-question.ts";
import { listEngines } from "../support/store-engines.ts";
import { addSession, createTestStore } from "../support/test-store.ts";

/** A NUL, half a character, one outside the first plane, a right-to-left mark, and what SQL takes for its own. */
const strange = "a\0b\uD800c\u{1F409}\u202E'; drop table people; --\\ %_";
/** What every engine may make of it: the readable part stays. */
const readable = /^a.b\uFFFDc\u{1F409}\u202E'; drop table people; --\\ %_$/u;

describe.each(listEngines())("text that people and platforms send, on %s:", (engine) => {
  it("strange text is kept in every column that stores it as it is", async () => {
    const store = await createTestStore(engine);
    const { main } = store;
    await addSession(store, strange);
    await savePerson(main, { id: `fake:${strange}`, name: strange, role: "member", now: 0 });
    await savePairing(
      main,
      { person: "p", name: strange, code: "ABCD-EFGH", session: strange, created_at: 0, expires_at: 9 },
      3,
    );
    const call = {
      call: "1.1",
      tool: strange,
      arguments: { what: strange },
      hash: "h",
      summary: strange,
      detail: strange,
    };
    await insertQuestion(main, {
      ...makeQuestion({ id: "q", session: strange, askerName: strange }),
      routed: [],
      calls: [call],
    });
    await startLedgerRow(main, { turn: "t", call: "1", tool: strange, hash: "h", token: 1, now: 0 });
    await finishLedgerRow(main, "t", "1", strange, 1);
    await appendMessages(main, {
      session: strange,
      turn: null,
      taint: "user",
      messages: [{ role: "note", text: strange }],
      now: 0,
    });
    const event = {
      id: strange,
      platform: "fake",
      account: "bot",
      eventKey: strange,
      session: strange,
      kind: "message",
      state: "received",
      payload: JSON.stringify({ strange }),
      now: 0,
    } as const;
    const item = await insertInboxItem(main, event);

    expect((await findSession(main, strange))?.chat).toMatch(readable);
    expect((await findPairing(main, "p", 1))?.name).toMatch(readable);
    const question = await findQuestion(main, "q");
    expect(question?.askerName).toMatch(readable);
    expect(question?.calls[0]?.detail).toMatch(readable);
    // What is kept as JSON stays what it was, to the last bit.
    expect(question?.calls[0]?.arguments).toEqual({ what: strange });
    expect(JSON.parse(item?.payload ?? "")).toEqual({ strange });
    expect((await readWindow(main, strange, { from: 0, upTo: 1 })).map((message) => message.text)).toEqual([strange]);
    expect((await listLedger(main, "t"))[0]?.outcome).toMatch(readable);
    expect(await insertInboxItem(main, event)).toBeUndefined();
  });

  it("text is ordered byte by byte, as the ids of checkpoints require", async () => {
    const store = await createTestStore(engine);
    const bytes = new Uint8Array([0, 1, 255]);
    const ids = [
      "1",
      "A",
      "B",
      "_",
      "a",
      "b",
      "é",
      ...Array.from({ length: 5 }, (_, index) => uuid6(index)),
      emptyCheckpoint().id,
    ];
    const sorted = ids.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    for (const id of ids) {
      const row = { thread: "t", namespace: "", id, parent: null, format: "json", checkpoint: bytes, metadata: bytes };
      await store.checkpointWriter.put(row, { prune: false, token: undefined });
    }
    const listed = await listCheckpoints(store.checkpoints, { thread: "t" });
    expect(listed.map((row) => row.id)).toEqual(sorted.toReversed());
    const newest = await findCheckpoint(store.checkpoints, "t", "", undefined);
    expect(newest).toMatchObject({ id: sorted.at(-1), checkpoint: bytes });
    const before = await listCheckpoints(store.checkpoints, { thread: "t", before: "a" });
    expect(before.map((row) => row.id)).toEqual(sorted.slice(0, sorted.indexOf("a")).toReversed());
  });

  it("sweeps what belongs to no living turn, however many there are", async () => {
    const store = await createTestStore(engine);
    const bytes = new Uint8Array([1]);
    for (const thread of ["living", "ended"]) {
      const row = { thread, namespace: "", id: "1", parent: null, format: "json", checkpoint: bytes, metadata: bytes };
      await store.checkpointWriter.put(row, { prune: true, token: undefined });
    }
    const many = Array.from({ length: 70_000 }, (_, index) => `turn_${index}`);
    await store.checkpointWriter.sweep([...many, "living"]);
    expect((await listCheckpoints(store.checkpoints, {})).map((row) => row.thread)).toEqual(["living"]);
    await store.checkpointWriter.sweep([]);
    expect(await listCheckpoints(store.checkpoints, {})).toEqual([]);
  });
});
