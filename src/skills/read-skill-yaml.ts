import { join } from "node:path";
import type { ConfigFault } from "../core/yaml-file.ts";
import { readYamlFile } from "../core/yaml-file.ts";
import type { Environment, ReadSkill } from "./read-skill.ts";
import { listMcpServers, mcpFileSchema } from "../mcp/servers/mcp-file.ts";
import { skillIdPattern, skillSchema } from "./types.ts";

/** Reads skill.yaml and the mcp.json beside it. Strict: an unknown key is a fault. */
export function readSkillYaml(folder: string, name: string, environment: Environment): ReadSkill {
  const file = join(folder, "skill.yaml");
  const fault = (key: string, problem: string): ConfigFault => ({ file, line: 1, column: 1, key, problem });
  if (!skillIdPattern.test(name)) {
    const problem = "lies in a folder whose name is not small letters, digits and hyphens";
    return { faults: [fault("", problem)], warnings: [] };
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
  const { effects = yaml.value.type !== "knowledge", ...value } = yaml.value;
  const mcpServers = named ? listMcpServers(mcp.value, name) : [];
  return { skill: { ...value, effects, folder, origin: "config", mcpServers }, faults, warnings: [] };
}
