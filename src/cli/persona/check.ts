import { createInterface } from "node:readline";
import type { CommandContext } from "../types.ts";
import type { Persona } from "../../core/persona/persona.ts";
import { buildSystemPrompt } from "../../core/persona/system-prompt.ts";
import { indexPrompt } from "../../core/persona/find-prompt-overlap.ts";
import { type BreakKind, createReplyJudge, judgeReply } from "../../core/persona/validate-reply.ts";

/** One JSON line for the reply, or for each line of standard input. */
export async function checkReplies(context: Pick<CommandContext, "configuration">, reply: string | undefined) {
  const { persona } = context.configuration();
  const answer = (text: string) => process.stdout.write(`${JSON.stringify(checkReply(text, persona))}\n`);
  if (reply !== undefined) answer(reply);
  else for await (const line of createInterface({ input: process.stdin })) answer(line);
  return 0;
}

/** The answer of `kurisu persona check`: one reply, held against the persona and its prompt in every language. */
export function checkReply(
  text: string,
  persona: Persona,
): { readonly verdict: "ok" | "break"; readonly kinds: readonly BreakKind[] } {
  const prompts = persona.languages.map((language) => buildSystemPrompt(persona, { language }));
  const judged = judgeReply(text, createReplyJudge(persona, indexPrompt(prompts.join("\n\n")), { acted: false }));
  return { verdict: judged.verdict, kinds: judged.verdict === "ok" ? [] : judged.kinds };
}
