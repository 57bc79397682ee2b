import { z } from "zod";
import { durationOption } from "../../core/duration.ts";

const count = (most: number) => {
  const error = `must be a whole number, 1 to ${most}`;
  return z.int({ error }).min(1, { error }).max(most, { error });
};

/** The section `limits` of channels.yaml. */
export const limitOptions = z
  .strictObject({
    messages: z
      .strictObject({
        person: count(10_000).default(30).describe("Messages of one person a minute."),
        owner: count(10_000).default(300).describe("Messages of an owner a minute."),
        all: count(100_000).default(600).describe("Messages of everybody together a minute; owners are heard over it."),
      })
      .prefault({})
      .describe("What is over it is refused with one notice. The terminal is not counted."),
    loop: z
      .int({ error: "must be a whole number, 0 to 20" })
      .min(0, { error: "must be a whole number, 0 to 20" })
      .max(20, { error: "must be a whole number, 0 to 20" })
      .default(8)
      .describe(
        "So many answers within five minutes to somebody who answers her like a machine; then she is silent for a while. 0 = without end.",
      ),
    turns: z
      .strictObject({
        person: count(64).default(4).describe("Turns of one person at once, in different chats; the others wait."),
        all: count(64).default(16).describe("Turns at once."),
      })
      .prefault({})
      .describe("How many messages are answered at the same time."),
    stall: z
      .strictObject({
        after: durationOption.prefault("5s").describe("How long the event loop stands still until it is logged."),
        end: durationOption
          .prefault("2m")
          .describe("How long until the process ends, so that the next start puts aside what it hangs on."),
      })
      .prefault({})
      .describe("Messages that keep the process from going on; it holds from the next start."),
  })
  .prefault({})
  .describe("How much people may ask for.");

export type Limits = z.output<typeof limitOptions>;
