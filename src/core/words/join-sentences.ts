import type { Language } from "../conversation.ts";

/** Puts fixed sentences behind one another: with a space in English, with none in Chinese and Japanese. Empty ones are left out. */
export function joinSentences(sentences: readonly string[], language: Language): string {
  return sentences.filter((sentence) => sentence !== "").join(language === "en" ? " " : "");
}
