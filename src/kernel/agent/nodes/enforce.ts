import type { VoiceCounts } from "../../../core/persona/voice-counts.ts";
import { enforceReply } from "../../../core/persona/enforce-reply.ts";
import type { FindSpokenPersona } from "../../../core/persona/spoken-persona.ts";
import { wordsFor } from "../../../core/words/words.ts";
import type { TurnStateUpdate, TurnStateValue } from "../state.ts";
import { describeTurn } from "../describe-turn.ts";

/**
 * Removes text that breaks the role. If too little is left, the model is asked once more; after that, the persona's
 * fixed words replace it.
 */
export function createEnforce(parts: {
  readonly spokenPersona: FindSpokenPersona;
  readonly counts: VoiceCounts;
  readonly chooseFallback: (state: TurnStateValue) => string;
}) {
  return (state: TurnStateValue): TurnStateUpdate => {
    const { language, session } = state.input;
    const enforced = enforceReply({
      draft: state.draft,
      judge: parts.spokenPersona(session, language).createJudge(describeTurn(state)),
      language,
      attempt: state.breaks <= 1 ? 1 : 2,
      shown: state.shown,
      after: state.shownBefore,
      fallback: parts.chooseFallback(state),
    });
    parts.counts.enforced(session, state.answeredBy, enforced);
    if (enforced.kind === "ask-again") return { instruction: enforced.instruction, shown: enforced.shown, reply: null };
    const offer = state.capped ? `\n\n${wordsFor(language).turn.continueOffer}` : "";
    const reply = `${enforced.text.trimEnd()}${offer}`;
    const before = reply.startsWith(state.shownBefore) ? state.shownBefore.length : 0;
    return { reply, said: reply.slice(before).trim() };
  };
}
