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

/** How far a result is to be trusted, and by what name people know where it is from. */
export function labelResult(tool: KnownTool, input: unknown, result: ToolResult): ResultLabel {
  const taint = result.taint ?? tool.taint ?? (tool.source === "mcp" ? "untrusted" : undefined);
  if (taint === undefined) return {};
  // Nothing was read of a page that did not open, or of a look that failed; what others' tools say of it are their words.
  const isUnread = !result.ok && tool.source === "builtin";
  const named = result.sources ?? (isUnread ? [] : nameSources(tool, input));
  const sources = taint === "untrusted" ? { sources: joinSources(named) } : {};
  // Only what the operator's own search engine answers opens addresses.
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
