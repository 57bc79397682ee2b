import { CompiledQuery, type KyselyPlugin } from "kysely";
import { describe, expect, it } from "vitest";
import type { WholeSessionView } from "../../src/console/views/chats-views.ts";
import type { TurnView } from "../../src/console/views/turn-views.ts";
import { readRecords } from "../../src/features/oversight/read-calls.ts";
import type { Store } from "../../src/store/open-store.ts";
import { listDecisions } from "../../src/store/queries/decisions.ts";
import { listModelCalls } from "../../src/store/queries/model-calls.ts";
import { findNewestTurn, readLabelsOfTurn } from "../../src/store/queries/transcript.ts";
import { addChat, say } from "../support/console/add-chat.ts";
import { addTurn } from "../support/console/add-turn.ts";
import { openConsole, pathOf } from "../support/console/open-console.ts";
import { listEngines } from "../support/store-engines.ts";

const own = "telegram:bot:7";

/** Two rounds: one call runs, one is refused, one sends a sub-agent; then one is approved after a minute. */
async function addWholeTurn(store: Store): Promise<void> {
  await addChat(store, {
    id: own,
    turn: "turn_1",
    messages: [say("write it"), { role: "assistant", text: "done", calls: [], sources: ["blog.example"] }],
  });
  await addTurn(store, {
    id: "turn_1",
    session: own,
    at: 10_000,
    endsAt: 80_000,
    requests: [
      { startedAt: 10_000, ms: 1_000, input: 100, cached: 80, output: 10, cost: 1_500 },
      { round: 2, startedAt: 13_000, ms: 2_000, input: 200, output: 20, cost: 500 },
    ],
    calls: [
      { call: "1.10", tool: "task", verdict: "allow", end: { at: 13_000, ms: 2_000 } },
      {
        call: "1.2",
        tool: "shell",
        verdict: "deny",
        reason: "members may not",
        end: { at: 11_000, ms: 0, how: "denied" },
      },
      { call: "1.1", tool: "file_read", argument: "a.txt", verdict: "allow", end: { at: 11_500, ms: 500 } },
      { call: "1.3", tool: "think", verdict: "allow", isHidden: true, end: { at: 11_000, ms: 5 } },
      {
        call: "2.1",
        tool: "file_write",
        argument: "b.txt",
        verdict: "ask",
        reason: "writes",
        end: { at: 76_000, ms: 250 },
      },
    ],
    question: {
      code: "T4",
      state: "decided",
      decision: "approved",
      createdAt: 15_000,
      closedAt: 75_000,
      closedBy: "fake:alice",
      closedHow: "button",
      shownAt: 15_500,
      call: { call: "2.1", state: "consumed", summary: "b.txt" },
    },
  });
  await addTurn(store, {
    id: "task_1",
    session: own,
    at: 11_000,
    endsAt: 12_900,
    parent: { turn: "turn_1", call: "1.10", agent: "explorer" },
    requests: [{ startedAt: 11_100, ms: 700, input: 50, output: 5, isEstimated: true }],
    calls: [{ call: "1.1", tool: "file_search", argument: "*.md", verdict: "allow", end: { at: 12_000, ms: 100 } }],
  });
}

