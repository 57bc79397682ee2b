import type { FindSpokenPersona } from "../../core/persona/spoken-persona.ts";
import { judgeReply, type BreakKind } from "../../core/persona/validate-reply.ts";
import type { TurnStateUpdate, TurnStateValue } from "../state.ts";
import { describeTurn } from "../describe-turn.ts";

/** Holds the whole draft against the persona. The stream judged it sentence by sentence; this names what is wrong. */
export function createValidate(parts: {
  readonly spokenPersona: FindSpokenPersona;
  readonly onBreak: (turn: string, kinds: readonly BreakKind[]) => void;
}) {
  return (state: TurnStateValue): TurnStateUpdate => {
    const { language, session } = state.input;
    const verdict = judgeReply(state.draft, parts.spokenPersona(session, language).createJudge(describeTurn(state)));
    if (verdict.verdict === "ok") return {};
    parts.onBreak(state.input.turn, verdict.kinds);
    return { breaks: state.breaks + 1 };
  };
}
