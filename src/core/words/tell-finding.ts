import type { Language } from "../conversation.ts";
import { createFinder } from "./find-reason.ts";
import { checkNames } from "./reasons/check-names.ts";
import { findingWords } from "./reasons/finding-words.ts";
import { findReason } from "./tell-reason.ts";
import { wordsFor } from "./words.ts";

const findName = createFinder(checkNames, (value) => value);
const findDetail = createFinder(findingWords, (value) => value);

/** Between names of variables. */
const or: Readonly<Record<Language, string>> = { zh: " 或 ", en: " or ", ja: " か " };

/** A line of the doctor in the language of the terminal. Any other text stays as it is. */
export function tellFinding(
  { check, detail }: { readonly check: string; readonly detail: string },
  language: Language,
): string {
  const name = language === "en" ? check : (findName(check, language) ?? check);
  return `${name}: ${tellDetail(detail, language)}`;
}

/** The state of a part in a language: what a line of the doctor says behind the name. Any other text stays as it is. */
export function tellDetail(detail: string, language: Language): string {
  if (language === "en") return detail;
  const told = findEnvFileFault(detail, language) ?? findDetail(detail, language) ?? findReason(detail, language);
  return (told ?? detail).replaceAll(/(?<=[A-Z_]) or (?=[A-Z_])/g, or[language]);
}

function findEnvFileFault(detail: string, language: Language): string | undefined {
  const { envFile } = wordsFor("en").setup;
  const fault = (Object.keys(envFile) as (keyof typeof envFile)[]).find((one) => envFile[one] === detail);
  return fault && wordsFor(language).setup.envFile[fault];
}
