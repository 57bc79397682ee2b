import { z } from "zod";

const tokens = z.int({ error: "must be a whole number" }).min(1, { error: "must be 1 or more" });
const price = z.number({ error: "must be a number" }).min(0, { error: "must not be negative" });
const share = z
  .number({ error: "must be a number" })
  .gt(0, { error: "must be more than 0" })
  .max(1, { error: "must be 1 at most" });

const modelKey = z.string().regex(/^[a-z]+:.+$/, { error: "must be provider:NAME" });

/** The section `budget` of models.yaml. Everything is per day of the zone of channels.yaml; absent means no limit. */
export const budgetOptions = z
  .strictObject({
    tokens: z
      .strictObject({
        person: tokens.exactOptional().describe("Tokens of one person a day. Default: no limit."),
        owner: tokens.exactOptional().describe("The same of an owner. Default: no limit."),
        chat: tokens.exactOptional().describe("Tokens of one conversation, of all its people. Default: no limit."),
        all: tokens.exactOptional().describe("Tokens of all people together. Default: no limit."),
      })
      .prefault({})
      .describe("Tokens a day, what goes in and what comes out together."),
    personCost: price.exactOptional().describe("What one person who is no owner may cost a day. Default: no limit."),
    models: z
      .record(
        modelKey,
        z.strictObject({
          tokens: tokens.exactOptional().describe("Tokens of this model a day. Default: no limit."),
          cost: price.exactOptional().describe("What it may cost a day. Default: no limit."),
        }),
      )
      .prefault({})
      .describe(
        "Limits by model (provider:NAME): one that has reached its limit is left out, and the next one answers.",
      ),
    cost: price.exactOptional().describe("What all people together may cost a day, in the currency of the prices."),
    warnAt: share
      .default(0.8)
      .describe(
        "Share of a limit at which people are told, once a day: below a reply, or the owners for a limit of all.",
      ),
    cheaperAt: share.default(0.9).describe("Share of a limit from which `models.small` answers."),
    whenSpent: z
      .enum(["owner", "nobody"])
      .default("owner")
      .describe(
        "People who may go on when a limit of all, of a chat or of a model is reached; owners do so with the model of the tier small.",
      ),
    prices: z
      .record(
        modelKey,
        z.strictObject({
          input: price.describe("For a million tokens that go in."),
          output: price.describe("For a million tokens that come out."),
          cachedInput: price.exactOptional().describe("For a million that the server had cached. Default: as `input`."),
        }),
      )
      .prefault({})
      .describe("Prices by model (provider:NAME), for a million tokens; a model without one counts as free."),
  })
  .prefault({})
  .describe("What the models may use up a day.");

export type BudgetOptions = z.output<typeof budgetOptions>;
