import { beforeEach, describe, expect, it } from "vitest";
import type { Store } from "../../../src/store/open-store.ts";
import { findQuestion } from "../../../src/store/queries/questions.ts";
import { readAudit } from "../../../src/store/queries/audit.ts";
import { ApprovalManager, type NewApproval } from "../../../src/kernel/gate/approval-manager.ts";
import { aloneAs } from "../../../src/kernel/gate/find-person.ts";
import { mayDecide, type Decider } from "../../../src/kernel/gate/may-decide.ts";
import { HandClock } from "../../support/hand-clock.ts";
import { makeQuestion } from "../../support/make-question.ts";
import { createTestStore } from "../../support/test-store.ts";

let store: Store;
let clock: HandClock;
let approvals: ApprovalManager;
beforeEach(async () => {
  store = await createTestStore();
  clock = new HandClock();
  approvals = new ApprovalManager({ clock, timeoutMs: (chatKind) => (chatKind === "group" ? 300_000 : 600_000) });
});

const asked = (changes: Partial<NewApproval> = {}): NewApproval => ({
  session: "s",
  chatKind: "private",
  turn: "t",
  interrupt: `i${Math.random()}`,
  person: { id: "fake:alice", name: "alice", role: "member" },
  policy: "p",
  calls: [{ call: "1.1", tool: "poke", arguments: { what: "a" }, hash: "h", summary: "a", detail: "a" }],
  ...changes,
});

const alice = {
  id: "fake:alice",
  name: "alice",
  role: "member",
  person: aloneAs("fake:alice"),
  place: "same-chat",
} as const;

const decide = (id: string, decision: "approved" | "rejected" = "approved") =>
  approvals.decide(store.main, id, { decision, by: alice, how: "words" });

describe("a question", () => {
  it("a question is open until its deadline, which is shorter in groups", async () => {
    const own = await approvals.open(store.main, asked());
    const group = await approvals.open(store.main, asked({ chatKind: "group" }));
    expect([own.deadline - clock.now(), group.deadline - clock.now()]).toEqual([600_000, 300_000]);
    expect(own).toMatchObject({ state: "open", asker: "fake:alice", promptMessage: null, calls: [{ state: "asked" }] });
  });

  it("a question has a code that no other question of the chat had today", async () => {
    const codes = new Set<string>();
    for (let count = 0; count < 200; count += 1) {
      const question = await approvals.open(store.main, asked());
      codes.add(question.code);
      if (count % 2 === 0) await approvals.close(store.main, question, "expired", "gateway", "expiry");
    }
    expect(codes.size).toBe(200);
    expect([...codes].every((code) => /^[A-HJ-NP-Z]{1,3}[2-9]$/.test(code))).toBe(true);
  });

  it("a question is decided once, and the first decision counts", async () => {
    const { id } = await approvals.open(store.main, asked());
    expect(await decide(id, "rejected")).toMatchObject({ kind: "decided", question: { decision: "rejected" } });
    expect(await decide(id)).toMatchObject({
      kind: "closed",
      question: { decision: "rejected", calls: [{ state: "rejected" }] },
    });
    expect(await approvals.consume(store.main, "t", "1.1", "h")).toBe(false);
  });

  it("cannot be decided at its deadline or later, and is still to be closed then", async () => {
    const question = await approvals.open(store.main, asked());
    clock.advance(600_000);
    expect(await decide(question.id)).toMatchObject({ kind: "late", question: { state: "open" } });
    expect(await approvals.close(store.main, question, "expired", "gateway", "expiry")).toBe(true);
    expect(await approvals.close(store.main, question, "cancelled", "gateway", "stop")).toBe(false);
    expect(await decide(question.id)).toMatchObject({ kind: "closed", question: { state: "expired" } });
  });

  it("stays approved however late its call runs, and is used once", async () => {
    const { id } = await approvals.open(store.main, asked());
    await decide(id);
    clock.advance(86_400_000);
    expect(await approvals.consume(store.main, "t", "1.1", "other arguments")).toBe(false);
    expect(await approvals.consume(store.main, "t", "1.1", "h")).toBe(true);
    expect(await approvals.consume(store.main, "t", "1.1", "h")).toBe(false);
  });

  it("leaves one row in the audit for each transition, and none for what changed nothing", async () => {
    const question = await approvals.open(store.main, asked());
    await decide(question.id);
    await decide(question.id, "rejected");
    await approvals.close(store.main, question, "expired", "gateway", "expiry");
    const rows = await readAudit(store.main, 10);
    expect(rows.map((row) => [row.action, row.actor])).toEqual([
      ["approval.asked", "fake:alice"],
      ["approval.approved", "fake:alice"],
    ]);
    expect(JSON.parse(rows[1]?.detail ?? "")).toMatchObject({
      question: question.id,
      how: "words",
      calls: [{ hash: "h" }],
    });
  });

  it("a decision that was rolled back leaves the question open", async () => {
    const { id } = await approvals.open(store.main, asked());
    const failing = store.main.transaction().execute(async (tx) => {
      await approvals.decide(tx, id, { decision: "approved", by: alice, how: "words" });
      throw new Error("the disk is full");
    });
    await expect(failing).rejects.toThrow("full");
    expect(await findQuestion(store.main, id)).toMatchObject({ state: "open", calls: [{ state: "asked" }] });
  });
});

describe("mayDecide", () => {
  const question = makeQuestion();
  it.each<[Decider["id"], Decider["role"], Decider["place"], boolean]>([
    ["fake:alice", "member", "same-chat", true],
    ["fake:alice", "owner", "same-chat", true],
    ["fake:alice", "guest", "same-chat", false],
    ["fake:alice", "member", "elsewhere", false],
    ["fake:bob", "member", "same-chat", false],
    ["fake:bob", "owner", "same-chat", true],
    ["fake:bob", "owner", "elsewhere", false],
    ["cli:owner", "owner", "command", true],
    ["console", "owner", "console", true],
  ])("%s as %s from %s: %s", (id, role, place, expected) => {
    expect(mayDecide(question, { id, role, person: aloneAs(id), place }, "approved")).toBe(expected);
  });
});
