import { z } from "zod";

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
    turns: z
      .strictObject({
        person: count(64).default(4).describe("Turns of one person at once, in different chats; the others wait."),
        all: count(64).default(16).describe("Turns at once."),
      })
      .prefault({})
      .describe("How many messages are answered at the same time."),
  })
  .prefault({})
  .describe("How much people may ask for.");

export type Limits = z.output<typeof limitOptions>;
