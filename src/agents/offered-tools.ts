import type { Taint } from "../core/conversation.ts";
import { joinTaint } from "../core/taint.ts";
import { canEverRun, type PermissionRules } from "../tools/permission.ts";
import type { ToolRegistry } from "../tools/registry.ts";
import { isServerTool } from "../tools/taint-reason.ts";
import { toToolPattern } from "../tools/tool-pattern.ts";
import type { KnownTool } from "../tools/types.ts";
import type { TurnStateValue } from "./state.ts";
import type { TurnInput } from "./types.ts";

/** Which tools the model is told of. */
export interface OfferedTools {
  /** Names of those that the turn has from its start to its end; none that a skill brings. */
  list(input: TurnInput): readonly string[];
  /** These, then those of the skills that are at work now. They come and go within a turn. */
  now(state: Pick<TurnStateValue, "input" | "offered" | "skills" | "joinedSkills">): readonly KnownTool[];
}

/** The label of a turn whose prompt describes these tools: what a server says of its tools are a stranger's words. */
export function labelOffered(before: Taint, tools: readonly KnownTool[]): Taint {
  return tools.some(isServerTool) ? joinTaint(before, "exposed") : before;
}

/** A tool that a person could never be allowed, whatever the arguments, is not shown to the model. */
export function createOfferedTools(parts: {
  readonly registry: ToolRegistry;
  readonly rules: () => PermissionRules;
}): OfferedTools {
  const { registry } = parts;

  function mayOffer(tool: KnownTool, input: TurnInput): boolean {
    const { agent, person, report } = input;
    if (agent && !hasTool(agent, tool)) return false;
    if (report !== undefined && tool.name === "task") return false;
    return tool.availability?.().ok !== false && canEverRun(tool, person, parts.rules(), input);
  }

  return {
    list: (input) =>
      registry.list().flatMap((tool) => (tool.skill === undefined && mayOffer(tool, input) ? [tool.name] : [])),
    now({ input, offered, skills, joinedSkills }) {
      const usual = offered.flatMap((name) => registry.find(name) ?? []);
      const brought = registry
        .list()
        .filter(({ skill }) => skill !== undefined && (skills.includes(skill) || joinedSkills.includes(skill)));
      return [...usual, ...brought.filter((tool) => mayOffer(tool, input))];
    },
  };
}

/** What no sub-agent has, whatever its file says: it starts nobody, and has no past of its own to write to. */
const neverForAgents = ["task", "dmail"];

function hasTool({ tools, exclude }: NonNullable<TurnInput["agent"]>, { name }: KnownTool): boolean {
  const named = (patterns: readonly string[]) => patterns.some((pattern) => toToolPattern(pattern).test(name));
  return named(tools) && !named(exclude) && !neverForAgents.includes(name);
}
