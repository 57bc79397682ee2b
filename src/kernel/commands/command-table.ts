import type { CommandMenu } from "../../channels/define-channel.ts";
import type { Language } from "../../core/conversation.ts";
import { wordsFor } from "../../core/words/words.ts";
import type { MadeFeature } from "../feature/make-features.ts";
import type { Role } from "../gate/types.ts";
import { accessCommands, chatCommands, type CommandHandlers, type CommandRow } from "./chat-commands.ts";
import type { ChatCommand, CommandInfo, MenuText } from "./command-info.ts";
import type { CommandAnswer, CommandCall } from "./command-call.ts";
import { tellAs } from "../outbox/tell-as.ts";

export interface CommandTable {
  find(name: string): CommandInfo | undefined;
  answer(name: string, call: CommandCall): Promise<CommandAnswer | undefined>;
}

/** Every command, in listing order. */
export function listCommands(
  features: readonly { readonly commands?: readonly CommandInfo[] }[],
): readonly CommandInfo[] {
  return [...chatCommands, ...features.flatMap(({ commands = [] }) => commands), ...accessCommands];
}

export function createCommandTable(handlers: CommandHandlers, features: readonly MadeFeature[]): CommandTable {
  const help = (call: CommandCall) => ({ text: describeCommands(commands, call) });
  const bind = (row: CommandRow): ChatCommand => ({
    ...row,
    answer: row.handler === "help" ? help : handlers[row.handler],
  });
  const commands: readonly ChatCommand[] = [
    ...chatCommands.map(bind),
    ...features.flatMap((feature) => feature.commands),
    ...accessCommands.map(bind),
  ];
  const find = (name: string) => commands.find(({ names }) => names.includes(name));
  return {
    find,
    async answer(name, call) {
      const { language, person, words } = call;
      const command = find(name);
      // Guests do not learn which commands exist.
      if (command === undefined && person.role !== "guest") return { text: words.command.unknown(`/${name}`) };
      if (command === undefined || !mayUse(command, person.role))
        return tellAs("denied", language, words.access.ownerOnly);
      return command.answer(call);
    },
  };
}

/**
 * `/stop now` → name and rest. A name may also be in Chinese or Japanese; a path such as `/a/b` is no command. Returns
 * undefined when the text is no command. Approval words such as /confirm are read earlier.
 */
export function readCommand(text: string): { readonly name: string; readonly rest: string } | undefined {
  const match = /^\/([a-z][a-z0-9_]{0,31}|[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー]{1,32})(?:\s+([\s\S]*))?$/iu.exec(
    text.trim(),
  );
  return match?.[1] === undefined ? undefined : { name: match[1].toLowerCase(), rest: (match[2] ?? "").trim() };
}

function mayUse({ who }: CommandInfo, role: Role): boolean {
  return who === "everybody" || role === "owner" || (who === "members" && role !== "guest");
}

function textOf({ menu, words }: CommandInfo, language: Language): MenuText | undefined {
  return menu?.[language] ?? (words && wordsFor(language).commandMenu[words]);
}

/** Lists the commands that a person may use; `everyday` restricts them. */
function describeCommands(commands: readonly CommandInfo[], { language, person, rest, words }: CommandCall): string {
  const { command } = words;
  const isAll = /^(?:all|全部|すべて)$/i.test(rest);
  const rows = commands.filter((row) => mayUse(row, person.role) && (isAll || row.everyday));
  const lines = rows.flatMap((row) => textOf(row, language)?.help ?? []);
  return [command.helpIntro, "", ...lines, ...(isAll ? [] : [command.helpAll]), "", command.helpOutro].join("\n");
}

const languages = ["zh", "en", "ja"] as const satisfies readonly Language[];

/** The chat commands in every language, and in the installation's own for all other users. */
export function listCommandMenus(commands: readonly CommandInfo[], fallback: Language): readonly CommandMenu[] {
  const describe = (language: Language) =>
    commands.flatMap((row) => {
      const text = textOf(row, language);
      const [command] = row.names;
      return text === undefined ? [] : [{ command, description: text.menu, privateOnly: row.inGroups !== true }];
    });
  return [
    { commands: describe(fallback) },
    ...languages.map((language) => ({ languageCode: language, commands: describe(language) })),
  ];
}
