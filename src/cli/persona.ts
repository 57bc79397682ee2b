import { createInterface } from "node:readline";
import { AppError } from "../core/errors.ts";
import { checkReply } from "../core/persona/check-reply.ts";
import { readOptions } from "./read-options.ts";
import type { Command } from "./types.ts";
import { kurisuCommand } from "../core/kurisu-command.ts";

const help = `${kurisuCommand} persona check [REPLY]

Says whether a reply stays in character: {"verdict":"ok|break","kinds":[…]}. Without REPLY it reads one reply a line.`;

export const personaCommand: Command = {
  name: "persona",
  summary: "check replies against the persona",
  help,
  async run(context) {
    const { positionals } = readOptions("persona", context.arguments, {});
    const [action, reply] = positionals;
    if (action !== "check") throw new AppError("USAGE", help);
    const persona = context.configuration().persona;
    const answer = (text: string) => process.stdout.write(`${JSON.stringify(checkReply(text, persona))}\n`);
    if (reply !== undefined) answer(reply);
    else for await (const line of createInterface({ input: process.stdin })) answer(line);
    return 0;
  },
};
