import { createInterface } from "node:readline";
import { AppError } from "../core/errors.ts";
import { formatFault } from "../core/yaml-file.ts";
import { listMissing } from "../skills/requirements.ts";
import { listSkillServers } from "../skills/skill-library.ts";
import type { Skill } from "../skills/types.ts";
import { readOptions } from "./read-options.ts";
import type { Command, CommandContext } from "./types.ts";

const help = `kurisu skills list [--json] | match [UTTERANCE]

list    the skills there are, what they miss, and the hosts that commands may reach by them
match   which skills an utterance calls for, by rules alone: {"skills":["time"]}. Without UTTERANCE it reads one a line.
        What a skill misses does not count here: it says what is meant, not what can be done.`;

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
    if (action === "list") return list(context, values.json);
    if (action !== "match") throw new AppError("USAGE", help);
    const { skills } = context.configuration();
    const answer = (text: string) => process.stdout.write(`${JSON.stringify({ skills: skills.match(text) })}\n`);
    if (utterance !== undefined) answer(utterance);
    else for await (const line of createInterface({ input: process.stdin })) answer(line);
    return 0;
  },
};

async function list(context: CommandContext, json: boolean): Promise<number> {
  const { configuration, registry, sandbox } = await context.inspect(context.configuration());
  const { skills, surroundings } = configuration;
  const around = {
    ...surroundings,
    platform: process.platform,
    configuration,
    hasTool: (name: string) => registry.find(name) !== undefined,
  };
  const servers = new Map(listSkillServers(skills).map((one) => [one.skill, Object.keys(one.servers)]));
  for (const skill of skills.list()) {
    const missing = listMissing(skill.requires, around);
    process.stdout.write(`${json ? toJson(skill, missing, servers.get(skill.id)) : toLine(skill, missing)}\n`);
  }
  for (const fault of [...skills.faults, ...skills.warnings]) process.stderr.write(`${formatFault(fault)}\n`);
  await sandbox.stop();
  return 0;
}

function toJson(skill: Skill, missing: readonly string[], servers: readonly string[] = []): string {
  const { id, name, version, type, origin, tools } = skill;
  const { network } = tools;
  return JSON.stringify({
    id,
    name,
    version,
    type,
    origin,
    ...(missing.length > 0 && { missing }),
    ...(servers.length > 0 && { servers }),
    ...(network.length > 0 && { network }),
  });
}

function toLine({ id, name, version, type, origin, tools }: Skill, missing: readonly string[]): string {
  const notes = [
    ...(origin === "shared" ? ["from outside: off until an owner says /skills on"] : []),
    ...(missing.length > 0 ? [`missing: ${missing.join(", ")}`] : []),
    ...(tools.network.length > 0 ? [`-> ${tools.network.join(", ")}`] : []),
  ];
  const line = `${id.padEnd(14)} ${version.padEnd(8)} ${type.padEnd(10)} ${name}`;
  return notes.length > 0 ? `${line}  ${notes.join("; ")}` : line;
}
