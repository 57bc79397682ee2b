import type { SpokenPersona } from "../../core/persona/spoken-persona.ts";
import { judgeReply, type BreakKind } from "../../core/persona/validate-reply.ts";
import type { Language } from "../../core/conversation.ts";
import type { TurnStateUpdate, TurnStateValue } from "../state.ts";

/** Holds the whole draft against the persona. The stream judged it sentence by sentence; this names what is wrong. */
export function createValidate(parts: {
  readonly spokenPersona: (language: Language) => SpokenPersona;
  readonly onBreak: (turn: string, kinds: readonly BreakKind[]) => void;
}) {
  return (state: TurnStateValue): TurnStateUpdate => {
    const verdict = judgeReply(state.draft, parts.spokenPersona(state.input.language).createJudge());
    if (verdict.verdict === "ok") return {};
    parts.onBreak(state.input.turn, verdict.kinds);
    return { breaks: state.breaks + 1 };
  };
}
