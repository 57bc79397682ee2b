import type { ConversationMessage, Language } from "../../core/conversation.ts";
import type { TurnStateUpdate, TurnStateValue } from "../state.ts";

/** Brings in what she knows how to do about this message. */
export function createSkillActivate(parts: {
  readonly recall: (
    utterance: string,
    language: Language,
  ) => { readonly text: string; readonly examples: readonly ConversationMessage[] };
}) {
  return (state: TurnStateValue): TurnStateUpdate => {
    const { text, examples } = parts.recall(state.input.text, state.input.language);
    return { knowledge: text, examples };
  };
}
