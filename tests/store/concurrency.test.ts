import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { pino } from "pino";
import { beforeEach, describe, expect, it } from "vitest";
import { createAcceptEvents } from "../../src/kernel/inbox/accept-events.ts";
import { toInboxId, toSessionId } from "../../src/channels/session-id.ts";
import type { Store } from "../../src/store/open-store.ts";
import { fenceThread, findCheckpoint } from "../../src/store/queries/checkpoints.ts";
import { insertInboxItem } from "../../src/store/queries/inbox.ts";
import { startLedgerRow } from "../../src/store/queries/ledger.ts";
import { appendMessages } from "../../src/store/queries/messages.ts";
import { insertQuestion } from "../../src/store/queries/insert-question.ts";
import { markQuestionShown } from "../../src/store/queries/question-prompts.ts";
import { closeQuestion, consumeApprovedCall, setCallStates } from "../../src/store/queries/question-states.ts";
import { findQuestion } from "../../src/store/queries/questions.ts";
import { ensureSession, lockSession } from "../../src/store/queries/sessions.ts";
import { claimTurn, insertTurn, assertLease, revokeTurn } from "../../src/store/queries/turns.ts";
import { makeMessage } from "../support/fake-channel.ts";
import { HandClock } from "../support/hand-clock.ts";
import { makeQuestion } from "../support/make-question.ts";
import { listEngines } from "../support/store-engines.ts";
import { addSession, createTestStore } from "../support/test-store.ts";

const note = (text: string) => [{ role: "note", text }] as const;
const times = <T>(count: number, work: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)));

