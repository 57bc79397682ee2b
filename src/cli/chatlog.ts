import { AppError } from "../core/errors.ts";
import { kurisuCommand } from "../core/kurisu-command.ts";
import { importChats, importHelp } from "./chatlog/import.ts";
import { searchChats, searchHelp } from "./chatlog/search.ts";
import { measureChats, statsHelp } from "./chatlog/stats.ts";
import type { Command } from "./types.ts";

const help = [importHelp, searchHelp, statsHelp].map((one) => `${kurisuCommand} ${one}`).join("\n\n");

export const chatlogCommand: Command = {
  name: "chatlog",
  help,
  run({ arguments: [action, ...rest], ...context }) {
    const given = { ...context, arguments: rest };
    if (action === "import") return importChats(given);
    if (action === "search") return searchChats(given);
    if (action === "stats") return measureChats(given);
    throw new AppError("USAGE", help);
  },
};
