import { z } from "zod";
import { durationOption } from "../../core/duration.ts";

const maxBurstMs = 10_000;
const error = "must be a time such as 1500ms, at most 10s; 0 = off";

/** The section `busy` of channels.yaml. */
export const busyOptions = z
  .strictObject({
    mode: z
      .enum(["queue", "steer", "interrupt"])
      .default("queue")
      .describe(
        "Words of a person while a turn of theirs is running: queue = they wait, steer = they enter it at its next step, interrupt = they stop it; a chat chooses with /busy.",
      ),
    burst: z
      .union([z.literal(0), durationOption.refine((ms) => ms <= maxBurstMs, { error })], { error })
      .prefault("1500ms")
      .describe(
        "Messages of one person that follow each other within this time are answered as one, while nothing of an answer is seen, at most 10s; 0 = each by itself.",
      ),
  })
  .prefault({})
  .describe("Words that come while she is busy.");

export type BusyOptions = z.output<typeof busyOptions>;
