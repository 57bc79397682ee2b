import { readLanguage, type Language } from "../choices.ts";
import type { SystemWords } from "../words/system/zh.ts";

const dictionaries: Readonly<Record<Language, () => Promise<{ readonly words: SystemWords }>>> = {
  zh: () => import("../words/system/zh.ts"),
  en: () => import("../words/system/en.ts"),
  ja: () => import("../words/system/ja.ts"),
};

/** The page and its words, which only those load who open it. */
export async function loadSystem() {
  const [{ System: Page }, { words: say }] = await Promise.all([
    import("./system.tsx"),
    dictionaries[readLanguage()](),
  ]);
  return { Page, say };
}
