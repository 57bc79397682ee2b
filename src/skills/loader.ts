import type { Dirent } from "node:fs";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describeError } from "../core/errors.ts";
import type { ConfigFault } from "../core/yaml-file.ts";
import { readYamlFile } from "../core/yaml-file.ts";
import type { Skill } from "./types.ts";
import { mcpConfigSchema, skillIdPattern, skillSchema } from "./types.ts";

export interface LoadedSkills {
  /** By id, in order. A skill with a fault is left out. */
  readonly skills: readonly Skill[];
  readonly faults: readonly ConfigFault[];
}

type Environment = Record<string, string | undefined>;

/** Reads every skill in config/skills. A folder that does not exist holds none. */
export function loadSkills(folder: string, environment: Environment): LoadedSkills {
  let entries: Dirent[];
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return { skills: [], faults: [] };
    const problem = `cannot be read: ${describeError(error)}`;
    return { skills: [], faults: [{ file: folder, line: 1, column: 1, key: "", problem }] };
  }
  const names = entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith(".")).map(({ name }) => name);
  const results = names.sort().map((name) => loadSkill(folder, name, environment));
  return {
    skills: results.flatMap(({ skill }) => (skill === undefined ? [] : [skill])),
    faults: results.flatMap(({ faults }) => faults),
  };
}

function loadSkill(
  parent: string,
  name: string,
  environment: Environment,
): { readonly skill?: Skill; readonly faults: readonly ConfigFault[] } {
  const folder = join(parent, name);
  const file = join(folder, "skill.yaml");
  const fault = (key: string, problem: string): ConfigFault => ({ file, line: 1, column: 1, key, problem });
  if (!skillIdPattern.test(name)) {
    return { faults: [fault("", "lies in a folder whose name is not small letters, digits and hyphens")] };
  }
  const faults: ConfigFault[] = [];
  const yaml = readYamlFile(file, skillSchema, environment);
  if (yaml.kind === "missing") faults.push(fault("", "is missing"));
  if (yaml.kind === "faulty") faults.push(...yaml.faults);
  if (yaml.kind === "read" && yaml.value.id !== name) faults.push(fault("id", `must be the folder's name, ${name}`));

  // JSON is YAML, so the same reader gives lines, columns and variables.
  const mcpFile = join(folder, "mcp.json");
  const mcp = readYamlFile(mcpFile, mcpConfigSchema, environment);
  if (mcp.kind === "faulty") faults.push(...mcp.faults);
  if (mcp.kind === "missing" && yaml.kind === "read" && yaml.value.tools.mcpConfig !== undefined) {
    faults.push({ file: mcpFile, line: 1, column: 1, key: "", problem: "is missing, but skill.yaml names it" });
  }
  if (yaml.kind !== "read" || faults.length > 0) return { faults };
  const named = yaml.value.tools.mcpConfig !== undefined && mcp.kind === "read";
  const { effects = yaml.value.type !== "knowledge", ...value } = yaml.value;
  return { skill: { ...value, effects, folder, origin: "config", mcpServers: named ? mcp.value.mcpServers : {} }, faults };
}
