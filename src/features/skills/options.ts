import { z } from "zod";

/** config/system/skills.yaml */
export const skillsOptions = z
  .strictObject({
    shared: z
      .enum(["on", "off"])
      .default("on")
      .describe(
        "on = SKILL.md folders that other agents read, too, are found (.kurisu/skills, .agents/skills, here and at home); each is off until an owner says `/skills on`.",
      ),
    exclude: z.array(z.string().min(1)).default([]).describe("Ids of skills that are left out."),
    budget: z
      .number()
      .int()
      .min(500)
      .max(50_000)
      .default(8000)
      .describe("Characters of skill text that one message may bring into the prompt."),
    tokens: z
      .number()
      .int()
      .min(0)
      .max(50_000)
      .default(1200)
      .describe(
        "Tokens that the list of skills may take in a prompt, a line each; of more skills, a message is told of those that its words fit.",
      ),
  })
  .describe("What she knows how to do (config/system/skills.yaml).");

export type SkillsOptions = z.output<typeof skillsOptions>;
