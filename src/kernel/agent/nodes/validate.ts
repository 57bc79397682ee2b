import type { FindSpokenPersona } from "../../../core/persona/spoken-persona.ts";
import type { VoiceCounts } from "../../../core/persona/voice-counts.ts";
import { judgeReply, type BreakKind } from "../../../core/persona/validate-reply.ts";
import type { TurnStateUpdate, TurnStateValue } from "../state.ts";
import { describeTurn } from "../describe-turn.ts";

/**
 * Checks the whole draft against the persona. The stream judged it sentence by sentence; this step names the faults.
 */
export function createValidate(parts: {
  readonly spokenPersona: FindSpokenPersona;
  readonly counts: VoiceCounts;
  readonly onBreak: (turn: string, broken: { readonly model: string; readonly kinds: readonly BreakKind[] }) => void;
}) {
  return (state: TurnStateValue): TurnStateUpdate => {
    const { language, session } = state.input;
    const verdict = judgeReply(state.draft, parts.spokenPersona(session, language).createJudge(describeTurn(state)));
    const kinds = verdict.verdict === "ok" ? [] : verdict.kinds;
    parts.counts.judged(state.answeredBy, kinds);
    if (kinds.length === 0) return {};
    parts.onBreak(state.input.turn, { model: state.answeredBy, kinds });
    return { breaks: state.breaks + 1 };
  };
}
