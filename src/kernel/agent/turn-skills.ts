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
  /** The person can let installed skills in, so the catalogue names those, too. */
  readonly mayLetIn: boolean;
}

/** The texts of the active skills. */
export interface InjectedKnowledge {
  /** The texts of the active skills, for the changing end of the prompt; "" when there are none. */
  readonly text: string;
  /** Question and answer pairs, to be put before the conversation. */
  readonly examples: readonly ConversationMessage[];
  /** The active skills: those whose text found room, and those that have none, in order. */
  readonly skills: readonly string[];
  /** Hosts that the active skills declare, in order: of those with a text only where it found room. */
  readonly network: readonly string[];
  /** The texts that are not the operator's, and the names of their skills. */
  readonly foreignText: string;
  readonly foreign: readonly string[];
}

export interface ActiveSkills extends InjectedKnowledge {
  /** One line for each skill there is, for the model to choose from; `isForeign` = some lines hold words of others. */
  readonly catalogue: { readonly text: string; readonly isForeign: boolean };
  /** Skills that nothing called for but that may be meant. */
  readonly suggested: readonly string[];
  /** Ids of installed skills that the message calls for but that were not let in here. */
  readonly waiting: readonly string[];
}

/** The part of the skills that turns and tools need. */
export interface TurnSkills {
  /** `write` runs what it is given in a transaction that holds the turn. */
  activate(
    turn: SkillTurn,
    write: (act: (db: Kysely<Database>) => Promise<void>) => Promise<void>,
  ): Promise<ActiveSkills>;
  /** The hosts that these skills declare now. */
  listHosts(session: string, skills: readonly string[]): Promise<readonly string[]>;
  /** Why a skill cannot be used here, in words for the model; undefined = it can. */
  whyNot(session: string, skill: string): Promise<string | undefined>;
}
