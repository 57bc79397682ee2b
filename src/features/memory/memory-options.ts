import { z } from "zod";
import { durationOption } from "../../core/duration.ts";
import { wholeNumber } from "../../core/whole-number.ts";

const dayMs = 24 * 3_600_000;
const keepAdvice = "must be forever, or a number of days such as 365d";
/** Milliseconds. */
const keepOption = z
  .string({ error: keepAdvice })
  .regex(/^(?:forever|[1-9][0-9]{0,4}d)$/, { error: keepAdvice })
  .transform((text) => (text === "forever" ? Infinity : Number.parseInt(text, 10) * dayMs));

/** config/system/memory.yaml */
export const memoryOptions = z
  .strictObject({
    chatlog: z
      .strictObject({
        enabled: z
          .boolean()
          .default(true)
          .describe(
            "true = what is said in her chats is kept, to be searched later; false = nothing new is kept, and what is there stays until it is deleted.",
          ),
        keep: keepOption
          .prefault("forever")
          .describe(
            "How long it is kept: forever, or a number of days such as 365d; older messages are deleted once a day.",
          ),
        seenWithin: keepOption
          .prefault("90d")
          .describe(
            "In private one reads a group's log for so long after one last spoke there: forever, or a number of days such as 30d (docs/memory.md#leaving-a-group).",
          ),
      })
      .prefault({})
      .describe("The log of what was said in her chats."),
    context: z
      .strictObject({
        tokens: wholeNumber(0, 4_000)
          .default(400)
          .describe(
            "Tokens of memories that one message may bring into the prompt; 0 = none, she only looks when asked.",
          ),
      })
      .prefault({})
      .describe("What of her memory enters a conversation unasked."),
    extract: z
      .strictObject({
        enabled: z
          .boolean()
          .default(true)
          .describe(
            "true = she remembers by herself what people tell about themselves; false = only what she is told to remember.",
          ),
        model: z
          .boolean()
          .default(true)
          .describe(
            "true = a model of the tier small reads, now and then, what a person has said, for facts that rules do not see; it counts for that person's limits and needs `chatlog.enabled`; false = rules only.",
          ),
        messages: wholeNumber(1, 50)
          .default(10)
          .describe("After so many messages of a person in a chat a model reads them, in one request."),
        quiet: durationOption
          .prefault("30m")
          .describe("After so long a silence of theirs the next message has it read fewer, too."),
      })
      .prefault({})
      .describe("What she remembers without being told to."),
    served: z
      .strictObject({
        person: z
          .string()
          .regex(/^(?:[a-z0-9]{1,32}:[^\s:]{1,128})?$/, { error: "must be an account such as telegram:123, or empty" })
          .default("cli:owner")
          .describe(
            "Person whose memories and chats other agents see by `./kurisu mcp serve`, as PLATFORM:ID: what this account could find in private; cli:owner = the person at the terminal of this machine, empty = none.",
          ),
      })
      .prefault({})
      .describe("What other agents see over MCP (mcp serve)."),
    embeddings: z
      .strictObject({
        gguf: z
          .string()
          .default("")
          .describe(
            "File of a GGUF model for embeddings on this machine; needs the package node-llama-cpp, and goes before EMBEDDINGS_BASE_URL (docs/memory.md#search-by-meaning).",
          ),
        messages: wholeNumber(0, 1_000_000)
          .default(20_000)
          .describe("Newest messages of the chat log that the model reads; older ones are found by their words."),
      })
      .prefault({})
      .describe("Search by meaning: of EMBEDDINGS_BASE_URL, or of a file. With neither she searches by words."),
  })
  .describe("What Kurisu remembers (config/system/memory.yaml).");

export type MemoryOptions = z.output<typeof memoryOptions>;
