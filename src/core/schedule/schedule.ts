import { Cron } from "croner";

/** When something is due: milliseconds since 1970 UTC; stored as JSON. */
export type Schedule =
  | { readonly kind: "once"; readonly at: number }
  /** Five fields; `L` as the day is the last of the month. Where day and weekday are both named, either counts. */
  | { readonly kind: "cron"; readonly cron: string; readonly zone: string }
  /** Due at `from`, and then again and again. */
  | { readonly kind: "every"; readonly everyMs: number; readonly from: number };

/** Further ahead nothing is looked for: 29 February comes after eight years at the latest. */
const longestWait = 9 * 366 * 86_400_000;

/**
 * The first time it is due strictly after `after`; undefined = never again. When clocks go forward, a time of day that is
 * skipped comes at the end of the gap. When they go back, one that occurs twice is due at the first of the two.
 */
export function findNext(schedule: Schedule, after: number): number | undefined {
  switch (schedule.kind) {
    case "once":
      return schedule.at > after ? schedule.at : undefined;
    case "every": {
      const { everyMs, from } = schedule;
      if (from > after) return from;
      if (!(everyMs > 0)) return undefined;
      return from + (Math.floor((after - from) / everyMs) + 1) * everyMs;
    }
    case "cron":
      return findNextCron(schedule.cron, schedule.zone, after);
  }
}

/** What is wrong with a cron expression or its zone, in the words of its reader; undefined = nothing. */
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
    stopAt: new Date(after + longestWait),
  });
  return job.nextRun(new Date(after))?.getTime();
}
