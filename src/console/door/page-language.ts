import { getCookie } from "hono/cookie";
import type { Language } from "../../core/conversation.ts";
import type { ConsoleContext } from "./guard.ts";

const languages: readonly Language[] = ["zh", "en", "ja"];

/** The language that this browser chose for the page. */
export function readPageLanguage(context: ConsoleContext, otherwise: Language): Language {
  const wanted = getCookie(context, "kurisu_language");
  return languages.find((one) => one === wanted) ?? otherwise;
}
