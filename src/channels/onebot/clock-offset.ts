import { z } from "zod";

/** How far QQ's clock is from a monotonic one here (performance.now(), which nobody sets while the process runs). */
export interface ClockOffset {
  /** An event that has just come in live, and the reading (milliseconds) when its frame came, before any queue. */
  note(event: object, reading: number): void;
  /** QQ's time at a reading, whole milliseconds since 1970; undefined = no message has come yet. */
  toTheirs(reading: number): number | undefined;
}

/** So many messages later a server whose clock was set is measured anew. */
const samplesKept = 50;

/** Only messages carry the time of QQ's servers: NapCat and others date heartbeats and notices by their own host's clock. */
const dated = z.object({
  post_type: z.literal("message"),
  // Whole seconds; what is beyond that are milliseconds put there by mistake.
  time: z.coerce.number().int().positive().max(100_000_000_000),
});

/**
 * Every sample is too great by what the message took to come and by the cut to whole seconds, so the least of them is the
 * nearest: QQ's time comes out up to a second and the quickest way too early, never too late.
 */
export function createClockOffset(): ClockOffset {
  const samples: number[] = [];
  return {
    note(event, reading) {
      const read = dated.safeParse(event);
      if (!read.success) return;
      samples.push(reading - read.data.time * 1_000);
      if (samples.length > samplesKept) samples.shift();
    },
    toTheirs: (reading) => (samples.length === 0 ? undefined : Math.round(reading - Math.min(...samples))),
  };
}
