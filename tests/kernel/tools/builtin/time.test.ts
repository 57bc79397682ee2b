import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addDuration, parseDuration } from "../../../../src/core/schedule/add-duration.ts";
import { formatIso, toInstant, toWallTime } from "../../../../src/core/schedule/zoned-time.ts";
import { createTimeTool } from "../../../../src/kernel/tools/builtin/time.ts";
import type { ToolContext, ToolResult } from "../../../../src/kernel/tools/types.ts";
import { createToolContext } from "../../../support/tool-context.ts";

const tool = createTimeTool({ defaultZone: "UTC" });

function ask(input: object, changes: Partial<ToolContext> = {}): Promise<ToolResult> {
  return tool.run(tool.input.parse(input), createToolContext(changes));
}

const anyInstant = fc
  .integer({ min: Date.UTC(1900, 0, 1) / 1000, max: Date.UTC(2100, 0, 1) / 1000 })
  .map((seconds) => seconds * 1000);
const anyZone = fc.constantFrom(
  "Asia/Shanghai",
  "America/New_York",
  "Australia/Lord_Howe",
  "Asia/Kathmandu",
  "UTC",
  "Pacific/Apia",
  "Africa/Monrovia",
);

describe("the time tool", () => {
  it("tells the person's own time, and in their language", async () => {
    expect(await ask({})).toEqual({
      ok: true,
      output: {
        iso: "2026-11-22T12:05:06+08:00",
        local: "2026年11月22日 12:05:06",
        weekday: "星期日",
        zone: "Asia/Shanghai",
      },
      message: "2026-11-22T12:05:06+08:00",
    });
    expect(await ask({ zone: "America/New_York" }, { language: "en" })).toMatchObject({
      output: {
        iso: "2026-11-21T23:05:06-05:00",
        weekday: "Saturday",
        local: expect.stringMatching(/21 November 2026/),
      },
    });
    expect(await ask({}, { zone: "no/zone" })).toMatchObject({ output: { iso: "2026-11-22T04:05:06+00:00" } });
  });

  const rows: [object, string][] = [
    [{ at: "2026-12-24" }, "2026-12-24T00:00:00+08:00"],
    [{ at: "18:30" }, "2026-11-22T18:30:00+08:00"],
    [{ at: "2026/1/2 3:04" }, "2026-01-02T03:04:00+08:00"],
    [{ at: "2026-01-02T03:04:05Z" }, "2026-01-02T11:04:05+08:00"],
    [{ at: "2026-01-02T03:04:05.678-0330" }, "2026-01-02T14:34:05+08:00"],
    [{ add: "3h" }, "2026-11-22T15:05:06+08:00"],
    [{ add: "-2d" }, "2026-11-20T12:05:06+08:00"],
    [{ add: "1h30m" }, "2026-11-22T13:35:06+08:00"],
    [{ add: "1.5 hours" }, "2026-11-22T13:35:06+08:00"],
    [{ add: "2 weeks 1 day" }, "2026-12-07T12:05:06+08:00"],
    [{ add: "P1DT2H" }, "2026-11-23T14:05:06+08:00"],
    [{ add: "-P1M" }, "2026-10-22T12:05:06+08:00"],
    [{ add: "PT15M" }, "2026-11-22T12:20:06+08:00"],
    [{ at: "2026-01-31", add: "1mo" }, "2026-02-28T00:00:00+08:00"],
    [{ at: "2024-02-29", add: "1y" }, "2025-02-28T00:00:00+08:00"],
    [{ at: "2026-01-15", add: "-2mo" }, "2025-11-15T00:00:00+08:00"],
    // Clocks skip from 2:00 to 3:00, and show 1:30 twice.
    [{ zone: "America/New_York", at: "2026-03-08T02:30" }, "2026-03-08T03:30:00-04:00"],
    [{ zone: "America/New_York", at: "2026-11-01T01:30" }, "2026-11-01T01:30:00-04:00"],
    [{ zone: "America/New_York", at: "2026-11-01T01:30", add: "1h" }, "2026-11-01T01:30:00-05:00"],
    [{ zone: "America/New_York", at: "2026-03-07T12:00", add: "1d" }, "2026-03-08T12:00:00-04:00"],
    [{ zone: "America/New_York", at: "2026-03-07T12:00", add: "24h" }, "2026-03-08T13:00:00-04:00"],
    [{ zone: "UTC+5:30" }, "2026-11-22T09:35:06+05:30"],
    [{ zone: "GMT-3" }, "2026-11-22T01:05:06-03:00"],
  ];

  it.each(rows)("%j", async (input, iso) => {
    expect(await ask(input)).toMatchObject({ ok: true, output: { iso } });
  });

  it("knows the lunar calendar, leap months and New Year's Eve", async () => {
    expect(await ask({ lunar: true })).toMatchObject({ output: { lunar: "丙午年(马)十月十四" } });
    expect(await ask({ at: "2025-08-01", lunar: true })).toMatchObject({ output: { lunar: "乙巳年(蛇)闰六月初八" } });
    expect(await ask({ at: "2026-02-17", lunar: true })).toMatchObject({ output: { lunar: "丙午年(马)正月初一" } });
    expect(await ask({ at: "2027-02-05", lunar: true }, { language: "en" })).toMatchObject({
      output: { lunar: "丙午年(马)腊月廿九, year of the Horse" },
    });
  });

  const nonsense = ["tomorrow", "2026-02-30", "2026-13-01", "25:00", "12:60", "", "2026-1", "T10:00Z+1"];
  it.each(nonsense)("refuses the moment %j with a sentence", async (at) => {
    expect(await ask({ at })).toMatchObject({ ok: false, error: expect.stringMatching(/write it like/) });
  });

  it.each(["P", "PT", "3", "h", "1.5mo", "3 fortnights", "--2d", "99999999999y", "1h nonsense"])(
    "refuses the length %j",
    async (add) => {
      expect(await ask({ add })).toMatchObject({ ok: false, error: expect.stringMatching(/write it like/) });
    },
  );

  it("refuses unknown zones by name, and years that no calendar tells", async () => {
    expect(tool.input.safeParse({ zone: "Mars/Olympus" }).error?.issues[0]?.message).toMatch(/Asia\/Shanghai/);
    expect(await ask({ add: "9000y" })).toMatchObject({ ok: false, error: expect.stringMatching(/9999/) });
    expect(await ask({ add: "-9000y" })).toMatchObject({ ok: false, error: expect.stringMatching(/9999/) });
    expect(tool.summarize(tool.input.parse({ zone: "UTC", add: "3h" }))).toBe("now 3h UTC");
  });

  it("never throws, whatever a model writes", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ maxLength: 30 }),
        fc.stringMatching(/^-?P?T?[0-9.]{1,20}(y|mo|w|d|h|m|s|D|M|Y)?$/),
        async (at, add) => {
          expect(typeof (await ask({ at })).ok).toBe("boolean");
          expect(typeof (await ask({ add: add.slice(0, 64) })).ok).toBe("boolean");
        },
      ),
    );
  });
});

