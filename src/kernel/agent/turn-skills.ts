import type { Kysely } from "kysely";
import type { ConversationMessage, Language } from "../../core/conversation.ts";
import type { Database } from "../../store/schema/database.ts";

/** The message that skills are looked up for. */
interface SkillTurn {
  readonly session: string;
  readonly turn: string;
  readonly utterance: string;
  readonly language: Language;
  readonly position: number;
  readonly startPosition: number;
  /** The person can admit installed skills, so the catalogue lists those too. */
  readonly mayLetIn: boolean;
}

/** The texts of the active skills. */
export interface InjectedKnowledge {
  /** The texts of the active skills, for the changing end of the prompt; "" for none. */
  readonly text: string;
  /** Pairs of question and answer, placed before the conversation. */
  readonly examples: readonly ConversationMessage[];
  /** The active skills in order: those whose text fitted, and those that have none. */
  readonly skills: readonly string[];
  /** Hosts that the active skills declare, in order. A skill with a text counts only if the text fitted. */
  readonly network: readonly string[];
  /** The texts that are not the operator's, and the names of their skills. */
  readonly foreignText: string;
  readonly foreign: readonly string[];
}

export interface ActiveSkills extends InjectedKnowledge {
  /** One line for each skill, for the model to choose from. `isForeign` means that some lines contain foreign words. */
  readonly catalogue: { readonly text: string; readonly isForeign: boolean };
  /** Skills that were not selected but may be meant. */
  readonly suggested: readonly string[];
  /** Ids of installed skills that match the message but are not admitted here. */
  readonly waiting: readonly string[];
}

/** The interface of the skills for turns and tools. */
export interface TurnSkills {
  /** `write` runs its callback in a transaction that holds the turn. */
  activate(
    turn: SkillTurn,
    write: (act: (db: Kysely<Database>) => Promise<void>) => Promise<void>,
  ): Promise<ActiveSkills>;
  /** The hosts that these skills declare now. */
  listHosts(session: string, skills: readonly string[]): Promise<readonly string[]>;
  /** Why a skill cannot be used here, in words for the model. Returns undefined when it can. */
  whyNot(session: string, skill: string): Promise<string | undefined>;
}
