import type { Language } from "../../core/conversation.ts";
import type { MenuText } from "../commands/command-info.ts";

/** The texts of one command in the menus of platforms and in /help, from a feature's words. */
export function pickMenu<Name extends string>(
  { zh, en, ja }: Readonly<Record<Language, { readonly menus: Readonly<Record<Name, MenuText>> }>>,
  name: Name,
): Readonly<Record<Language, MenuText>> {
  return { zh: zh.menus[name], en: en.menus[name], ja: ja.menus[name] };
}
