import type { Taint } from "../../core/conversation.ts";
import { joinTaint } from "../../core/taint.ts";
import { canEverRun, type PermissionRules } from "../gate/permission.ts";
import type { ToolRegistry } from "../tools/registry.ts";
import { isServerTool } from "../gate/taint-reason.ts";
import { matchPattern } from "../gate/match-pattern.ts";
import type { KnownTool } from "../gate/types.ts";
import {
  chooseServerTools,
  describeServers,
  findNamedTools,
  findToolName,
  type ChosenTools,
  type ServerToolLimits,
} from "./server-tools.ts";
import type { TurnStateValue } from "./state.ts";
import type { TurnInput } from "./types.ts";

/** Chooses the tools that the model sees. */
export interface OfferedTools {
  /** Names of the tools that the turn has throughout; excludes those that a skill brings. */
  list(input: TurnInput): readonly string[];
  /** Server tools that a message names. */
  findNamed(message: string, offered: readonly string[]): readonly string[];
  /** Tools whose definitions the model gets in this round: the loaded ones, then those of the active skills. */
  now(
    state: Pick<TurnStateValue, "input" | "loadedTools" | "offered" | "skills" | "joinedSkills">,
  ): readonly KnownTool[];
  /** Whether the model has not received the definition of this server tool, or lost it. */
  isUnloaded(name: string, state: Pick<TurnStateValue, "input" | "loadedTools" | "offered">): boolean;
  /** A line for each server whose tools are not all loaded. Returns "" when there is none. */
  describeServers(state: Pick<TurnStateValue, "input" | "loadedTools" | "offered">): string;
  describeLimits(input: TurnInput): AbilityLimits;
}

/** The label of a turn whose prompt describes these tools: the server's descriptions are a stranger's words. */
export function labelOffered(before: Taint, tools: readonly KnownTool[]): Taint {
  const isExposed = tools.some((tool) => isServerTool(tool) || tool.name === findToolName);
  return isExposed ? joinTaint(before, "exposed") : before;
}

/** Abilities that the model must not promise, in sentences for it; "" for none. */
export interface AbilityLimits {
  /** Abilities that no tool gives yet, for all people alike. */
  readonly missing: string;
  /** Tools that exist, but not for this person or not now. */
  readonly withheld: string;
}

/** Abilities that people expect of an assistant, by the tool that would give them. */
const expectedAbilities: Readonly<Record<string, string>> = {
  remember: "remembering anything beyond this conversation",
  remind: "reminding people, or writing first at some later time",
  search_by_keywords: "searching older chat logs",
};

/** An MCP server that is unavailable. Neither field is text from the server. */
export interface DownServer {
  readonly server: string;
  readonly reason: string;
}

/** Hides tools that this person could never use with any arguments. */
export function createOfferedTools(parts: {
  readonly registry: ToolRegistry;
  readonly rules: () => PermissionRules;
  readonly serverTools: () => ServerToolLimits;
  readonly downServers: () => readonly DownServer[];
  /** Further abilities that are not configured here, named by features. */
  readonly lacking: readonly string[];
}): OfferedTools {
  const { registry } = parts;

  /** The file of a sub-agent names its tools, so it gets them all. */
  function choose({
    input,
    loadedTools,
    offered,
  }: Pick<TurnStateValue, "input" | "loadedTools" | "offered">): ChosenTools {
    const tools = offered.flatMap((name) => registry.find(name) ?? []);
    if (input.agent) return { given: tools, left: [] };
    const asked = (input.frozenCalls ?? []).map(({ name }) => name);
    return chooseServerTools(tools, [...loadedTools, ...asked], parts.serverTools());
  }

  function mayOffer(tool: KnownTool, input: TurnInput): boolean {
    const { agent, chatKind, person, report } = input;
    if (tool.groupsOnly === true && chatKind !== "group") return false;
    if (agent && !hasTool(agent, tool)) return false;
    if (report !== undefined && tool.name === "task") return false;
    return tool.availability?.().ok !== false && canEverRun(tool, person, parts.rules(), input);
  }

  return {
    list: (input) =>
      registry.list().flatMap((tool) => (tool.skill === undefined && mayOffer(tool, input) ? [tool.name] : [])),
    describeLimits(input) {
      const names = new Set(registry.list().map(({ name }) => name));
      const lacking = [
        ...Object.entries(expectedAbilities).flatMap(([tool, ability]) => (names.has(tool) ? [] : [ability])),
        ...parts.lacking,
      ];
      // Names and reasons of other servers are foreign text.
      const known = registry.list().filter(({ source }) => source === "builtin" && input.agent === undefined);
      const refused = known.filter((tool) => !canEverRun(tool, input.person, parts.rules(), input));
      const forOthers = refused.filter((tool) => canEverRun(tool, { role: "owner" }, parts.rules(), input));
      const off = known.flatMap((tool) => {
        const availability = refused.includes(tool) ? undefined : tool.availability?.();
        return availability?.ok === false ? [`${tool.name} (${availability.reason})`] : [];
      });
      return {
        missing:
          lacking.length === 0 ? "" : `You cannot do these yet, so never offer or promise them: ${lacking.join("; ")}.`,
        withheld: [
          ...(forOthers.length > 0
            ? [
                `not for this person: ${forOthers.map(({ name }) => name).join(", ")} (${input.person.role === "guest" ? "a guest; an owner has to let them in first" : "not permitted to them"})`,
              ]
            : []),
          ...(off.length > 0 ? [`off now: ${off.join(", ")}`] : []),
          ...(input.agent === undefined ? describeDown(parts.downServers()) : []),
        ].join("\n"),
      };
    },
    findNamed(message, offered) {
      return findNamedTools(
        message,
        offered.flatMap((name) => registry.find(name) ?? []),
        parts.serverTools(),
      );
    },
    isUnloaded: (name, state) => choose(state).left.some((tool) => tool.name === name),
    describeServers: (state) => describeServers(choose(state).left),
    now({ input, loadedTools, offered, skills, joinedSkills }) {
      const usual = choose({ input, loadedTools, offered }).given;
      const brought = registry
        .list()
        .filter(({ skill }) => skill !== undefined && (skills.includes(skill) || joinedSkills.includes(skill)));
      return [...usual, ...brought.filter((tool) => mayOffer(tool, input))];
    },
  };
}

const maxDown = 20;

/** Lists the servers that are unreachable, so that the model says so instead of trying another way. */
function describeDown(servers: readonly DownServer[]): readonly string[] {
  if (servers.length === 0) return [];
  const lines = servers.slice(0, maxDown).map(({ server, reason }) => `- ${server}: not reachable now (${reason})`);
  const more = servers.length - lines.length;
  return ["MCP servers that are down:", ...lines, ...(more > 0 ? [`- ${more} more`] : [])];
}

/**
 * Forbidden for every sub-agent, even if its file names them: it starts no agents and has no past of its own to write
 * to.
 */
const neverForAgents = ["task", "dmail"];

function hasTool({ tools, exclude }: NonNullable<TurnInput["agent"]>, { name }: KnownTool): boolean {
  const named = (patterns: readonly string[]) => patterns.some((pattern) => matchPattern(pattern, name));
  return named(tools) && !named(exclude) && !neverForAgents.includes(name);
}
