import { z } from "zod";
import { defineTool } from "../define-tool.ts";

/** A note of the model to itself. The ledger stores it as the result's `message`; no chat ever shows it. */
export function createThinkTool() {
  return defineTool({
    name: "think",
    description: {
      zh: "把想法写下来,理清复杂的问题、计划多步的操作、核对规则。它不查资料,也不改变任何东西;对方看不到内容。",
      en: "Write a thought down: to take a hard problem apart, plan several steps, check a rule. It looks nothing up and changes nothing; the person never sees it.",
    },
    input: z.strictObject({ thought: z.string().min(1).max(16_000).describe("The thought.") }),
    level: "safe",
    readOnly: true,
    idempotent: true,
    place: "gateway",
    hidden: true,
    // Summaries are shown to people.
    summarize: () => "",
    run: ({ thought }) => Promise.resolve({ ok: true as const, output: { recorded: true }, message: thought }),
  });
}
