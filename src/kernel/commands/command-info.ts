import type { Language } from "../../core/conversation.ts";
import type { Words } from "../../core/words/dictionary.ts";
import type { Role } from "../gate/types.ts";
import type { CommandAnswer, CommandCall } from "./command-call.ts";

export interface MenuText {
  /** At most 256 characters, in addition to the command's name. */
  readonly menu: string;
  /** Its line of /help. */
  readonly help?: string;
}

/** The static description of a command. */
export interface CommandInfo {
  /** Without the slash. The first is listed; the others work too. */
  readonly names: readonly [string, ...string[]];
  /**
   * Its texts for the menus of platforms and for /help: a key of the kernel's words, or a feature's own. Without either
   * it is not listed.
   */
  readonly words?: keyof Words["commandMenu"];
  readonly menu?: Readonly<Record<Language, MenuText>>;
  /** members excludes guests: in a group they may look, but not take other people's work away. */
  readonly who: "everybody" | "members" | "owners";
  /** It starts no work, so it is available while everything is paused. */
  readonly whilePaused?: true;
  /** /help lists it; the others are in `/help all`. */
  readonly everyday?: true;
  /** Useful to members of a group; the others are listed in private only. */
  readonly inGroups?: true;
  /** Whether a person may use it in a group without a mention. */
  readonly withoutMention?: (call: { readonly role: Role; readonly rest: string }) => boolean;
  /** It starts a turn, so it counts as a message. */
  readonly beginsTurn?: (rest: string) => boolean;
}

/** A command that people can write in a chat. */
export interface ChatCommand extends CommandInfo {
  /** Returns undefined when it has replied itself and its row is done or in the lane. */
  answer(call: CommandCall): CommandAnswer | undefined | Promise<CommandAnswer | undefined>;
  /** Completions for the last of these words, which follow the command's name. */
  complete?(session: string, words: readonly string[]): Promise<readonly string[]>;
}
