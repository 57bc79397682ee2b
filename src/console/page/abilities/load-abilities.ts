import { readLanguage, type Language } from "../choices.ts";
import type { AbilityWords } from "../words/abilities/zh.ts";

const dictionaries: Readonly<Record<Language, () => Promise<{ readonly words: AbilityWords }>>> = {
  zh: () => import("../words/abilities/zh.ts"),
  en: () => import("../words/abilities/en.ts"),
  ja: () => import("../words/abilities/ja.ts"),
};

/** The page and its words, which only those load who open it. */
export async function loadAbilities() {
  const [{ Abilities: Page }, { words: say }] = await Promise.all([
    import("./abilities.tsx"),
    dictionaries[readLanguage()](),
  ]);
  return { Page, say };
}
