import type { ConversationMessage, Language } from "../../core/conversation.ts";
import type { TurnStateUpdate, TurnStateValue } from "../state.ts";

/** What the skills bring that an utterance calls for. */
export type RecallSkills = (
  utterance: string,
  language: Language,
  /** Installed skills that were let into this chat, with the digest of their files. */
  admitted: Readonly<Record<string, string>>,
) => {
  readonly text: string;
  readonly examples: readonly ConversationMessage[];
  /** Hosts that commands may reach, each only after a yes. */
  readonly network: readonly string[];
  /** Ids of installed skills that could help but were not let in here. */
  readonly waiting?: readonly string[];
};

/** Brings in what she knows how to do about this message. */
export function createSkillActivate(parts: {
  readonly recall: RecallSkills;
  readonly findAdmitted: (session: string) => Promise<Readonly<Record<string, string>>>;
}) {
  return async (state: TurnStateValue): Promise<TurnStateUpdate> => {
    const admitted = await parts.findAdmitted(state.input.session);
    const recalled = parts.recall(readUtterance(state.input), state.input.language, admitted);
    const { text, examples, network } = recalled;
    // Only an owner can let one in.
    const waiting = state.input.person.role === "owner" ? (recalled.waiting ?? []) : [];
    return { knowledge: text, examples, network, admitted, waiting };
  };
}

/** What skills are looked up by. A call that is asked again needs those it was asked with. */
export function readUtterance({ text, utterance }: TurnStateValue["input"]): string {
  return utterance ?? text;
}
