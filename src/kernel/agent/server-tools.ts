import { estimateTokens } from "../../core/estimate-tokens.ts";
import type { DescribeTool } from "../tools/describe-tool.ts";
import { isServerTool } from "../gate/taint-reason.ts";
import type { KnownTool } from "../gate/types.ts";

/** Loads definitions that were left out. It is offered only when some were. */
export const findToolName = "find_tool";

export interface ServerToolLimits {
  /** Tokens that all server definitions may take; beyond that they are loaded on demand. */
  readonly tokens: number;
  /** Definitions that a request may contain in all, including the built-in ones. */
  readonly max: number;
  /** Tokens of one definition in a prompt. */
  readonly measure: (tool: KnownTool) => number;
}

export interface ChosenTools {
  readonly given: readonly KnownTool[];
  /** Server tools that the prompt mentions only in a line. */
  readonly left: readonly KnownTool[];
}

/**
 * Chooses the built-in tools and the server tools that fit: all of them, or those that the conversation loaded. They
 * keep the order of loading, so that the beginning of a prompt stays the same.
 */
export function chooseServerTools(
  tools: readonly KnownTool[],
  loaded: readonly string[],
  { measure, max, tokens }: ServerToolLimits,
): ChosenTools {
  const ofServers = tools.filter(isServerTool);
  const isRoomForAll = tools.length <= max && ofServers.reduce((sum, tool) => sum + measure(tool), 0) <= tokens;
  if (isRoomForAll) return { given: tools.filter(({ name }) => name !== findToolName), left: [] };
  const byName = new Map(ofServers.map((tool) => [tool.name, tool]));
  const room = Math.max(0, max - (tools.length - ofServers.length));
  // The newest stay when there are too many.
  const known = [...new Set(loaded)].filter((name) => byName.has(name));
  const wanted = new Set(known.slice(Math.max(0, known.length - room)));
  return {
    given: [...tools.filter((tool) => !isServerTool(tool)), ...[...wanted].flatMap((name) => byName.get(name) ?? [])],
    left: ofServers.filter(({ name }) => !wanted.has(name)),
  };
}

/** Finds the tools that a message names by their words or their server's name, best first, within the budget. */
export function findNamedTools(
  message: string,
  tools: readonly KnownTool[],
  { measure, tokens }: ServerToolLimits,
): readonly string[] {
  const said = new Set(listWords(message));
  const ranked = tools
    .filter(isServerTool)
    .map((tool) => {
      const { server, words } = readName(tool.name);
      const shared = words.filter((word) => said.has(word)).length;
      return { tool, weight: shared + (listWords(server).some((word) => said.has(word)) ? 1 : 0) };
    })
    .filter(({ weight }) => weight >= 2)
    .toSorted((a, b) => b.weight - a.weight);
  let room = tokens;
  return ranked.flatMap(({ tool }) => {
    room -= measure(tool);
    return room < 0 ? [] : [tool.name];
  });
}

/** Measures each definition once. */
export function createToolMeasure(describe: DescribeTool): ServerToolLimits["measure"] {
  const cache = new WeakMap<KnownTool, number>();
  return (tool) => {
    const tokens = cache.get(tool) ?? estimateTokens(JSON.stringify(describe(tool, "en")));
    cache.set(tool, tokens);
    return tokens;
  };
}

const maxServers = 40;
const maxTopics = 8;

/** A line for each server: how many of its tools are not loaded, and their topics by the words of their names. */
export function describeServers(left: readonly KnownTool[]): string {
  const servers = [...Map.groupBy(left, ({ name }) => readName(name).server)];
  const lines = servers.slice(0, maxServers).map(([server, tools]) => {
    const counts = new Map<string, number>();
    for (const { name } of tools)
      for (const word of new Set(readName(name).words)) counts.set(word, (counts.get(word) ?? 0) + 1);
    const topics = [...counts].toSorted(([, a], [, b]) => b - a).slice(0, maxTopics);
    const about = topics.map(([word]) => word).join(", ");
    return `- ${server}: ${tools.length} ${tools.length === 1 ? "tool" : "tools"}${about === "" ? "" : ` (${about})`}`;
  });
  const more = servers.length - lines.length;
  return [...lines, ...(more > 0 ? [`- ${more} more servers`] : [])].join("\n");
}

/** `mcp__<server>__<tool>` */
function readName(name: string): { readonly server: string; readonly words: readonly string[] } {
  const [, server = "", ...tool] = name.split("__");
  const own = new Set(listWords(server));
  return { server, words: listWords(tool.join(" ")).filter((word) => !own.has(word)) };
}

/** Words of three letters or more, in lower case; `createPage` has two. */
function listWords(text: string): readonly string[] {
  const words = text
    .slice(0, 4_000)
    .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase();
  return words.match(/[a-z]{3,30}/g) ?? [];
}
