import { describe, expect, it } from "vitest";
import { findLimitFault } from "../../../src/features/reminders/find-limit-fault.ts";
import { scheduleOptions } from "../../../src/features/reminders/schedule-options.ts";
import type { Schedule } from "../../../src/core/schedule/schedule.ts";

const limits = scheduleOptions.parse({});
const now = Date.UTC(2026, 10, 22, 4, 5, 6);
const minuteMs = 60_000;
const once: Schedule = { kind: "once", at: now + 1 };
const every = (minutes: number): Schedule => ({ kind: "every", everyMs: minutes * minuteMs, from: now });
const cron = (text: string): Schedule => ({ kind: "cron", cron: text, zone: "Asia/Shanghai" });
const ask = (wanted: Partial<Parameters<typeof findLimitFault>[0]>, given = limits) =>
  findLimitFault({ schedule: once, task: false, role: "member", others: 0, now, ...wanted }, given);

describe("possible limits", () => {
  it.each<readonly [Schedule, task: boolean, role: "owner" | "member", leastMs: number | undefined]>([
    [once, true, "member", undefined],
    [every(5), false, "member", undefined],
    [every(4), false, "owner", 5 * minuteMs],
    [every(5), true, "owner", undefined],
    [every(59), true, "member", 60 * minuteMs],
    [every(60), true, "member", undefined],
    [cron("*/5 * * * *"), false, "member", undefined],
    [cron("* * * * *"), false, "member", 5 * minuteMs],
    [cron("0,3 8 * * 1"), false, "member", 5 * minuteMs],
    [cron("0 8 * * *"), true, "member", undefined],
    [cron("0 8,8 1 1 *"), true, "member", undefined],
  ])("%j, a task: %s, by a %s: least %s", (schedule, task, role, leastMs) => {
    expect(ask({ schedule, task, role })).toEqual(leastMs === undefined ? undefined : { kind: "too-often", leastMs });
  });

  it("the limit is as high as the file sets it; guests have no reminder until it allows them, and never a task", () => {
    expect(ask({ others: 49 })).toBeUndefined();
    expect(ask({ others: 50 })).toEqual({ kind: "too-many", most: 50 });
    expect(ask({ role: "guest" })).toEqual({ kind: "guest" });
    const open = scheduleOptions.parse({ reminders: { guest: 2 } });
    expect(ask({ role: "guest", others: 1 }, open)).toBeUndefined();
    expect(ask({ role: "guest", others: 2 }, open)).toEqual({ kind: "too-many", most: 2 });
    expect(ask({ role: "guest", task: true }, open)).toEqual({ kind: "guest" });
  });

  it("a time in the past is refused", () => {
    expect(ask({ schedule: { kind: "once", at: now } })).toEqual({ kind: "past" });
  });
});
