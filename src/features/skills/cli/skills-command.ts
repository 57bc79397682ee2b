import { createInterface } from "node:readline";
import { pino } from "pino";
import { createNeedsLook } from "./skill-needs.ts";
import { readOptions } from "../../../kernel/command-line/read-options.ts";
import { installSkill, removeSkill, updateSkill, verifyInstalled } from "./skill-store.ts";
import { toTerminalLine } from "../../../kernel/command-line/to-terminal-text.ts";
import type { CommandContext, LoadedCommand } from "../../../kernel/command-line/command.ts";
import { openSkillStore } from "../store/open-skill-store.ts";
import type { SkillStore } from "../store/skill-store.ts";
import { readSkillsConfiguration, type SkillsCommandConfiguration } from "./skills-command-context.ts";
import { AppError } from "../../../core/errors.ts";
import { kurisuCommand } from "../../../core/kurisu-command.ts";
import { formatFault } from "../../../core/yaml-file.ts";
import type { McpRequest } from "../../mcp/mcp-requests.ts";
import type { McpServerReport } from "../../mcp/report-server.ts";
import { describeTransport } from "../../mcp/servers/describe-transport.ts";
import { createSkillFinder, type Evidence, isCalled, type SkillFinder } from "../matching/find-skills.ts";
import { loadSkillModels, skillCacheOf } from "../matching/skill-models.ts";
import { listMissing } from "../loader/requirements.ts";
import { type Skill, isForeign } from "../loader/types.ts";
import { isToolAvailable } from "../../../kernel/tools/registry.ts";

const help = `${kurisuCommand} skills list [--json] | match [--why] [UTTERANCE] | install SOURCE | update ID [SOURCE|COMMIT] | remove ID | verify [--json]

list      the skills there are, how well messages find them, what they miss, the MCP servers they bring, and the hosts that
          commands may reach by them
match     which skills an utterance calls for: {"skills":["time"]}. Without UTTERANCE it reads one a line.
          What a skill misses does not count here: it says what is meant, not what can be done.
          --why           also what speaks for each skill that comes into question: its score, the threshold, and the runs of
                          characters that weigh most; in a terminal the nearest in lines, unless --json
install   a skill from https://…[@COMMIT], ssh://…@COMMIT, user@host:path@COMMIT, a local repository@COMMIT, a folder, or
          a .skill, .zip or .tar.gz, here or at https://…. Without COMMIT the newest is taken. Shows its files, what it asks
          for and what the checks found, and asks.
          --path FOLDER   the folder inside of SOURCE that holds the skill; no other folder is looked at
          --yes           no question; only where the checks found nothing that blocks
update    shows what changes and asks: the newest commit, COMMIT, or another SOURCE
remove    takes an installed skill away
verify    compares every installed skill with skills.lock; exit 1 when one was changed. Also says what the image of the
          sandbox lacks of the modules and programs that they need`;

export const skillsCommand: LoadedCommand<CommandContext> = {
  help,
  async run(context) {
    const { values, positionals } = readOptions("skills", context.arguments, {
      json: { type: "boolean", default: false },
      yes: { type: "boolean", default: false },
      path: { type: "string", default: "" },
      why: { type: "boolean", default: false },
    });
    const [action = "list", utterance, more] = positionals;
    const whyOff = (id: string) =>
      readSkillsConfiguration(context).disabledSkills.find((one) => one.id === id)?.problem;
    const known = runStoreAction(context, action, utterance, more, {
      ...values,
      whyOff,
      look: createNeedsLook(context),
    });
    if (known !== undefined) return known;
    if (action === "list") return list(context, values.json);
    if (action !== "match") throw new AppError("USAGE", help);
    const { finder } = await openFinder(readSkillsConfiguration(context));
    const asLines = values.why && !values.json && process.stdout.isTTY;
    const tell = (text: string) =>
      asLines ? toEvidenceLines(finder.weigh(text)) : JSON.stringify(tellMatch(finder, text, values.why));
    const answer = (text: string) => process.stdout.write(`${tell(text)}\n`);
    if (utterance !== undefined) answer(utterance);
    else for await (const line of createInterface({ input: process.stdin })) answer(line);
    return 0;
  },
};

