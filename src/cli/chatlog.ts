import { AppError } from "../core/errors.ts";
import { kurisuCommand } from "../core/kurisu-command.ts";
import { importChats, importHelp } from "./chatlog/import.ts";
import type { Command } from "./types.ts";

const help = `${kurisuCommand} ${importHelp}`;

export const chatlogCommand: Command = {
  name: "chatlog",
  summary: "import chats into the log that she searches",
  help,
  run({ arguments: [action, ...rest], ...context }) {
    const given = { ...context, arguments: rest };
    if (action === "import") return importChats(given);
    throw new AppError("USAGE", help);
  },
};
