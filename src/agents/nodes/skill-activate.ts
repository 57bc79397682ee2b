import type { ConversationMessage, Language } from "../../core/conversation.ts";
import type { TurnStateUpdate, TurnStateValue } from "../state.ts";

/** What the skills bring that an utterance calls for. */
export type RecallSkills = (
  utterance: string,
  language: Language,
) => {
  readonly text: string;
  readonly examples: readonly ConversationMessage[];
  /** Hosts that commands may reach, each only after a yes. */
  readonly network: readonly string[];
};

/** Brings in what she knows how to do about this message. */
export function createSkillActivate(parts: { readonly recall: RecallSkills }) {
  return (state: TurnStateValue): TurnStateUpdate => {
    const { text, examples, network } = parts.recall(readUtterance(state.input), state.input.language);
    return { knowledge: text, examples, network };
  };
}

/** What skills are looked up by. A call that is asked again needs those it was asked with. */
export function readUtterance({ text, utterance }: TurnStateValue["input"]): string {
  return utterance ?? text;
}