async function openFinder({ home, skills, skillSentences }: SkillsCommandConfiguration) {
  const log = pino({ level: "warn" }, pino.destination(2));
  const places = { table: skillSentences, cache: skillCacheOf(home) };
  const { models, whole } = loadSkillModels(skills.list(), { places, log });
  await whole;
  return { finder: createSkillFinder(skills.list(), models), isOfTable: (id: string) => models.taught.has(id) };
}

const nearest = 3;

/** Lists the evidence for the nearest skills, a line each. */
function toEvidenceLines(evidence: readonly Evidence[]): string {
  if (evidence.length === 0) return "no skill comes near";
  const shown = evidence.filter((one, index) => index < nearest || isCalled(one));
  const width = Math.max(...shown.map(({ skill }) => skill.length));
  return shown
    .map((one) => {
      const { skill, by, score, threshold, found } = one;
      const stands = `${score.toFixed(2)} ${isCalled(one) ? "above" : "below"} ${threshold.toFixed(2)}`;
      return toTerminalLine(
        `${skill.padEnd(width)}  ${isCalled(one) ? "called    " : "not called"}  ${stands}, by ${by}: ${found}`,
      );
    })
    .join("\n");
}

function tellMatch(finder: SkillFinder, text: string, why: boolean): object {
  const evidence = finder.weigh(text);
  const skills = evidence.filter(isCalled).map(({ skill }) => skill);
  if (!why) return { skills };
  const round = (value: number): number => Number(value.toFixed(2));
  return {
    skills,
    why: evidence.map((one) => ({
      ...one,
      called: isCalled(one),
      score: round(one.score),
      threshold: round(one.threshold),
      ...(one.by === "sentences" && {
        features: finder.explain(one.skill, one.found).map(([run, weight]) => [run, round(weight)]),
      }),
    })),
  };
}

/** A tool as a running Kurisu lists it. */
interface ListedTool {
  readonly name: string;
  readonly available: boolean;
}

async function list(context: CommandContext, json: boolean): Promise<number> {
  const configuration = readSkillsConfiguration(context);
  const { registry, sandbox } = await context.inspect();
  const { skills, surroundings } = configuration;
  const running = await context.askRunning(async (ask) => ({
    servers: JSON.parse(await ask<McpRequest>({ kind: "mcp-list" })) as readonly McpServerReport[],
    tools: JSON.parse(await ask({ kind: "tool-list" })) as readonly ListedTool[],
  }));
  const around = {
    ...surroundings,
    platform: process.platform,
    configuration,
    hasTool: (name: string) =>
      running ? running.tools.some((tool) => tool.name === name && tool.available) : isToolAvailable(registry, name),
  };
  const listServers = createServerList(configuration, running?.servers ?? []);
  const { finder, isOfTable } = await openFinder(configuration);
  const judged = skills.list().map((skill) => {
    return {
      skill,
      missing: listMissing(skill.requires, around),
      found: rateSkill(skill, finder.recall(skill.id), isOfTable(skill.id)),
    };
  });
  const available = judged.filter(({ missing }) => missing.length === 0);
  for (const { skill, missing, found } of [...available, ...judged.filter((one) => !available.includes(one))]) {
    const servers = listServers(skill);
    const lines = json
      ? [toJson(skill, { missing, found, servers })]
      : [toLine(skill, missing, found), ...servers.map(toServerLine)];
    process.stdout.write(lines.map((line) => `${line}\n`).join(""));
  }
  for (const { id, problem } of configuration.disabledSkills) {
    const line = json ? JSON.stringify({ id, disabled: problem }) : `${id.padEnd(14)} off: ${toTerminalLine(problem)}`;
    process.stdout.write(`${line}\n`);
  }
  for (const fault of [...skills.faults, ...skills.warnings])
    process.stderr.write(`${toTerminalLine(formatFault(fault))}\n`);
  await sandbox.stop();
  return 0;
}

/** How well messages find a skill. */
type Rating = "well" | "fairly" | "hardly" | "by words alone";

