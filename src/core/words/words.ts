import type { Language } from "../conversation.ts";
import type { Words } from "./dictionary.ts";
import { en } from "./en.ts";
import { ja } from "./ja.ts";
import { zh } from "./zh.ts";

const dictionaries: Readonly<Record<Language, Words>> = { zh, en, ja };

/** The gateway's fixed texts in one language. */
export function wordsFor(language: Language): Words {
  return dictionaries[language];
}
