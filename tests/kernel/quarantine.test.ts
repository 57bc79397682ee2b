import { describe, expect, test, vi } from "vitest";
import { planCells } from "../../src/kernel/recovery/settle-death.ts";
import { createQuarantine } from "../../src/kernel/recovery/quarantine.ts";
import type { InboxItem } from "../../src/store/queries/inbox.ts";

const turns = async () => {
  for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
};

function watch(quarantine: ReturnType<typeof createQuarantine>, ...names: readonly string[]): string[] {
  const entered: string[] = [];
  for (const name of names) void quarantine.admit(name).then(() => entered.push(name));
  return entered;
}

describe("createQuarantine", () => {
  test("suspects come one by one, the others after them in their order", async () => {
    const quarantine = createQuarantine();
    const entered = watch(quarantine, "x", "b", "a", "y");
    await turns();
    expect(entered).toEqual([]);
    quarantine.begin(["a", "b"].map((name) => ({ name, limitMs: 60_000 })));
    await turns();
    expect(entered).toEqual(["a"]);
    quarantine.ended("y");
    quarantine.ended("a");
    await turns();
    expect(entered).toEqual(["a", "b"]);
    quarantine.ended("b");
    await turns();
    expect(entered).toEqual(["a", "b", "x", "y"]);
  });

  test("one that takes long keeps the others for its time only", async () => {
    vi.useFakeTimers();
    try {
      const quarantine = createQuarantine();
      const entered = watch(quarantine, "a", "x");
      quarantine.begin([{ name: "a", limitMs: 3_000 }]);
      await vi.advanceTimersByTimeAsync(2_999);
      expect(entered).toEqual(["a"]);
      await vi.advanceTimersByTimeAsync(1);
      expect(entered).toEqual(["a", "x"]);
    } finally {
      vi.useRealTimers();
    }
  });

  test("a later cell begins once everything that had begun has ended, and keeps the rest waiting", async () => {
    const quarantine = createQuarantine();
    quarantine.begin([]);
    const entered = watch(quarantine, "x");
    await turns();
    quarantine.begin([{ name: "a", limitMs: 60_000 }]);
    const later = watch(quarantine, "a", "y", "x");
    await turns();
    expect([entered, later]).toEqual([["x"], ["x"]]);
    quarantine.ended("x");
    await turns();
    expect(later).toEqual(["x", "a"]);
    quarantine.ended("a");
    await turns();
    expect(later).toEqual(["x", "a", "y"]);
  });
});

describe("planCells", () => {
  const item = (seq: number, session: string): InboxItem => ({
    seq,
    id: `m${seq}`,
    session,
    requester: null,
    kind: "message",
    state: "queued",
    payload: "{}",
    attempts: 0,
    createdAt: 0,
  });
  const suspect = (id: string, deaths: number, alone: number) =>
    [`inbox:${id}`, { row: `inbox:${id}`, deaths, alone, run: "" }] as const;

  test("those that were alone least come first, each after what came before it in its chat", () => {
    const items = [item(1, "p"), item(2, "q"), item(3, "p"), item(4, "r")];
    const cells = planCells(new Map([suspect("m2", 3, 2), suspect("m3", 2, 0), suspect("m4", 1, 1)]), items, []);
    expect(cells).toEqual([
      { name: "inbox:m1", limitMs: 3_000 },
      { name: "inbox:m3", limitMs: 6_000 },
      { name: "inbox:m4", limitMs: 3_000 },
      { name: "inbox:m2", limitMs: 12_000 },
    ]);
  });
});