describe.each(listEngines())("one turn on %s", (engine) => {
  it("a turn tells its requests, verdicts, calls, question, sub-agent and figures, in their order", async () => {
    const { read, store } = await openConsole(engine);
    await addWholeTurn(store);
    const turn = await read<TurnView>("/turns/turn_1");
    expect(turn).toEqual({
      id: "turn_1",
      session: own,
      person: "林溯",
      began: 10_000,
      ended: 80_000,
      state: "replied",
      models: ["deepseek:deepseek-chat"],
      sums: { input: 350, cached: 80, output: 35, cost: 0.002, estimated: true },
      // 10 000 to 11 000, 11 000 to 15 000 without a gap, and a quarter of a second at the end.
      workMs: 5_250,
      waitedMs: 60_000,
      taint: "user",
      sources: ["blog.example"],
      rounds: [
        {
          round: 1,
          thoughts: [
            { model: "deepseek:deepseek-chat", ms: 1_000, input: 100, cached: 80, output: 10, end: "answered" },
          ],
          verdicts: { allow: 2, ask: 0, deny: 1 },
          calls: [
            { call: "1.1", tool: "读", argument: "a.txt", verdict: "allow", state: "done", ms: 500 },
            {
              call: "1.2",
              tool: "shell",
              argument: "",
              verdict: "deny",
              reason: "members may not",
              state: "denied",
            },
            { call: "1.10", tool: "派子代理", argument: "", verdict: "allow", state: "done", ms: 2_000 },
            {
              call: "1.1",
              tool: "file_search",
              argument: "*.md",
              agent: "explorer",
              verdict: "allow",
              state: "done",
              ms: 100,
            },
          ],
        },
        {
          round: 2,
          thoughts: [
            { model: "deepseek:deepseek-chat", ms: 2_000, input: 200, cached: 0, output: 20, end: "answered" },
          ],
          verdicts: { allow: 0, ask: 1, deny: 0 },
          calls: [
            {
              call: "2.1",
              tool: "写",
              argument: "b.txt",
              verdict: "ask",
              reason: "writes",
              state: "done",
              ms: 250,
              question: "T4",
            },
          ],
        },
      ],
      questions: [
        {
          id: "q_turn_1",
          code: "T4",
          state: "approved",
          asked: 15_000,
          end: { by: "alice", you: false, platform: "fake", how: "button", at: 75_000 },
          cards: [{ platform: "telegram", at: 15_500 }],
        },
      ],
      tasks: [{ id: "task_1", agent: "explorer", call: "1.10", state: "replied", thoughts: 1, ms: 700 }],
      audit: { first: 1, last: 6 },
      chat: { messages: 2, remembered: 0, grants: 0 },
    });
  });

  it("what was pruned is left out, and what the audit keeps is told still", async () => {
    const { read, store } = await openConsole(engine);
    await addWholeTurn(store);
    for (const table of ["decisions", "tool_ledger", "model_calls"] as const)
      await store.main.deleteFrom(table).execute();
    const turn = await read<TurnView>("/turns/turn_1");
    expect(turn).not.toHaveProperty("sums");
    expect(turn.workMs).toBe(10_000);
    expect(turn.rounds.map(({ calls, thoughts, verdicts }) => [thoughts.length, verdicts, calls.length])).toEqual([
      [0, { allow: 2, ask: 0, deny: 1 }, 4],
      [0, { allow: 0, ask: 1, deny: 0 }, 1],
    ]);
    expect(turn.rounds[0]?.calls[0]).toEqual({
      call: "1.1",
      tool: "读",
      argument: "a.txt",
      verdict: "allow",
      state: "done",
      ms: 500,
    });
  });

  it("words that were erased are gone from here too", async () => {
    const { read, store } = await openConsole(engine);
    await addWholeTurn(store);
    await store.main.deleteFrom("decisions").execute();
    await store.main.deleteFrom("audit_texts").execute();
    const { rounds } = await read<TurnView>("/turns/turn_1");
    expect(rounds[0]?.calls.map(({ argument, reason, state }) => [argument, reason, state])).toEqual([
      ["", undefined, "done"],
      ["", undefined, "denied"],
      ["", undefined, "done"],
      ["", undefined, "done"],
    ]);
  });

  it("a turn that waits tells for how long, and a call that has not begun has no time", async () => {
    const { read, server, store } = await openConsole(engine);
    await addChat(store, { id: own, messages: [say("write")] });
    const now = server.clock.now();
    await addTurn(store, {
      id: "turn_2",
      session: own,
      at: now - 9_000,
      calls: [
        { call: "1.1", tool: "file_write", verdict: "ask", reason: "writes" },
        { call: "1.2", tool: "time", verdict: "allow" },
      ],
      question: { createdAt: now - 4_000, call: { call: "1.1", summary: "c.txt" } },
    });
    const turn = await read<TurnView>("/turns/turn_2");
    expect(turn).toMatchObject({ state: "running", workMs: 5_000, waitedMs: 4_000 });
    expect(turn).not.toHaveProperty("ended");
    expect(turn.rounds[0]?.calls).toEqual([
      { call: "1.1", tool: "写", argument: "c.txt", verdict: "ask", reason: "writes", state: "waits", question: "K7" },
      { call: "1.2", tool: "看时间", argument: "", verdict: "allow", state: "none" },
    ]);
    expect((await read<WholeSessionView>(pathOf(own))).turn).toBe("turn_2");
  });

  it("nothing that others wrote can hide in a turn, however long it is", async () => {
    const { read, store } = await openConsole(engine);
    const evil = `a\u202Eb\n${"x".repeat(5_000)}`;
    await addChat(store, { id: own, messages: [say("x")] });
    await addTurn(store, {
      id: "turn_3",
      session: own,
      person: evil,
      at: 1,
      endsAt: 2,
      sources: [evil],
      requests: [{ model: evil }],
      calls: [
        {
          call: "1.1",
          tool: evil,
          argument: evil,
          verdict: "deny",
          reason: evil,
          end: { at: 2, ms: 0, how: "denied" },
        },
      ],
      question: {
        code: "K7",
        state: "decided",
        decision: "rejected",
        closedAt: 2,
        closedBy: evil,
        closedHow: "words",
        call: { call: "1.1", summary: evil, state: "rejected" },
      },
    });
    const turn = await read<TurnView>("/turns/turn_3");
    const text = JSON.stringify(turn);
    expect(text).not.toContain("\u202E");
    expect(text).toContain("a⟨U+202E⟩b");
    expect(text.length).toBeLessThan(15_000);
    expect(turn.rounds[0]?.calls[0]?.state).toBe("rejected");
  });

  it("a turn that is not there is said not to be", async () => {
    const { ask } = await openConsole(engine);
    for (const id of ["turn_9", "%25", "..%2F..%2Fetc"])
      expect((await ask(`/turns/${id}`)).status, `turn ${id}`).toBe(404);
  });

  it("every read of a turn goes along an index", async () => {
    const { store } = await openConsole(engine);
    await addWholeTurn(store);
    const ids = ["turn_1", "task_1"];
    const plans = await explainAll(store, async (db) => {
      await readRecords(db, ids);
      await listDecisions(db, ids);
      await listModelCalls(db, ids);
      await readLabelsOfTurn(db, { session: own, turn: "turn_1", position: 1 });
      await findNewestTurn(db, { id: own, last_position: 2 });
    });
    expect(plans.length).toBeGreaterThan(6);
    for (const plan of plans) expect(plan).not.toMatch(/"detail":"SCAN (?!line)|Seq Scan on (?!sessions)/);
  });
});

/** Statements that are compiled once have places where their values come later. */
const fill = (value: unknown): unknown => (typeof value === "object" ? null : value);

/** The engine's plans of the queries. */
async function explainAll(store: Store, query: (db: Store["main"]) => Promise<unknown>): Promise<readonly string[]> {
  const seen: CompiledQuery[] = [];
  const watch: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      seen.push(store.main.getExecutor().compileQuery(node, queryId));
      return node;
    },
    transformResult: ({ result }) => Promise.resolve(result),
  };
  await query(store.main.withPlugin(watch));
  return store.main.connection().execute(async (db) => {
    // With one row Postgres reads the table; it is told not to.
    if (store.engine === "postgres") await db.executeQuery(CompiledQuery.raw("set enable_seqscan = off"));
    const command = store.engine === "sqlite" ? "explain query plan" : "explain";
    const plans: string[] = [];
    for (const { parameters, sql } of seen)
      plans.push(
        JSON.stringify((await db.executeQuery(CompiledQuery.raw(`${command} ${sql}`, parameters.map(fill)))).rows),
      );
    if (store.engine === "postgres") await db.executeQuery(CompiledQuery.raw("reset enable_seqscan"));
    return plans;
  });
}
