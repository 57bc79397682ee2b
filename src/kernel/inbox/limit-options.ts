import { z } from "zod";
import { durationOption } from "../../core/duration.ts";
import { wholeNumber } from "../../core/whole-number.ts";

/** The section `limits` of channels.yaml. */
export const limitOptions = z
  .strictObject({
    messages: z
      .strictObject({
        person: wholeNumber(1, 10_000).default(30).describe("Messages of one person a minute."),
        owner: wholeNumber(1, 10_000).default(300).describe("Messages of an owner a minute."),
        all: wholeNumber(1, 100_000)
          .default(600)
          .describe("Messages of all people together a minute; owners are heard over it."),
      })
      .prefault({})
      .describe("Messages a minute; more are refused with one notice, and the terminal is not counted."),
    loop: wholeNumber(0, 20)
      .default(8)
      .describe(
        "Answers within five minutes to a sender who answers like a machine; then she is silent towards them for a while (docs/channels.md#when-she-answers-in-a-group), 0 = never.",
      ),
    turns: z
      .strictObject({
        person: wholeNumber(1, 64)
          .default(4)
          .describe("Turns of one person at once, in different chats; the others wait."),
        all: wholeNumber(1, 64).default(16).describe("Turns at once."),
      })
      .prefault({})
      .describe("How many messages are answered at the same time."),
    stall: z
      .strictObject({
        after: durationOption.prefault("5s").describe("How long the event loop stands still until it is logged."),
        end: durationOption
          .prefault("2m")
          .describe(
            "How long until the process ends itself, so that a supervisor starts it again; the next start puts aside what it hung on.",
          ),
      })
      .prefault({})
      .describe("What happens when the event loop stands still."),
  })
  .prefault({})
  .describe("How much people may ask for.");

export type Limits = z.output<typeof limitOptions>;
