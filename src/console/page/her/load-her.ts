import { readLanguage, type Language } from "../choices.ts";
import type { HerWords } from "../words/her/zh.ts";

const dictionaries: Readonly<Record<Language, () => Promise<{ readonly words: HerWords }>>> = {
  zh: () => import("../words/her/zh.ts"),
  en: () => import("../words/her/en.ts"),
  ja: () => import("../words/her/ja.ts"),
};

/** The page and its words, which only those load who open it. */
export async function loadHer() {
  const [{ Her: Page }, { words: say }] = await Promise.all([import("./her.tsx"), dictionaries[readLanguage()]()]);
  return { Page, say };
}
