import { findNext, type Schedule } from "../../core/schedule/schedule.ts";
import type { ScheduleLimits } from "./schedule-options.ts";

/** Why a reminder cannot be set, for the words of its reader. */
export type LimitFault =
  | { readonly kind: "guest" }
  | { readonly kind: "too-many"; readonly most: number }
  | { readonly kind: "too-often"; readonly leastMs: number }
  /** All its times have passed. */
  | { readonly kind: "past" };

/** Occurrences of a cron expression that are looked at. */
const compared = 60;

/** Returns undefined if it may be set. `others` = how many wait already, without this one. */
export function findLimitFault(
  wanted: {
    readonly schedule: Schedule;
    readonly task: boolean;
    readonly role: "owner" | "trusted" | "member" | "guest";
    readonly others: number;
    readonly now: number;
  },
  limits: ScheduleLimits,
): LimitFault | undefined {
  const { schedule, task, role, others, now } = wanted;
  const { reminders, tasks } = limits;
  const most = role === "guest" ? reminders.guest : reminders.person;
  if (role === "guest" && (task || most === 0)) return { kind: "guest" };
  if (others >= most) return { kind: "too-many", most };
  if (findNext(schedule, now) === undefined) return { kind: "past" };
  const leastMs = task && role !== "owner" ? Math.max(tasks.interval, reminders.interval) : reminders.interval;
  return findShortestGap(schedule, now) < leastMs ? { kind: "too-often", leastMs } : undefined;
}

/** Milliseconds between the two nearest of its next occurrences; Infinity = there is one at most. */
function findShortestGap(schedule: Schedule, now: number): number {
  if (schedule.kind === "once") return Infinity;
  if (schedule.kind === "every") return schedule.everyMs;
  let shortest = Infinity;
  let before = findNext(schedule, now);
  for (let seen = 1; seen < compared && before !== undefined; seen += 1) {
    const next = findNext(schedule, before);
    if (next === undefined) break;
    shortest = Math.min(shortest, next - before);
    before = next;
  }
  return shortest;
}
