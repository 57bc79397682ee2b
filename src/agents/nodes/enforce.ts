import { enforceReply } from "../../core/persona/enforce-reply.ts";
import type { Persona } from "../../core/persona/persona.ts";
import { buildSystemPrompt } from "../../core/persona/system-prompt.ts";
import { createReplyJudge } from "../../core/persona/validate-reply.ts";
import { wordsFor } from "../../core/words/words.ts";
import type { TurnStateUpdate, TurnStateValue } from "../state.ts";

/** Takes out what breaks the role; when too little is left the model is asked once more, then the persona speaks itself. */
export function createEnforce(parts: {
  readonly persona: () => Persona;
  readonly chooseFallback: (state: TurnStateValue) => string;
}) {
  return (state: TurnStateValue): TurnStateUpdate => {
    const { language } = state.input;
    const persona = parts.persona();
    const enforced = enforceReply({
      draft: state.draft,
      judge: createReplyJudge(persona, buildSystemPrompt(persona, { language })),
      language,
      attempt: state.breaks <= 1 ? 1 : 2,
      shown: state.shown,
      after: state.shownBefore,
      fallback: parts.chooseFallback(state),
    });
    if (enforced.kind === "ask-again") return { instruction: enforced.instruction, shown: enforced.shown, reply: null };
    const offer = state.capped ? `\n\n${wordsFor(language).turn.continueOffer}` : "";
    const reply = `${enforced.text.trimEnd()}${offer}`;
    const before = reply.startsWith(state.shownBefore) ? state.shownBefore.length : 0;
    return { reply, said: reply.slice(before).trim() };
  };
}
