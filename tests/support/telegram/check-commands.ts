import { FakeRefusal, type FakePayload } from "./fake-bot-types.ts";

export interface FakeCommand {
  readonly command: string;
  readonly description: string;
}

const scopes = ["default", "all_private_chats", "all_group_chats", "all_chat_administrators"];

/** Source: core.telegram.org/bots/api#setmycommands and #botcommand. */
export function checkCommands(payload: FakePayload): { scope: string; language: string; list: readonly FakeCommand[] } {
  const { commands, language_code: language = "", scope = { type: "default" } } = payload;
  if (!Array.isArray(commands)) throw new FakeRefusal(400, "Bad Request: parameter commands is required");
  if (commands.length > 100) throw new FakeRefusal(400, "Bad Request: BOT_COMMANDS_TOO_MUCH");
  for (const { command, description, ...more } of commands as readonly (FakeCommand & Record<string, unknown>)[]) {
    if (typeof command !== "string" || !/^[a-z0-9_]{1,32}$/.test(command))
      throw new FakeRefusal(400, "Bad Request: BOT_COMMAND_INVALID");
    if (typeof description !== "string" || description.trim().length < 1 || description.length > 256)
      throw new FakeRefusal(400, "Bad Request: BOT_COMMAND_DESCRIPTION_INVALID");
    if (Object.keys(more).length > 0) throw new FakeRefusal(400, "Bad Request: this fake knows no such field");
  }
  const names = (commands as readonly FakeCommand[]).map(({ command }) => command);
  if (new Set(names).size < names.length) throw new FakeRefusal(400, "Bad Request: BOT_COMMAND_INVALID");
  if (typeof language !== "string" || !/^(?:[a-z]{2})?$/.test(language))
    throw new FakeRefusal(400, "Bad Request: invalid language code specified");
  const { type } = scope as { type?: unknown };
  if (typeof type !== "string" || !scopes.includes(type))
    throw new FakeRefusal(400, "Bad Request: unsupported type specified");
  return { scope: type, language, list: commands as readonly FakeCommand[] };
}
