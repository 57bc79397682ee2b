import type { Language } from "../../core/conversation.ts";
import type { Words } from "../../core/words/dictionary.ts";
import type { ToldSituation } from "../../core/persona/persona.ts";

/** The reader of a text. */
export interface Reader {
  readonly words: Words;
  readonly language: Language;
}

/** A fixed text. With `as`, the persona first words the situation itself. */
export interface Told {
  readonly text: string;
  readonly as?: { readonly situation: ToldSituation; readonly language: Language };
}

/** Keeps the fixed text unchanged, below the persona's own words for the situation. */
export function tellAs(situation: ToldSituation, language: Language, text: string): Told {
  return { text, as: { situation, language } };
}
