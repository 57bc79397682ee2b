import { createInterface } from "node:readline";
import { AppError } from "../core/errors.ts";
import { readOptions } from "./read-options.ts";
import type { Command } from "./types.ts";

const help = `kurisu skills list [--json] | match [UTTERANCE]

list    the skills there are, with the hosts that commands may reach by them
match   which skills an utterance calls for: {"skills":["time"]}. Without UTTERANCE it reads one a line.`;

export const skillsCommand: Command = {
  name: "skills",
  alias: "skill",
  summary: "list skills and see which one an utterance calls for",
  help,
  async run(context) {
    const { values, positionals } = readOptions("skills", context.arguments, {
      json: { type: "boolean", default: false },
    });
    const [action = "list", utterance] = positionals;
    const skills = context.configuration().skills;
    if (action === "list") {
      for (const { id, name, version, type, tools } of skills.list()) {
        const { network } = tools;
        const hosts = network.length > 0 ? `  -> ${network.join(", ")}` : "";
        const line = values.json
          ? JSON.stringify({ id, name, version, type, ...(network.length > 0 && { network }) })
          : `${id.padEnd(14)} ${version.padEnd(8)} ${type.padEnd(10)} ${name}${hosts}`;
        process.stdout.write(`${line}\n`);
      }
      return 0;
    }
    if (action !== "match") throw new AppError("USAGE", help);
    const answer = (text: string) => process.stdout.write(`${JSON.stringify({ skills: skills.match(text) })}\n`);
    if (utterance !== undefined) answer(utterance);
    else for await (const line of createInterface({ input: process.stdin })) answer(line);
    return 0;
  },
};