const minSentences = 5;

/** `recall` = the part of its sentences that it finds when they are held back. */
function rateSkill({ sentences }: Skill, recall: number | undefined, isOfTable: boolean): Rating {
  if (recall === undefined) return "by words alone";
  // A skill of the sentence table has hundreds of sentences there.
  if ((!isOfTable && sentences.length < minSentences) || recall < 0.25) return "hardly";
  return recall < 0.6 ? "fairly" : "well";
}

function toJson(
  skill: Skill,
  { missing, found, servers }: { missing: readonly string[]; found: Rating; servers: readonly SkillServer[] },
): string {
  const { id, name, version, type, origin, tools } = skill;
  const { network } = tools;
  return JSON.stringify({
    id,
    name,
    version,
    type,
    origin,
    found,
    available: missing.length === 0,
    ...(missing.length > 0 && { missing }),
    ...(servers.length > 0 && { servers }),
    ...(network.length > 0 && { network }),
  });
}

function toServerLine({ name, state, way }: SkillServer): string {
  const how = { taken: "left out: another server has the name", idle: "not started" }[state as string] ?? state;
  return `    mcp ${name}  ${how}  ${toTerminalLine(way)}`;
}

function toLine(skill: Skill, missing: readonly string[], found: Rating): string {
  const { id, name, version, type, tools } = skill;
  // A file that is added to a skill of others makes it one that was changed.
  const isOurs = !skill.installed && !isForeign(skill);
  const advice = found === "well" || !isOurs ? "" : ": write more sentences into its examples.txt, a line each";
  const notes = [
    `found ${found}${advice}`,
    ...(skill.installed ? ["installed: an owner is asked once in each chat"] : []),
    ...(isForeign(skill) && !skill.installed ? ["from outside: off until an owner says /skills on"] : []),
    ...(missing.length > 0 ? [`not available, missing: ${missing.join(", ")}`] : []),
    ...(tools.network.length > 0 ? [`-> ${tools.network.join(", ")}`] : []),
  ];
  const line = `${id.padEnd(14)} ${version.padEnd(8)} ${type.padEnd(10)} ${name}`;
  return toTerminalLine(`${line}  ${notes.join("; ")}`);
}

function openStore(context: CommandContext): SkillStore {
  const { home, skills, skillSentences } = readSkillsConfiguration(context);
  return openSkillStore({
    home,
    skills: () => skills.list(),
    table: skillSentences,
    isOwnVariable: context.isOwnVariable,
  });
}

/** Returns undefined if it is no action of the store. */
function runStoreAction(
  context: CommandContext,
  action: string,
  first: string | undefined,
  second: string | undefined,
  options: Parameters<typeof installSkill>[2],
): Promise<number> | number | undefined {
  if (action === "verify") return verifyInstalled(openStore(context), options);
  if (action !== "install" && action !== "update" && action !== "remove") return undefined;
  if (first === undefined) throw new AppError("USAGE", help);
  const store = openStore(context);
  switch (action) {
    case "install":
      return installSkill(store, first, options);
    case "update":
      return updateSkill(store, first, second, options);
    case "remove":
      return removeSkill(store, first);
  }
}

/** A server that a skill brings. */
interface SkillServer {
  readonly name: string;
  /** Its command line or address. */
  readonly way: string;
  /** As the running Kurisu says, else idle. taken = left out, because another server has the name. */
  readonly state: McpServerReport["state"] | "taken";
}

type ListServers = (skill: Skill) => readonly SkillServer[];

/** The servers of skills as they are now. Nothing is started for it. */
function createServerList({ mcp }: SkillsCommandConfiguration, reports: readonly McpServerReport[]): ListServers {
  return ({ id, mcpServers }) =>
    mcpServers.map(({ name, transport }): SkillServer => {
      const isTaken = !mcp.servers.some((one) => one.name === name && one.skill === id);
      const report = reports.find(({ server, skill }) => server === name && skill === id);
      return { name, way: describeTransport(transport), state: isTaken ? "taken" : (report?.state ?? "idle") };
    });
}