describe("zoned time", () => {
  it("comes back to an instant that clocks show the same", () => {
    fc.assert(
      fc.property(anyInstant, anyZone, (instant, zone) => {
        const wall = toWallTime(instant, zone);
        expect(toWallTime(toInstant(wall, zone), zone)).toEqual(wall);
      }),
      { numRuns: 500 },
    );
  });

  it("formatIso writes a time that Node reads as the same instant, where offsets are whole minutes", () => {
    const recent = anyInstant.filter((instant) => instant > Date.UTC(1973, 0, 1));
    fc.assert(
      fc.property(recent, anyZone, (instant, zone) => {
        expect(Date.parse(formatIso(instant, zone))).toBe(instant);
      }),
    );
  });

  it("adds days to the calendar and hours to the clock", () => {
    fc.assert(
      fc.property(anyInstant, anyZone, fc.integer({ min: -400, max: 400 }), (instant, zone, count) => {
        const hours = parseDuration(`${count}h`) ?? { months: 0, days: 0, milliseconds: 0 };
        expect(addDuration(instant, hours, zone)).toBe(instant + count * 3_600_000);
        const days = parseDuration(`${count}d`) ?? hours;
        const error = addDuration(instant, days, zone) - (instant + count * 86_400_000);
        // Apia once skipped a whole day; elsewhere clocks move by an hour or so.
        expect(Math.abs(error)).toBeLessThanOrEqual(26 * 3_600_000);
      }),
    );
  });
});
