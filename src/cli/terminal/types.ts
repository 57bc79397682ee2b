import type { Words } from "../../core/words/dictionary.ts";
import type { Connect } from "../chat-connection.ts";

export interface TerminalChat {
  readonly connect: Connect;
  /** As of now: both may change while she runs. */
  readonly persona: () => string;
  readonly words: () => Words;
  readonly user: string;
  /** The data folder: what was typed, and what is too long to show, is kept there. */
  readonly home: string;
  readonly secrets: readonly string[];
  /** The terminal knows no control sequences. */
  readonly plain: boolean;
}
