import type { Language } from "../conversation.ts";
import { indexPrompt } from "./find-prompt-overlap.ts";
import type { Persona } from "./persona.ts";
import { buildSystemPrompt } from "./system-prompt.ts";
import { createReplyJudge, type BreakKind, type ReplyJudge } from "./validate-reply.ts";

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
  const verdicts = new Map<string, readonly BreakKind[]>();
  return { systemPrompt, createJudge: () => rememberVerdicts(createReplyJudge(persona, index), verdicts) };
}

/** Sentences of replies at work, and how long a reply may be for its sentences to be remembered. */
const mostVerdicts = 256;
const longestRemembered = 2_000;

/** A reply is judged as it streams, as a whole, and once more when it is mended: the same sentences after the same text. */
function rememberVerdicts(judge: ReplyJudge, verdicts: Map<string, readonly BreakKind[]>): ReplyJudge {
  return (segment, accepted) => {
    if (accepted.length + segment.text.length > longestRemembered) return judge(segment, accepted);
    const key = `${segment.kind} ${accepted.length} ${accepted}${segment.text}`;
    const kinds = verdicts.get(key) ?? judge(segment, accepted);
    verdicts.set(key, kinds);
    const [oldest] = verdicts.keys();
    if (verdicts.size > mostVerdicts && oldest !== undefined) verdicts.delete(oldest);
    return kinds;
  };
}
