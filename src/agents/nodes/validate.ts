import type { Persona } from "../../core/persona/persona.ts";
import { buildSystemPrompt } from "../../core/persona/system-prompt.ts";
import { judgeReply, type BreakKind } from "../../core/persona/validate-reply.ts";
import type { TurnStateUpdate, TurnStateValue } from "../state.ts";

/** Holds the whole draft against the persona. The stream judged it sentence by sentence; this names what is wrong. */
export function createValidate(parts: {
  readonly persona: () => Persona;
  readonly onBreak: (turn: string, kinds: readonly BreakKind[]) => void;
}) {
  return (state: TurnStateValue): TurnStateUpdate => {
    const persona = parts.persona();
    const systemPrompt = buildSystemPrompt(persona, { language: state.input.language });
    const verdict = judgeReply(state.draft, persona, systemPrompt);
    if (verdict.verdict === "ok") return {};
    parts.onBreak(state.input.turn, verdict.kinds);
    return { breaks: state.breaks + 1 };
  };
}
