export const themes = ["auto", "light", "dark"] as const;
export const languages = ["zh", "en", "ja"] as const;
export type Language = (typeof languages)[number];

const yearSeconds = 31_536_000;

/** The server reads it before it sends the document, so nothing flashes. */
export function keepChoice(name: "kurisu_theme" | "kurisu_language", value: string): void {
  document.cookie = `${name}=${value}; Path=/; Max-Age=${yearSeconds}; SameSite=Strict`;
}

export function readLanguage(): Language {
  return languages.find((one) => document.documentElement.lang.startsWith(one)) ?? "zh";
}
