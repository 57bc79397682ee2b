import { createInterface } from "node:readline";
import { AppError } from "../core/errors.ts";
import { readOptions } from "./read-options.ts";
import { installSkill, removeSkill, updateSkill, verifyInstalled } from "./skill-store.ts";
import { toTerminalLine } from "./terminal-text.ts";
import type { Command, CommandContext } from "./types.ts";

const help = `kurisu skills list [--json] | match [UTTERANCE] | install SOURCE | update ID [SOURCE|COMMIT] | remove ID | verify [--json]

list      the skills there are, with the hosts that commands may reach by them
match     which skills an utterance calls for: {"skills":["time"]}. Without UTTERANCE it reads one a line.
install   a skill from https://…@COMMIT, ssh://…@COMMIT, user@host:path@COMMIT, a local repository@COMMIT, a folder, or
          a .zip or .tar.gz. Shows its files, what it asks for and what the checks found, and asks.
          --path FOLDER   the folder inside of SOURCE that holds the skill
          --yes           no question; only where the checks found nothing that blocks
update    shows what changes and asks: the newest commit, COMMIT, or another SOURCE
remove    takes an installed skill away
verify    compares every installed skill with skills.lock; exit 1 when one was changed`;

export const skillsCommand: Command = {
  name: "skills",
  alias: "skill",
  summary: "list, match, install, update, remove and verify skills",
  help,
  async run(context) {
    const { values, positionals } = readOptions("skills", context.arguments, {
      json: { type: "boolean", default: false },
      yes: { type: "boolean", default: false },
      path: { type: "string", default: "" },
    });
    const [action = "list", utterance, more] = positionals;
    const known = runStoreAction(context, action, utterance, more, values);
    if (known !== undefined) return known;
    const { skills, disabledSkills } = context.configuration();
    if (action === "list") {
      for (const { id, name, version, type, tools } of skills.list()) {
        const { network } = tools;
        const hosts = network.length > 0 ? `  -> ${network.join(", ")}` : "";
        const line = values.json
          ? JSON.stringify({ id, name, version, type, ...(network.length > 0 && { network }) })
          : `${id.padEnd(14)} ${version.padEnd(8)} ${type.padEnd(10)} ${name}${hosts}`;
        process.stdout.write(`${line}\n`);
      }
      for (const { id, problem } of disabledSkills) {
        const line = values.json
          ? JSON.stringify({ id, disabled: problem })
          : `${id.padEnd(14)} off: ${toTerminalLine(problem)}`;
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

/** undefined = it is none of the store's. */
function runStoreAction(
  context: CommandContext,
  action: string,
  first: string | undefined,
  second: string | undefined,
  options: Parameters<typeof installSkill>[2],
): Promise<number> | number | undefined {
  if (action === "verify") return verifyInstalled(context.skillStore(context.configuration()), options);
  if (action !== "install" && action !== "update" && action !== "remove") return undefined;
  if (first === undefined) throw new AppError("USAGE", help);
  const store = context.skillStore(context.configuration());
  switch (action) {
    case "install":
      return installSkill(store, first, options);
    case "update":
      return updateSkill(store, first, second, options);
    case "remove":
      return removeSkill(store, first);
  }
}
