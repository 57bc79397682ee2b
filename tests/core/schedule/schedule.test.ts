import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findCronFault, findNext, type Schedule } from "../../../src/core/schedule/schedule.ts";
import { toWallTime } from "../../../src/core/schedule/zoned-time.ts";

const cron = (expression: string, zone: string): Schedule => ({ kind: "cron", cron: expression, zone });

/** The next times it is due, as UTC to the minute. */
function listNext(schedule: Schedule, after: string, count: number): readonly string[] {
  const times: string[] = [];
  for (let at: number | undefined = Date.parse(after); times.length < count;) {
    at = findNext(schedule, at);
    if (at === undefined) return [...times, "never"];
    times.push(new Date(at).toISOString().slice(0, 16));
  }
  return times;
}

describe("findNext", () => {
  it.each([
    [
      "a time that clocks skip comes at the end of the gap (Berlin)",
      "30 2 * * *",
      "Europe/Berlin",
      "2027-03-26T12:00Z",
      ["2027-03-27T01:30", "2027-03-28T01:00", "2027-03-29T00:30"],
    ],
    [
      "a time that comes twice is due once (Berlin)",
      "30 2 * * *",
      "Europe/Berlin",
      "2027-10-30T12:00Z",
      ["2027-10-31T00:30", "2027-11-01T01:30"],
    ],
    [
      "the same with two hours (New York, spring)",
      "30 2,14 * * *",
      "America/New_York",
      "2027-03-13T20:00Z",
      ["2027-03-14T07:00", "2027-03-14T18:30", "2027-03-15T06:30"],
    ],
    ["and in autumn", "30 1 * * *", "America/New_York", "2027-11-06T12:00Z", ["2027-11-07T05:30", "2027-11-08T06:30"]],
    [
      "nine stays nine over a change of clocks",
      "0 9 * * *",
      "Europe/Berlin",
      "2027-03-27T06:00Z",
      ["2027-03-27T08:00", "2027-03-28T07:00"],
    ],
    [
      "every quarter of an hour goes on through both hours",
      "*/15 * * * *",
      "Europe/Berlin",
      "2027-10-31T00:40Z",
      ["2027-10-31T00:45", "2027-10-31T01:00", "2027-10-31T01:15"],
    ],
    [
      "29 February comes in leap years",
      "0 9 29 2 *",
      "Asia/Shanghai",
      "2026-01-01T00:00Z",
      ["2028-02-29T01:00", "2032-02-29T01:00"],
    ],
    ["2100 is none", "0 9 29 2 *", "Asia/Shanghai", "2096-03-01T00:00Z", ["2104-02-29T01:00"]],
    ["30 February never comes", "0 9 30 2 *", "Europe/Berlin", "2026-01-01T00:00Z", ["never"]],
    [
      "L is the last day of the month",
      "0 9 L * *",
      "Asia/Shanghai",
      "2028-01-20T00:00Z",
      ["2028-01-31T01:00", "2028-02-29T01:00", "2028-03-31T01:00"],
    ],
    [
      "months without a 31st are left out",
      "0 9 31 * *",
      "Asia/Shanghai",
      "2027-02-01T00:00Z",
      ["2027-03-31T01:00", "2027-05-31T01:00"],
    ],
    ["7 is Sunday too", "0 9 * * 7", "Asia/Shanghai", "2026-11-23T00:00Z", ["2026-11-29T01:00"]],
  ] as const)("%s", (_title, expression, zone, after, expected) => {
    expect(listNext(cron(expression, zone), after, expected.length)).toEqual(expected);
  });

  it("a single time has no next once it was due", () => {
    expect(findNext({ kind: "once", at: 10 }, 9)).toBe(10);
    expect(findNext({ kind: "once", at: 10 }, 10)).toBeUndefined();
  });

  it("repeats by arithmetic from its first time", () => {
    const every: Schedule = { kind: "every", everyMs: 100, from: 1000 };
    expect([0, 999, 1000, 1001, 1099, 1100].map((after) => findNext(every, after))).toEqual([
      1000, 1000, 1100, 1100, 1100, 1200,
    ]);
    expect(findNext({ kind: "every", everyMs: 0, from: 0 }, 5)).toBeUndefined();
  });

  it("keeps the time of day where whole days are those of a zone, and exact time where they are not", () => {
    const from = Date.parse("2026-10-22T06:00Z");
    const days = (zone?: string): Schedule => ({ kind: "every", everyMs: 2 * 86_400_000, from, ...(zone && { zone }) });
    expect(listNext(days("Europe/Berlin"), "2026-10-23T00:00Z", 2)).toEqual(["2026-10-24T06:00", "2026-10-26T07:00"]);
    expect(listNext(days(), "2026-10-23T00:00Z", 2)).toEqual(["2026-10-24T06:00", "2026-10-26T06:00"]);
    // In spring the last step before `after` is an hour shorter, and years later no step is lost.
    expect(listNext(days("Europe/Berlin"), "2027-03-28T05:00Z", 1)).toEqual(["2027-03-29T06:00"]);
    expect(listNext(days("Europe/Berlin"), "2027-03-29T06:00Z", 1)).toEqual(["2027-03-31T06:00"]);
  });

  it("findNext is always strictly later, and a later start never finds an earlier time", () => {
    const zones = ["Europe/Berlin", "America/New_York", "Asia/Shanghai", "Australia/Lord_Howe", "Asia/Kathmandu"];
    const expressions = [
      "30 2 * * *",
      "*/7 1-3 * * *",
      "0 0 * * 0",
      "59 23 L * *",
      "0 9 29 2 *",
      "15 2 13 * 5",
      "* * * * *",
    ];
    const year = { min: Date.UTC(2026, 0), max: Date.UTC(2029, 0) };
    fc.assert(
      fc.property(
        fc.constantFrom(
          ...expressions.flatMap((one) => zones.map((zone) => cron(one, zone))),
          ...zones.map((zone) => ({ kind: "every", everyMs: 3 * 86_400_000, from: Date.UTC(2026, 0), zone }) as const),
        ),
        fc.array(fc.integer(year), { minLength: 2, maxLength: 6 }),
        (schedule, starts) => {
          const found = starts
            .toSorted((one, other) => one - other)
            .map((start) => [start, findNext(schedule, start) ?? 0] as const);
          for (const [start, next] of found) expect(next).toBeGreaterThan(start);
          expect(found.map(([, next]) => next)).toEqual(
            found.map(([, next]) => next).toSorted((one, other) => one - other),
          );
        },
      ),
      { numRuns: 200 },
    );
  });

  it("shows the minute that was asked for on every day but those on which clocks change", () => {
    for (const zone of ["Europe/Berlin", "America/New_York"]) {
      let at = Date.UTC(2027, 0, 1);
      const odd: string[] = [];
      for (let day = 0; day < 365; day += 1) {
        at = findNext(cron("30 2 * * *", zone), at) ?? at;
        const { hour, minute } = toWallTime(at, zone);
        if (hour !== 2 || minute !== 30) odd.push(`${hour}:${minute}`);
      }
      expect({ zone, odd }).toEqual({ zone, odd: ["3:0"] });
      expect(new Date(at).toISOString().slice(0, 10)).toBe("2027-12-31");
    }
  });
});

describe("findCronFault", () => {
  it("names what cannot be read", () => {
    expect(findCronFault("0 9 * * 1-5", "Asia/Shanghai")).toBeUndefined();
    for (const wrong of ["60 * * * *", "* * * *", "0 0 9 * * 1", "now", ""])
      expect({ wrong, fault: findCronFault(wrong, "Asia/Shanghai") }).toEqual({
        wrong,
        fault: expect.stringMatching(/\w/),
      });
    expect(findCronFault("0 9 * * *", "Nowhere/There")).toContain("Nowhere/There");
  });
});
