import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { describeError } from "../../core/errors.ts";
import { readYamlFile, type ConfigFault } from "../../core/yaml-file.ts";
import { subAgentSchema, type SubAgent } from "./sub-agent.ts";

export interface LoadedSubAgents {
  /** By id, in order. One with a fault is left out. */
  readonly agents: readonly SubAgent[];
  readonly faults: readonly ConfigFault[];
}

const idPattern = /^[a-z][a-z0-9-]{0,31}$/;

/** Reads every config/agents/<id>.yaml. A folder that does not exist holds none. */
export function loadSubAgents(folder: string, environment: Record<string, string | undefined>): LoadedSubAgents {
  const agents: SubAgent[] = [];
  const faults: ConfigFault[] = [];
  const fault = (file: string, problem: string) => faults.push({ file, line: 1, column: 1, key: "", problem });
  for (const name of listFiles(folder, fault)) {
    const file = join(folder, name);
    const id = basename(name, ".yaml");
    if (!name.endsWith(".yaml") || !idPattern.test(id)) {
      fault(file, "is no sub-agent; a file here is named <id>.yaml, the id in small letters, digits and hyphens");
      continue;
    }
    const read = readYamlFile(file, subAgentSchema, environment);
    if (read.kind === "faulty") faults.push(...read.faults);
    else if (read.kind === "read") agents.push({ id, ...read.value });
  }
  return { agents, faults };
}

function listFiles(folder: string, fault: (file: string, problem: string) => void): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => !name.startsWith(".") && /\.ya?ml$/.test(name))
      .sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") fault(folder, `cannot be read: ${describeError(error)}`);
    return [];
  }
}

/**
 * The sub-agents with the settings of tools.yaml for their tools: a list there takes precedence over the file's, its
 * exclusions are added.
 */
export function narrowSubAgents(
  agents: readonly SubAgent[],
  options: Readonly<Record<string, { readonly tools?: readonly string[]; readonly exclude: readonly string[] }>>,
): readonly SubAgent[] {
  return agents.map((agent) => {
    const option = Object.hasOwn(options, agent.id) ? options[agent.id] : undefined;
    if (!option) return agent;
    return {
      ...agent,
      tools: [...(option.tools ?? agent.tools)],
      exclude: [...agent.exclude, ...option.exclude],
    };
  });
}
