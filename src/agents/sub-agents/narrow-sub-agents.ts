import type { SubAgent } from "./sub-agent.ts";

/** The sub-agents with what tools.yaml says of their tools: a list there goes before the file's, what it excludes is added. */
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
