import { Cron } from "croner";
import { addDuration } from "./add-duration.ts";

/** When something is due: milliseconds since 1970 UTC; stored as JSON. */
export type Schedule =
  /** With `zone` it was said as a time of day on the clocks of that zone, and not as a length or a time with its own zone. */
  | { readonly kind: "once"; readonly at: number; readonly zone?: string }
  /** Five fields; `L` as the day is the last of the month. Where day and weekday are both named, either counts. */
  | { readonly kind: "cron"; readonly cron: string; readonly zone: string }
  /** Due at `from`, and then again and again; with `zone` whole days are those of its clocks, and the time of day stays. */
  | { readonly kind: "every"; readonly everyMs: number; readonly from: number; readonly zone?: string };

const dayMs = 86_400_000;

/** Further ahead nothing is looked for: 29 February comes after eight years at the latest. */
const maxWaitMs = 9 * 366 * dayMs;

/**
 * The first time it is due strictly after `after`; undefined means never again. When clocks go forward, a time of day
 * that is skipped comes at the end of the gap. When they go back, one that occurs twice is due at the first of the two.
 */
export function findNext(schedule: Schedule, after: number): number | undefined {
  switch (schedule.kind) {
    case "once":
      return schedule.at > after ? schedule.at : undefined;
    case "every": {
      const { everyMs, from, zone } = schedule;
      if (from > after) return from;
      if (!(everyMs > 0)) return undefined;
      const passed = Math.floor((after - from) / everyMs);
      if (zone === undefined || everyMs % dayMs !== 0) return from + (passed + 1) * everyMs;
      return findNextDay(from, everyMs / dayMs, passed, zone, after);
    }
    case "cron":
      return findNextCron(schedule.cron, schedule.zone, after);
  }
}

/** A change of clocks moves a step by some hours, so the search begins one step early. */
function findNextDay(from: number, days: number, passed: number, zone: string, after: number): number {
  for (let step = Math.max(1, passed); ; step += 1) {
    const at = addDuration(from, { months: 0, days: step * days, milliseconds: 0 }, zone);
    if (at > after) return at;
  }
}

/** The fault of a cron expression or its zone, in the words of its reader; undefined when there is none. */
export function findCronFault(cron: string, zone: string): string | undefined {
  try {
    new Cron(cron, { mode: "5-part", timezone: zone, paused: true }).nextRun(new Date(0));
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function findNextCron(cron: string, zone: string, after: number): number | undefined {
  const job = new Cron(cron, {
    mode: "5-part",
    timezone: zone,
    paused: true,
    fixedTimeRule: "no-wildcard",
    stopAt: new Date(after + maxWaitMs),
  });
  return job.nextRun(new Date(after))?.getTime();
}
