import type { CommandMenu } from "../../channels/define-channel.ts";
import type { Language } from "../../core/conversation.ts";
import { wordsFor } from "../../core/words/words.ts";
import { chatCommands } from "./chat-commands.ts";

const languages = ["zh", "en", "ja"] as const satisfies readonly Language[];

/** The chat commands in every language, and in the installation's own for everybody else. */
export function listCommandMenus(fallback: Language): readonly CommandMenu[] {
  const describe = (language: Language) => {
    const { commandMenu } = wordsFor(language);
    return chatCommands.flatMap(({ names: [command], words, inGroups }) =>
      words === undefined ? [] : [{ command, description: commandMenu[words].menu, privateOnly: inGroups !== true }],
    );
  };
  return [
    { commands: describe(fallback) },
    ...languages.map((language) => ({ languageCode: language, commands: describe(language) })),
  ];
}
