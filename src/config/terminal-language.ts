import type { Language } from "../core/conversation.ts";
import { languageOfLocale } from "../core/words/detect-language.ts";

interface LocaleVariables {
  readonly LC_ALL?: string | undefined;
  readonly LC_MESSAGES?: string | undefined;
  readonly LANG?: string | undefined;
}

/** POSIX: the first of the three that is set says it for all. */
export function languageOfTerminal({ LC_ALL, LC_MESSAGES, LANG }: LocaleVariables): Language | undefined {
  return languageOfLocale(LC_ALL || LC_MESSAGES || LANG);
}
