import type { Language } from "../conversation.ts";
import { indexPrompt } from "./find-prompt-overlap.ts";
import type { Persona } from "./persona.ts";
import { buildSystemPrompt } from "./system-prompt.ts";
import { createReplyJudge, type ReplyJudge } from "./validate-reply.ts";

/** A persona in one language: its system prompt, and a judge for each reply under it. */
export interface SpokenPersona {
  readonly systemPrompt: string;
  createJudge(): ReplyJudge;
}

/** The persona of the moment in a language. The prompt's index takes a millisecond, so it is kept until the persona changes. */
export function createSpokenPersona(persona: () => Persona): (language: Language) => SpokenPersona {
  let known = new Map<Language, SpokenPersona>();
  let of: Persona | undefined;
  return (language) => {
    const current = persona();
    if (current !== of) known = new Map();
    of = current;
    const found = known.get(language) ?? speak(current, language);
    known.set(language, found);
    return found;
  };
}

function speak(persona: Persona, language: Language): SpokenPersona {
  const systemPrompt = buildSystemPrompt(persona, { language });
  const index = indexPrompt(systemPrompt);
  return { systemPrompt, createJudge: () => createReplyJudge(persona, index) };
}
