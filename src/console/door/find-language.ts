import { getCookie } from "hono/cookie";
import type { Language } from "../../core/conversation.ts";
import type { ConsoleContext } from "./guard.ts";

const languages: readonly Language[] = ["zh", "en", "ja"];

/** The language that this browser chose, else the usual one. */
export function findLanguage(context: ConsoleContext, usual: Language): Language {
  const wanted = getCookie(context, "kurisu_language");
  return languages.find((one) => one === wanted) ?? usual;
}
