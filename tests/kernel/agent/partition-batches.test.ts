import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { partitionBatches } from "../../../src/kernel/agent/plan-calls.ts";

const cut = (calls: string, most = 8) =>
  partitionBatches(Array.from(calls), (call) => call === "r", most).map((batch) => batch.join(""));

describe("calls of one round", () => {
  it.each([
    ["", []],
    ["rrr", ["rrr"]],
    ["rrrwrr", ["rrr", "w", "rr"]],
    ["ww", ["w", "w"]],
    ["wrw", ["w", "r", "w"]],
    ["rrrrrrrrrr", ["rrrrrrrr", "rr"]],
  ])("%s are run as %j", (calls, batches) => {
    expect(cut(calls)).toEqual(batches);
  });

  it("keep their order, an unsafe one is alone, and neighbours are apart only where they must be", () => {
    const calls = fc.array(fc.record({ id: fc.nat(), safe: fc.boolean() }), { maxLength: 40 });
    fc.assert(
      fc.property(calls, fc.integer({ min: 1, max: 9 }), (given, most) => {
        const batches = partitionBatches(given, (call) => call.safe, most);
        expect(batches.flat()).toEqual(given);
        const isSafe = (batch: (typeof batches)[number] = []) => batch.length > 0 && batch.every((call) => call.safe);
        const tooLarge = batches.filter((batch) => batch.length > (isSafe(batch) ? most : 1));
        const needlesslyApart = batches.filter(
          (batch, index) => isSafe(batch) && isSafe(batches[index + 1]) && batch.length < most,
        );
        expect({ tooLarge, needlesslyApart }).toEqual({ tooLarge: [], needlesslyApart: [] });
      }),
    );
  });
});
