import { existsSync, readdirSync, statSync, type Dirent } from "node:fs";
import { dirname, join } from "node:path";
import { describeError } from "../../../core/errors.ts";
import { readYamlFile, type ConfigFault } from "../../../core/yaml-file.ts";
import { listMcpServers, mcpFileSchema } from "../../mcp/servers/mcp-file.ts";
import { collectSentences } from "./collect-sentences.ts";
import { readSkillMarkdown } from "./read-skill-markdown.ts";
import { tellPathKind } from "./tell-path-kind.ts";
import {
  skillIdPattern,
  skillSchema,
  type Environment,
  type ReadSkill,
  type Skill,
  type SkillOrigin,
} from "./types.ts";

export interface LoadedSkills {
  /** By id, in order. A skill with a fault is left out. */
  readonly skills: readonly Skill[];
  readonly faults: readonly ConfigFault[];
  readonly warnings: readonly ConfigFault[];
  /** The names of the folders that have faults. */
  readonly refused: readonly string[];
}

const none: LoadedSkills = { skills: [], faults: [], warnings: [], refused: [] };

/** More folders than this are no collection of skills. */
export const maxSkillFolders = 2000;

/**
 * Reads every skill in a folder, in either form. A folder that does not exist holds none. In folders shared with other
 * agents, only SKILL.md and examples.txt count: MCP servers may only come from the operator. There links are not
 * followed either, since a foreign checkout may bring one.
 */
export function loadSkills(folder: string, environment: Environment, origin: SkillOrigin = "config"): LoadedSkills {
  const linked =
    origin === "shared" ? [dirname(folder), folder].find((path) => tellPathKind(path) === "link") : undefined;
  if (linked !== undefined) {
    const problem = "is a link and not followed";
    return { ...none, faults: [{ file: linked, line: 1, column: 1, key: "", problem }] };
  }
  let entries: Dirent[];
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "ENOENT" || (origin === "shared" && code === "ENOTDIR")) return none;
    const problem = `cannot be read: ${describeError(error)}`;
    return { ...none, faults: [{ file: folder, line: 1, column: 1, key: "", problem }] };
  }
  // Links are reported: people link folders, and would expect them to be loaded.
  const links = entries.filter((entry) => entry.isSymbolicLink() && !entry.name.startsWith("."));
  const names = entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith(".")).map(({ name }) => name);
  const results = names
    .sort()
    .slice(0, maxSkillFolders)
    .map((name) => ({ name, ...loadSkill(folder, name, environment, origin) }));
  return {
    skills: results.flatMap(({ skill }) => (skill === undefined ? [] : [skill])),
    faults: results.flatMap(({ faults }) => faults),
    warnings: [
      ...links.map(({ name }) => tellLink(join(folder, name))),
      ...results.flatMap(({ warnings }) => warnings),
    ],
    refused: results.flatMap(({ name, skill }) => (skill === undefined ? [name] : [])),
  };
}

function tellLink(file: string): ConfigFault {
  const problem = "is a link and not followed; put the folder itself there";
  return { file, line: 1, column: 1, key: "", problem };
}

/** Reads one skill's folder, `name` in `parent`. */
export function loadSkill(
  parent: string,
  name: string,
  environment: Environment,
  origin: SkillOrigin = "config",
): ReadSkill {
  const folder = join(parent, name);
  const markdown = existsSync(join(folder, "SKILL.md"));
  if (origin === "shared") return markdown ? readSkillMarkdown(folder, name, origin) : { faults: [], warnings: [] };
  return markdown && !existsSync(join(folder, "skill.yaml"))
    ? readSkillMarkdown(folder, name, origin)
    : readSkillYaml(folder, name, environment);
}

/** Reads skill.yaml and the mcp.json next to it. Strict: an unknown key is a fault. */
function readSkillYaml(folder: string, name: string, environment: Environment): ReadSkill {
  const file = join(folder, "skill.yaml");
  const fault = (key: string, problem: string): ConfigFault => ({ file, line: 1, column: 1, key, problem });
  if (!skillIdPattern.test(name)) {
    const problem = "lies in a folder whose name is not small letters, digits and hyphens";
    return { faults: [fault("", problem)], warnings: [] };
  }
  const large = ["skill.yaml", "mcp.json"].find((one) => sizeOf(join(folder, one)) > maxFileSize);
  if (large !== undefined) {
    const problem = "is larger than 256 KiB";
    return { faults: [{ file: join(folder, large), line: 1, column: 1, key: "", problem }], warnings: [] };
  }
  const faults: ConfigFault[] = [];
  const yaml = readYamlFile(file, skillSchema, environment);
  if (yaml.kind === "missing") faults.push(fault("", "is missing"));
  if (yaml.kind === "faulty") faults.push(...yaml.faults);
  if (yaml.kind === "read" && yaml.value.id !== name) faults.push(fault("id", `must be the folder's name, ${name}`));

  // JSON is YAML, so the same reader gives lines, columns and variables.
  const mcpFile = join(folder, "mcp.json");
  const mcp = readYamlFile(mcpFile, mcpFileSchema, environment);
  if (mcp.kind === "faulty") faults.push(...mcp.faults);
  if (mcp.kind === "missing" && yaml.kind === "read" && yaml.value.tools.mcpConfig !== undefined) {
    faults.push({ file: mcpFile, line: 1, column: 1, key: "", problem: "is missing, but skill.yaml names it" });
  }
  if (yaml.kind !== "read" || faults.length > 0) return { faults, warnings: [] };
  const named = yaml.value.tools.mcpConfig !== undefined && mcp.kind === "read";
  const { examples, ...value } = yaml.value;
  const { sentences, leftOut } = collectSentences(
    folder,
    examples.map((one) => (typeof one === "string" ? one : one.user)),
  );
  const mcpServers = named ? listMcpServers(mcp.value, name) : [];
  const skill: Skill = {
    ...value,
    examples: examples.filter((one) => typeof one !== "string"),
    sentences,
    folder,
    origin: "config",
    mcpServers,
  };
  return { skill, faults, warnings: leftOut === undefined ? [] : [fault("examples", leftOut)] };
}

const maxFileSize = 256 * 1024;

/** 0 = there is none; its reader says so. */
function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
