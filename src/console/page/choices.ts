export const themes = ["auto", "light", "dark"] as const;
export const languages = ["zh", "en", "ja"] as const;
export type Language = (typeof languages)[number];

type Choice = "kurisu_theme" | "kurisu_language" | "kurisu_keys" | "kurisu_notices";

const yearSeconds = 31_536_000;

/** The server reads it before it sends the document, so nothing flashes. */
export function keepChoice(name: Choice, value: string): void {
  document.cookie = `${name}=${value}; Path=/; Max-Age=${yearSeconds}; SameSite=Strict`;
}

export function readChoice(name: Choice): string | undefined {
  const pairs = document.cookie.split("; ").map((pair) => pair.split("="));
  return pairs.find(([key]) => key === name)?.[1];
}

export function readLanguage(): Language {
  return languages.find((one) => document.documentElement.lang.startsWith(one)) ?? "zh";
}
