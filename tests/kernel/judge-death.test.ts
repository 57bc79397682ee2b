import { array, assert, constantFrom, property, uniqueArray } from "fast-check";
import { describe, expect, test } from "vitest";
import { judgeDeath, maxDeathsAlone } from "../../src/kernel/recovery/settle-death.ts";
import type { Death, StallMark } from "../../src/kernel/recovery/read-death.ts";
import type { Suspect } from "../../src/store/queries/suspects.ts";

const stall = (run: string, more: Partial<StallMark> = {}): StallMark => ({ run, since: 0, busy: true, ...more });

/** What is known after these deaths. */
function after(...deaths: readonly Death[]): ReadonlyMap<string, Suspect> {
  const known = new Map<string, Suspect>();
  for (const death of deaths) for (const suspect of judgeDeath(known, death)) known.set(suspect.row, suspect);
  return known;
}

const died = (run: string, ...atWork: readonly string[]): Death => ({ run, atWork, stall: undefined });
const isCondemned = (known: ReadonlyMap<string, Suspect>, row: string) =>
  (known.get(row)?.alone ?? 0) >= maxDeathsAlone;

describe("judgeDeath", () => {
  test("rows that were running together are never condemned, however often the process is killed", () => {
    const rows = uniqueArray(constantFrom("inbox:a", "inbox:b", "outbox:c", "preview:d"), { minLength: 2 });
    assert(
      property(array(rows, { maxLength: 30 }), (deaths) => {
        const known = after(...deaths.map((atWork, index) => died(String(index), ...atWork)));
        expect([...known.values()].filter(({ alone }) => alone > 0)).toEqual([]);
      }),
    );
  });

  test("a row that was alone at five deaths is condemned, and not before", () => {
    const four = after(
      died("1", "inbox:a", "inbox:b"),
      died("2", "inbox:a"),
      died("3", "inbox:a"),
      died("4", "inbox:a"),
      died("5", "inbox:a"),
    );
    expect(isCondemned(four, "inbox:a")).toBe(false);
    const five = judgeDeath(four, died("6", "inbox:a"));
    expect(five).toEqual([{ row: "inbox:a", deaths: 6, alone: 5, run: "6" }]);
  });

  test("a death that is read twice counts once", () => {
    expect(after(died("1", "inbox:a"), died("1", "inbox:a")).get("inbox:a")).toMatchObject({ deaths: 1, alone: 1 });
  });

  test("the row of a stalled loop is condemned at once, and no other row is suspected", () => {
    const known = after({ ...died("1", "inbox:a", "inbox:b"), stall: stall("1", { named: "inbox:b" }) });
    expect([...known.keys()]).toEqual(["inbox:b"]);
    expect(isCondemned(known, "inbox:b")).toBe(true);
  });

  test.each([
    { what: "the only row, when nobody could look", atWork: ["inbox:a"], mark: {}, condemned: true },
    { what: "one of two, when nobody could look", atWork: ["inbox:a", "inbox:b"], mark: {}, condemned: false },
    { what: "a row that only waited", atWork: ["inbox:a"], mark: { named: null }, condemned: false },
    {
      what: "a row on a machine that did not go on",
      atWork: ["inbox:a"],
      mark: { named: "inbox:a", busy: false },
      condemned: false,
    },
    { what: "a row that had ended", atWork: ["inbox:a"], mark: { named: "inbox:z" }, condemned: false },
  ])("a stall: $what is condemned: $condemned", ({ atWork, mark, condemned }) => {
    expect(isCondemned(after({ ...died("1", ...atWork), stall: stall("1", mark) }), "inbox:a")).toBe(condemned);
  });
});
