import type { Language } from "../../core/conversation.ts";
import type { Words } from "../../core/words/dictionary.ts";
import type { ToldSituation } from "../../core/persona/persona.ts";

/** Whom a text is for. */
export interface Reader {
  readonly words: Words;
  readonly language: Language;
}

/** A fixed text; with `as` the persona says the situation in its own words first. */
export interface Told {
  readonly text: string;
  readonly as?: { readonly situation: ToldSituation; readonly language: Language };
}

/** The fixed text stays as it is, below the persona's own words for the situation. */
export function tellAs(situation: ToldSituation, language: Language, text: string): Told {
  return { text, as: { situation, language } };
}
