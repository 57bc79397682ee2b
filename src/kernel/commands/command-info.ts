import type { Language } from "../../core/conversation.ts";
import type { Words } from "../../core/words/dictionary.ts";
import type { Role } from "../gate/types.ts";
import type { CommandAnswer, CommandCall } from "./command-call.ts";

export interface MenuText {
  /** At most 256 characters, beside the command's name. */
  readonly menu: string;
  /** Its line of /help. */
  readonly help?: string;
}

/** What is known of a command before anything runs. */
export interface CommandInfo {
  /** Without the slash; the first is listed, the others are heard too. */
  readonly names: readonly [string, ...string[]];
  /** Its texts, for the menus of platforms and for /help: a key of the kernel's words, or a feature's own. Without either it is in no list. */
  readonly words?: keyof Words["commandMenu"];
  readonly menu?: Readonly<Record<Language, MenuText>>;
  /** members = everybody but guests, who may look in a group, but not take the others' work away. */
  readonly who: "everybody" | "members" | "owners";
  /** It needs no work, so it is heard while everything is paused. */
  readonly whilePaused?: true;
  /** /help shows it; the others are in `/help all`. */
  readonly everyday?: true;
  /** Members of a group have a use for it; the rest is listed in private only. */
  readonly inGroups?: true;
  /** People who need not mention her for it in a group. */
  readonly withoutMention?: (call: { readonly role: Role; readonly rest: string }) => boolean;
  /** It puts something before the model, so it counts as a message. */
  readonly beginsTurn?: (rest: string) => boolean;
}

/** A command people can write in a chat. */
export interface ChatCommand extends CommandInfo {
  /** undefined = it has answered by itself, and its row is done or in the lane. */
  answer(call: CommandCall): CommandAnswer | undefined | Promise<CommandAnswer | undefined>;
  /** What the Tab key may put in the place of the last of these words, which follow the command's name. */
  complete?(session: string, words: readonly string[]): Promise<readonly string[]>;
}
