import type { Language } from "../../core/conversation.ts";
import { wordsFor } from "../../core/words/words.ts";
import { chooseSessionLanguage, findSession } from "../../store/queries/sessions.ts";
import type { Store } from "../../store/open-store.ts";
import type { CommandAnswer, CommandCall } from "./command-call.ts";

/** The spellings that people use. */
const names: ReadonlyMap<string, Language> = new Map([
  ...(["zh", "cn", "chinese", "中文", "汉语"] as const).map((name) => [name, "zh"] as const),
  ...(["en", "english", "英文", "英语", "英語"] as const).map((name) => [name, "en"] as const),
  ...(["ja", "jp", "japanese", "日文", "日语", "日本語"] as const).map((name) => [name, "ja"] as const),
]);

/** `/lang en`, `/lang auto`; alone it shows the current choice. The confirmation uses the new language. */
export function createChooseLanguage({ store }: { readonly store: Store }) {
  return async ({ session, rest, words }: CommandCall): Promise<CommandAnswer> => {
    const wanted = rest.trim().toLowerCase();
    const language = names.get(wanted);
    if (language !== undefined) {
      await chooseSessionLanguage(store.main, session, language);
      return { text: wordsFor(language).choices.languageChosen };
    }
    if (wanted === "auto") {
      await chooseSessionLanguage(store.main, session, null);
      return { text: words.choices.languageFollows };
    }
    if (wanted !== "") return { text: words.choices.languageUsage };
    const isChosen = (await findSession(store.main, session))?.chosen_language;
    return { text: isChosen ? words.choices.languageIs : words.choices.languageFollows };
  };
}
