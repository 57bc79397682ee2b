import type { Taint } from "../../core/conversation.ts";
import { normalizeAddress } from "../../core/named-addresses.ts";
import { joinSources } from "../../core/taint.ts";
import type { ToolResult } from "./types.ts";
import type { KnownTool } from "../gate/types.ts";
import { nameHosts } from "../../web/name-hosts.ts";

interface ResultLabel {
  readonly taint?: Taint;
  readonly sources?: readonly string[];
  readonly found?: readonly string[];
}

/** How far a result is trusted, and the name that people know its source by. */
export function labelResult(tool: KnownTool, input: unknown, result: ToolResult): ResultLabel {
  const taint = result.taint ?? tool.taint ?? (tool.source === "mcp" ? "untrusted" : undefined);
  if (taint === undefined) return {};
  // A page that failed to open was not read; but error texts of foreign tools are foreign words.
  const isUnread = !result.ok && tool.source === "builtin";
  const named = result.sources ?? (isUnread ? [] : nameSources(tool, input));
  const sources = taint === "untrusted" ? { sources: joinSources(named) } : {};
  // Only results of the operator's own search engine make addresses known.
  const found =
    tool.source === "builtin" && result.ok && result.found !== undefined ? { found: normalizeAll(result.found) } : {};
  return { taint, ...sources, ...found };
}

function nameSources(tool: KnownTool, input: unknown): readonly string[] {
  const hosts = nameHosts(tool.reaches?.(input) ?? []);
  if (hosts.length > 0) return hosts;
  const { name } = tool.override?.by ?? tool;
  const [, server] = /^mcp__(.+?)__/.exec(name) ?? [];
  return [server ?? name];
}

function normalizeAll(addresses: readonly string[]): readonly string[] {
  return addresses.flatMap((address) => normalizeAddress(address) ?? []);
}
