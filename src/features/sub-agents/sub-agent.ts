import { z } from "zod";
import { parseModelReference } from "../../models/model-reference.ts";
import { modelTiers } from "../../models/model-tiers.ts";
import { resolveAlias } from "../../kernel/gate/tool-aliases.ts";
import { wholeNumber } from "../../core/whole-number.ts";

/** The content of a file config/agents/<id>.yaml. */

const pattern = z
  .string()
  .regex(/^[\w.:*-]+$/, { error: "must be the name of a tool, or a pattern with * for any letters" })
  .transform(resolveAlias);

const model = z.string().refine((name) => isTier(name) || parseModelReference(name).kind === "model", {
  error: "must be inherit, small, large, or a model such as openai:NAME, anthropic:NAME, ollama:NAME or offline",
});

const text = (most: number) =>
  z
    .string()
    .trim()
    .min(1, { error: "must not be empty" })
    .max(most, { error: `must have ${most} characters at most` });

export const subAgentSchema = z
  .strictObject({
    description: z
      .strictObject({ zh: text(500).describe("In Chinese."), en: text(500).describe("In English.") })
      .describe("What it is good for, in zh and en; the model chooses by this."),
    prompt: text(12_000).describe("What it is told about its work; the task comes after it."),
    tools: z
      .array(pattern)
      .min(1, { error: "must name at least one tool" })
      .describe("The only tools it has, names or patterns; never those of a skill's MCP servers."),
    exclude: z.array(pattern).prefault([]).describe("Tools of these that it does not have after all."),
    model: model.default("inherit").describe("A tier of models.yaml (inherit, small, large), or a model by its name."),
    rounds: wholeNumber(1, 100).default(20).describe("How many times its model may be asked before it has to report."),
  })
  .describe("A sub-agent (config/agents/<id>.yaml).");

/** A sub-agent as it is set now. Tools are names or patterns. */
export interface SubAgent extends z.output<typeof subAgentSchema> {
  readonly id: string;
}

function isTier(name: string): boolean {
  return (modelTiers as readonly string[]).includes(name);
}
