import { createHash } from "node:crypto";
import type { Language } from "../conversation.ts";
import { indexPrompt } from "./find-prompt-overlap.ts";
import type { Persona } from "./persona.ts";
import { buildSystemPrompt, describeAnchor } from "./system-prompt.ts";
import type { ReplyTurn } from "./reply-turn.ts";
import { compileOwnWords, createReplyJudge, type BreakKind, type ReplyJudge } from "./validate-reply.ts";

/** A persona in one language: its system prompt, and a judge for each reply under it. */
interface SpokenPersona {
  readonly systemPrompt: string;
  /** The persona in short, for the end of a long prompt. */
  readonly anchor: string;
  createJudge(turn: ReplyTurn): ReplyJudge;
}

/** Finds the persona of a session, in a language. */
export type FindSpokenPersona = (session: string, language: Language) => SpokenPersona;

/** The persona of the moment. The prompt's index takes a millisecond, so it is kept as long as the persona is. */
export function createSpokenPersona(personaOf: (session: string) => Persona): FindSpokenPersona {
  const known = new WeakMap<Persona, Map<Language, SpokenPersona>>();
  return (session, language) => {
    const current = personaOf(session);
    const spoken = known.get(current) ?? new Map<Language, SpokenPersona>();
    known.set(current, spoken);
    const found = spoken.get(language) ?? speak(current, language);
    spoken.set(language, found);
    return found;
  };
}

function speak(persona: Persona, language: Language): SpokenPersona {
  const systemPrompt = buildSystemPrompt(persona, { language });
  const anchor = describeAnchor(persona, language);
  // The anchor is part of results, which a reply may quote whole: it is not secret.
  const index = indexPrompt(systemPrompt);
  const own = compileOwnWords(persona);
  const verdicts = new Map<string, readonly BreakKind[]>();
  return {
    systemPrompt,
    anchor,
    createJudge: (turn) => rememberVerdicts(createReplyJudge(persona, index, turn, own), verdicts, turn),
  };
}

/** Sentences of replies in progress, and how long a reply may be for its sentences to be remembered. */
const maxVerdicts = 256;
const maxRememberedLength = 2_000;

/** A reply is judged as it streams, as a whole, and once more when it is mended: the same sentences after the same text. */
function rememberVerdicts(judge: ReplyJudge, verdicts: Map<string, readonly BreakKind[]>, turn: ReplyTurn): ReplyJudge {
  const about = createHash("sha256").update(JSON.stringify(turn)).digest("base64");
  function remember(length: number, key: string, look: () => readonly BreakKind[]): readonly BreakKind[] {
    if (length > maxRememberedLength) return look();
    const kinds = verdicts.get(key) ?? look();
    verdicts.set(key, kinds);
    const [oldest] = verdicts.keys();
    if (verdicts.size > maxVerdicts && oldest !== undefined) verdicts.delete(oldest);
    return kinds;
  }

  return {
    ofSegment: (segment, accepted) =>
      remember(
        accepted.length + segment.text.length,
        `${about} ${segment.kind} ${accepted.length} ${accepted}${segment.text}`,
        () => judge.ofSegment(segment, accepted),
      ),
    ofReply: (text) => remember(text.length, `${about} reply ${text}`, () => judge.ofReply(text)),
  };
}
