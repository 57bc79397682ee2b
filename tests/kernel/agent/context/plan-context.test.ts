import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  countMeasured,
  findKept,
  findStart,
  isTooLong,
  pickSummaries,
  planContext,
} from "../../../../src/kernel/agent/context/plan-context.ts";
import type { MeasuredMessage } from "../../../../src/store/queries/messages.ts";

const roles = ["user", "assistant", "tool", "note"] as const;
const talk = fc.array(fc.record({ role: fc.constantFrom(...roles), tokens: fc.oneof(fc.nat(60), fc.nat(5_000)) }), {
  minLength: 1,
  maxLength: 120,
});

/** As the store answers: newest first, no more than are asked for. */
function measure(messages: readonly Omit<MeasuredMessage, "position">[], most: number): readonly MeasuredMessage[] {
  return messages
    .map((message, index) => ({ ...message, position: index + 1 }))
    .toReversed()
    .slice(0, most);
}

describe("the part of a conversation that stays", () => {
  it("the part is bounded whatever was said, holds the newest message, and begins with a person's where it can", () => {
    fc.assert(
      fc.property(talk, fc.integer({ min: 500, max: 30_000 }), (messages, tokens) => {
        const plan = planContext({ tokens, messages: 40 }, 32_000);
        const measured = measure(messages, countMeasured(plan));
        const start = findStart(measured, 0, plan);
        const shown = measured.filter(({ position }) => position > start);
        const [newest, ...older] = shown;
        expect(newest?.position).toBe(messages.length);
        const said = older.reduce((sum, one) => sum + one.tokens, 0);
        expect(said).toBeLessThanOrEqual(tokens);
        expect(shown.length).toBeLessThan(countMeasured(plan));
        const kept = findKept(measured, plan);
        const first = measured.find(({ position }) => position === kept + 1);
        expect(kept === messages.length - 1 || first?.role === "user" || first?.role === "note").toBe(true);
        expect(!isTooLong(measured, plan) || messages.length === 1 || kept > 0).toBe(true);
      }),
    );
  });

  it.each([
    [4_096, 1_638],
    [1_000, 1_000],
    [32_000, 12_800],
    [200_000, 24_000],
  ])("the part is a share of what a model with %i tokens takes", (context, all) => {
    const { history, summaries } = planContext({ messages: 200 }, context);
    expect(history + summaries).toBe(all);
  });

  it("keeps the beginning of the summaries for several of them", () => {
    const plan = planContext({ tokens: 2_000, messages: 200 }, 32_000);
    const all = Array.from({ length: 40 }, (_, index) => ({
      id: index + 1,
      number: index + 1,
      from: index,
      upTo: index + 1,
      tokens: 60,
    }));
    const starts = all.map((_, index) => pickSummaries(all.slice(0, index + 1).toReversed(), plan)[0]?.number ?? 0);
    expect(new Set(starts).size).toBeLessThanOrEqual(10);
    expect(starts).toEqual(starts.toSorted((a, b) => a - b));
  });
});
