import { render } from "preact";
import { App } from "./app.tsx";
import { readLanguage, type Language } from "./choices.ts";
import type { PageWords } from "./words/zh.ts";

/** Only one is loaded. */
const dictionaries: Readonly<Record<Language, () => Promise<{ readonly words: PageWords }>>> = {
  zh: () => import("./words/zh.ts"),
  en: () => import("./words/en.ts"),
  ja: () => import("./words/ja.ts"),
};

const { words } = await dictionaries[readLanguage()]();
const root = document.getElementById("app");
if (root !== null) {
  root.replaceChildren();
  render(<App words={words} />, root);
}
