import { z } from "zod";
import { inputKinds } from "../core/content-part.ts";
import { durationOption } from "../core/duration.ts";
import { budgetOptions } from "./budget-options.ts";
import { modelForms } from "./model-providers.ts";
import { parseModelReference } from "./model-reference.ts";
import { modelTiers } from "./model-tiers.ts";
import { wholeNumber } from "../core/whole-number.ts";

/** Options of config/system/models.yaml. */

const modelName = z.string().transform((text, context) => {
  const parsed = parseModelReference(text);
  if (parsed.kind === "model") return parsed.model;
  context.addIssue({ code: "custom", message: `must be ${modelForms}` });
  return z.NEVER;
});

export const modelsOptions = z
  .strictObject({
    models: z
      .strictObject({
        small: modelName
          .exactOptional()
          .describe("Model of the sub-agents explorer and test-runner. Default: `models.inherit`."),
        inherit: modelName.exactOptional().describe("Model of the other sub-agents. Default: that of KURISU_MODEL."),
        large: modelName.exactOptional().describe("Model of the sub-agent debugger. Default: `models.inherit`."),
      })
      .prefault({})
      .describe("Models by tier, such as ollama:qwen3:8b; KURISU_MODEL names the one that answers people."),
    inputs: z
      .array(z.enum(inputKinds, { error: `must be one of ${inputKinds.join(", ")}` }))
      .exactOptional()
      .describe(
        "What the models take beside text: image, audio (mp3, wav), file (PDF), or [] = text only (docs/models.md). Default: by provider and model name.",
      ),
    budget: budgetOptions,
    limits: z
      .strictObject({
        firstToken: durationOption.prefault("60s").describe("Longest wait for the first token of an answer."),
        idle: durationOption.prefault("60s").describe("Longest pause within an answer."),
        total: durationOption.prefault("10m").describe("Longest time for one answer."),
        retries: wholeNumber(0, 10)
          .default(1)
          .describe("How often the same model is asked again after a passing failure."),
        backoff: durationOption
          .prefault("500ms")
          .describe("The first pause before asking again; it doubles each time."),
        outage: z
          .union([z.literal(0), durationOption])
          .prefault("30m")
          .describe(
            "How long a turn waits when no model answers (docs/configuration.md#when-no-model-answers); 0 = it fails at once.",
          ),
      })
      .prefault({})
      .describe("Time limits of one request to a model."),
    rounds: z
      .strictObject({
        chat: wholeNumber(1, 100)
          .default(5)
          .describe("Times the model may be asked in one turn; at most `rounds.working`."),
        working: wholeNumber(1, 1000).default(25).describe("The same while its tools make progress."),
      })
      .refine(({ chat, working }) => chat <= working, { error: "chat must not be more than working (25 if not set)" })
      .prefault({})
      .describe("Limits of one turn."),
    window: z
      .strictObject({
        tokens: wholeNumber(500, 1_000_000)
          .exactOptional()
          .describe(
            "Tokens of the conversation in a prompt, summaries included. Default: two fifths of what the model in use takes, 1,000 to 24,000.",
          ),
        messages: wholeNumber(10, 10_000)
          .default(200)
          .describe("The most messages that stand in a prompt as they were said."),
      })
      .prefault({})
      .describe("How much of the conversation the model is shown; what is older is summarised."),
    persona: z
      .strictObject({
        anchorEvery: wholeNumber(0, 1_000)
          .default(6)
          .describe(
            "Number of replies after which the context says again who she is (`anchor` of persona.yaml); 0 = never, and behind tools it always stands.",
          ),
        judge: z
          .union([z.enum(modelTiers), modelName], {
            error: `must be small, inherit, large or ${modelForms}`,
          })
          .exactOptional()
          .describe(
            "Model, by tier or name, that judges the tone in `persona eval`; it never holds back a reply. Default: none.",
          ),
      })
      .prefault({})
      .describe("What keeps her in character beside the checks."),
    tools: z
      .strictObject({
        tokens: wholeNumber(0, 1_000_000)
          .default(1_500)
          .describe(
            "Tokens that the definitions of MCP servers' tools may take in a request; where they take more, a line for each server stands there, and find_tool loads those that are needed (docs/mcp.md#many-tools).",
          ),
        max: wholeNumber(1, 10_000)
          .default(128)
          .describe("Tools that a request may carry in all, hers included; 128 is what OpenAI takes."),
      })
      .prefault({})
      .describe("How many tools of MCP servers the model is told of at once."),
  })
  .describe("Which model answers, and its limits (config/system/models.yaml).");
