import type { Persona } from "./persona.ts";
import { buildSystemPrompt } from "./system-prompt.ts";
import type { BreakKind } from "./validate-reply.ts";
import { judgeReply } from "./validate-reply.ts";

/** The answer of `kurisu persona check`: one reply, held against the persona and its prompt in every language. */
export function checkReply(
  text: string,
  persona: Persona,
): { readonly verdict: "ok" | "break"; readonly kinds: readonly BreakKind[] } {
  const prompts = persona.languages.map((language) => buildSystemPrompt(persona, { language }));
  const judged = judgeReply(text, persona, prompts.join("\n\n"));
  return { verdict: judged.verdict, kinds: judged.verdict === "ok" ? [] : judged.kinds };
}
