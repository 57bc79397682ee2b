import type { Language } from "../../core/conversation.ts";
import type { Words } from "../../core/words/dictionary.ts";
import { wordsFor } from "../../core/words/words.ts";
import type { CommandMenu } from "../../channels/define-channel.ts";

const languages = ["zh", "en", "ja"] as const satisfies readonly Language[];

/** What members of a group have a use for; the rest is asked in private. */
const forGroups: ReadonlySet<string> = new Set<keyof Words["commandMenu"]>([
  ...(["help", "status", "stop", "new", "todo", "skills", "plan", "act"] as const),
  ...(["worldline", "dmail", "proof"] as const),
]);

/** The chat commands in every language, and in the installation's own for everybody else. */
export function listCommandMenus(fallback: Language): readonly CommandMenu[] {
  const describe = (language: Language) =>
    Object.entries(wordsFor(language).commandMenu).map(([command, description]) => ({
      command,
      description,
      privateOnly: !forGroups.has(command),
    }));
  return [
    { commands: describe(fallback) },
    ...languages.map((language) => ({ languageCode: language, commands: describe(language) })),
  ];
}
