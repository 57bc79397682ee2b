import { AppError } from "../../../core/errors.ts";
import { kurisuCommand } from "../../../core/kurisu-command.ts";
import { importChats, importHelp } from "./import.ts";
import { searchChats, searchHelp } from "./search.ts";
import { measureChats, statsHelp } from "./stats.ts";
import type { LoadedCommand } from "../../../kernel/command-line/command.ts";
import type { ChatlogCommandContext } from "./open-chats.ts";

const help = [importHelp, searchHelp, statsHelp].map((one) => `${kurisuCommand} ${one}`).join("\n\n");

export const chatlogCommand: LoadedCommand<ChatlogCommandContext> = {
  help,
  run({ arguments: [action, ...rest], ...context }) {
    const given = { ...context, arguments: rest };
    if (action === "import") return importChats(given);
    if (action === "search") return searchChats(given);
    if (action === "stats") return measureChats(given);
    throw new AppError("USAGE", help);
  },
};
