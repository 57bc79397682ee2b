import { expect, it } from "vitest";
import { findQuietEnd } from "../../../src/features/reminders/find-quiet-end.ts";

const minute = (clock: string): number => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3));
const quiet = (range: string, zone: string, now: string): string | undefined => {
  const [from = "", until = ""] = range.split("-");
  const end = findQuietEnd({ from: minute(from), until: minute(until), zone }, Date.parse(now));
  return end === undefined ? undefined : new Date(end).toISOString();
};

it.each([
  ["23:00-07:00", "Asia/Shanghai", "2026-11-22T14:59:59Z", undefined],
  ["23:00-07:00", "Asia/Shanghai", "2026-11-22T15:00:00Z", "2026-11-22T23:00:00.000Z"],
  ["23:00-07:00", "Asia/Shanghai", "2026-11-22T22:59:59Z", "2026-11-22T23:00:00.000Z"],
  ["23:00-07:00", "Asia/Shanghai", "2026-11-22T23:00:00Z", undefined],
  ["12:00-13:30", "UTC", "2026-12-31T13:29:00Z", "2026-12-31T13:30:00.000Z"],
  ["23:00-00:00", "UTC", "2026-12-31T23:30:00Z", "2027-01-01T00:00:00.000Z"],
  // Clocks go forward: the night is an hour shorter, and an end that does not exist is as much later as the gap.
  ["23:00-07:00", "Europe/Berlin", "2026-03-28T23:00:00Z", "2026-03-29T05:00:00.000Z"],
  ["01:00-02:30", "Europe/Berlin", "2026-03-29T00:30:00Z", "2026-03-29T01:30:00.000Z"],
  // Clocks go back: an hour longer, and the end that comes twice is the first one.
  ["23:00-07:00", "Europe/Berlin", "2026-10-24T22:00:00Z", "2026-10-25T06:00:00.000Z"],
  ["01:00-02:30", "Europe/Berlin", "2026-10-24T23:30:00Z", "2026-10-25T00:30:00.000Z"],
  ["01:00-02:30", "Europe/Berlin", "2026-10-25T01:15:00Z", undefined],
] as const)("quiet %s in %s: at %s until %s", (range, zone, now, end) => {
  expect(quiet(range, zone, now)).toBe(end);
});
