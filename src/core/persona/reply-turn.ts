import type { Language } from "../conversation.ts";

/** Facts about the turn that a reply is judged by. */
export interface ReplyTurn {
  /** A tool that changes things has succeeded in it: she may say that she did something. */
  readonly acted: boolean;
  /** The tools that changed things and have succeeded; undefined when unknown: every claim then counts as supported. */
  readonly did?: readonly string[];
  /** A tool has been called in it, and the reply is about its result. */
  readonly worked?: boolean;
  /** A tool has succeeded in it: what she says was done can be what she has found. */
  readonly looked?: boolean;
  /** The language of the person; undefined when it is not known, and any will do. */
  readonly language?: Language | undefined;
  /** The person's words in this turn; undefined when there are none, or they are not known. */
  readonly last?: string | undefined;
  /** How her newest replies opened, as returned by `findOpening`. */
  readonly openings?: readonly string[];
  /** How the person likes things, in words. */
  readonly wishes?: string;
}