/** Ends when a transaction of this store waits for another one's row; SQLite has one writer and no such wait. */
const waitsForRow = async ({ checkpoints }: Store, engine: string) => {
  if (engine === "sqlite") return;
  const waiting = sql<{ n: string }>`
    select count(*) as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  await expect.poll(async () => Number((await waiting.execute(checkpoints)).rows[0]?.n)).toBeGreaterThan(0);
};

describe.each(listEngines())("at the same moment, on %s:", (engine) => {
  let store: Store;
  beforeEach(async () => {
    store = await createTestStore(engine);
    await addSession(store, "s");
  });

  const ask = (id: string, session: string) =>
    insertQuestion(store.main, {
      ...makeQuestion({ id, session, turn: "t", interrupt: id }),
      routed: [],
      calls: [{ call: "1.1", tool: "poke", arguments: { what: "a" }, hash: "h1", summary: "a", detail: "a" }],
    });
  const append = (text: string) =>
    store.main
      .transaction()
      .execute((tx) => appendMessages(tx, { session: "s", turn: null, taint: "owner", messages: note(text), now: 0 }));

  it("50 messages of a session stand one after the other, each linked to the one before", async () => {
    const positions = await times(50, (index) => append(`${index}`));
    expect(positions.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
    const rows = await store.main
      .selectFrom("messages")
      .select(["id", "parent", "position"])
      .orderBy("position")
      .execute();
    expect(rows.map((row) => row.position)).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
    expect(rows.map((row) => row.parent)).toEqual([null, ...rows.slice(0, -1).map((row) => row.id)]);
  });

  it("transactions that fail take nothing with them of what others wrote, and leave no gap", async () => {
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

  it("20 decide a question, and one of them does", async () => {
    await ask("q", "s");
    const won = await times(20, (index) =>
      store.main.transaction().execute(async (tx) => {
        const decision = index % 2 === 0 ? "approved" : "rejected";
        const closing = { id: "q", state: "decided", decision, by: `${index}`, how: "words", now: 1 } as const;
        const first = await closeQuestion(tx, { ...closing, beforeDeadline: true });
        if (first) await setCallStates(tx, "q", ["1.1"], decision);
        return first ? index : undefined;
      }),
    );
    const [winner, ...others] = won.filter((index) => index !== undefined);
    expect(others).toEqual([]);
    const decision = (winner ?? 0) % 2 === 0 ? "approved" : "rejected";
    expect(await findQuestion(store.main, "q")).toMatchObject({
      decision,
      closedBy: `${winner}`,
      calls: [{ state: decision }],
    });
  });

  it("20 use an approval up, and one of them may", async () => {
    await ask("q", "s");
    const closing = { id: "q", state: "decided", decision: "approved", by: "x", how: "words", now: 1 } as const;
    await closeQuestion(store.main, { ...closing, beforeDeadline: true });
    await setCallStates(store.main, "q", ["1.1"], "approved");
    const used = await times(20, () => consumeApprovedCall(store.main, "t", "1.1", "h1"));
    expect(used.filter(Boolean)).toHaveLength(1);
    const claimed = await times(20, (token) =>
      startLedgerRow(store.main, { turn: "t", call: "1.1", tool: "poke", hash: "h1", token, now: 1 }),
    );
    expect(claimed.filter(Boolean)).toHaveLength(1);
  });

  it("20 take a turn up, and each gets a token of its own", async () => {
    const turn = { id: "t", session: "s", inbox: "in", input: "{}", policy: "p", owner: "one", now: 0 };
    await insertTurn(store.main, turn);
    const holds = await times(20, (index) => claimTurn(store.main, "t", `${index}`, 1));
    expect(new Set(holds.map((claimed) => claimed?.lease.token)).size).toBe(20);
  });

  it("a turn that is ended from outside takes nothing of it that was not written before", async () => {
    for (let round = 0; round < 10; round += 1) {
      const id = `t${round}`;
      const lease = await insertTurn(store.main, {
        id,
        session: "s",
        inbox: id,
        input: "{}",
        policy: "p",
        owner: "one",
        now: 0,
      });
      const order: string[] = [];
      const writing = store.main.transaction().execute(async (tx) => {
        await assertLease(tx, lease);
        await sleep(2);
        await appendMessages(tx, { session: "s", turn: id, taint: "owner", messages: note(id), now: 0 });
        order.push("written");
      });
      const revoking = revokeTurn(store.main, id, "stopped", 1).then(() => order.push("ended"));
      const [wrote] = await Promise.allSettled([writing, revoking]);
      // Either the turn had ended and nothing was written, or the end waited until it was.
      expect(order).toEqual(wrote.status === "fulfilled" ? ["written", "ended"] : ["ended"]);
    }
  });

  it("the same event of several batches is taken once, and batches of the same chats never wait for each other", async () => {
    const accept = createAcceptEvents({
      store,
      language: () => "zh",
      clock: new HandClock(),
      log: pino({ level: "silent" }),
    });
    const events = Array.from({ length: 8 }, (_, index) => makeMessage(`${index}`, { chat: `chat${index % 4}` }));
    const taken = await times(10, (index) => accept(index % 2 === 0 ? events : events.toReversed()));
    expect(taken.flat()).toHaveLength(8);
    const rows = await store.main.selectFrom("inbox").select("event_key").execute();
    expect(new Set(rows.map((row) => row.event_key)).size).toBe(8);
    expect(rows).toHaveLength(8);
  });

  it("two batches of two processes that share chats in another order both come to their end", async () => {
    const make = () =>
      createAcceptEvents({ store, language: () => "zh", clock: new HandClock(), log: pino({ level: "silent" }) });
    const chats = ["a", "b", "c", "d"];
    const batch = (order: readonly string[]) => order.map((chat) => makeMessage("hi", { chat }));
    await times(10, (index) => make()(batch(index % 2 === 0 ? chats : chats.toReversed())));
    expect(await store.main.selectFrom("inbox").select("id").execute()).toHaveLength(40);
  });

  it("a message that was being stored when its question came out never counts as said after it", async () => {
    const event = makeMessage("确认");
    const session = toSessionId(event.address);
    const { platform, account, chat, thread } = event.address;
    const place = {
      id: session,
      platform,
      account,
      chat,
      thread,
      chatKind: "private",
      language: "zh",
      now: 0,
    } as const;
    await ensureSession(store.main, place);
    for (let round = 0; round < 10; round += 1) {
      const id = `q${round}`;
      await ask(id, session);
      const begun = Promise.withResolvers<void>();
      const storing = store.main.transaction().execute(async (tx) => {
        await ensureSession(tx, place);
        const item = await insertInboxItem(tx, {
          id: toInboxId(event.address, id),
          platform,
          account,
          eventKey: id,
          session,
          kind: "message",
          state: "received",
          payload: "{}",
          now: 0,
        });
        begun.resolve();
        await sleep(5);
        return item?.seq ?? 0;
      });
      await begun.promise;
      const showing = store.main.transaction().execute((tx) => markQuestionShown(tx, id, session, "m", null));
      const [seq] = await Promise.all([storing, showing]);
      // Its number was given out before the question was marked, although nobody could see the row yet.
      expect((await findQuestion(store.main, id))?.shownAfter).toBeGreaterThanOrEqual(seq);
    }
  });

  it("the mover of a thread's fence finds all that was written under the old one, and nothing comes after it", async () => {
    const bytes = new Uint8Array([1]);
    const row = {
      thread: "t",
      namespace: "",
      id: "1",
      parent: null,
      format: "json",
      checkpoint: bytes,
      metadata: bytes,
    };
    await fenceThread(store.checkpoints, "t", 1);
    const [begun, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    // Somebody who has the row for a moment: the writer has looked at the fence by then, and is not done yet.
    const blocking = store.checkpoints.transaction().execute(async (tx) => {
      await tx.insertInto("checkpoints").values(row).execute();
      begun.resolve();
      await released.promise;
      throw new Error("taken back");
    });
    await begun.promise;
    const writing = store.checkpointWriter.put(row, { prune: true, token: 1 });
    await waitsForRow(store, engine);
    const moving = fenceThread(store.checkpoints, "t", 2).then(() => findCheckpoint(store.checkpoints, "t", "", "1"));
    await sleep(50);
    released.resolve();
    await expect(blocking).rejects.toThrow("taken back");
    await writing;
    expect(await moving).toBeDefined();
    await expect(store.checkpointWriter.put(row, { prune: true, token: 1 })).rejects.toMatchObject({
      code: "TURN_LOST",
    });
  });

  it("a lock of a session is let go with its transaction", async () => {
    await times(20, () => store.main.transaction().execute((tx) => lockSession(tx, "s")));
    expect(await append("after")).toBe(1);
  });
});
