import { normalizeAddress } from "../../core/named-addresses.ts";
import type { Taint } from "../../core/conversation.ts";
import type { AskReason, KnownTool } from "./types.ts";
import { nameHosts } from "../../web/name-hosts.ts";

/** The content a turn has read so far, as far as the gate needs it. */
export interface TurnTaint {
  readonly taint: Taint;
  readonly sources?: readonly string[];
  /** Normalized web addresses that the person named, or a search of the turn found. */
  readonly addresses?: readonly string[];
}

/**
 * Why a call asks because of what its turn has read; undefined = it does not. After untrusted content everything asks that
 * has an effect or goes to an address of which neither the person nor the search engine is the author: words of a page
 * must be able neither to do anything nor to carry anything away. Where words of others only stand beside the person's,
 * nothing asks but an address that nobody named.
 */
export function findTaintReason(tool: KnownTool, input: unknown, turn: TurnTaint): AskReason | undefined {
  const { addresses = [], sources = [], taint } = turn;
  if (typeof tool.contained === "function" ? tool.contained(input) : tool.contained === true) return undefined;
  if (taint === "exposed") return findAddressReason(tool, input, addresses);
  if (taint !== "untrusted") return undefined;
  if (tool.readOnly && !leadsAway(tool, input, addresses)) return undefined;
  return { kind: "taint", sources };
}

/** The server of a tool of tools.yaml was chosen by the operator; of our own tools the model chooses where they go. */
function findAddressReason(tool: KnownTool, input: unknown, addresses: readonly string[]): AskReason | undefined {
  if (tool.source === "http") return undefined;
  const isOnWeb = (address: string): boolean => normalizeAddress(address) !== undefined;
  const strange = (tool.reaches?.(input) ?? []).filter((one) => isOnWeb(one) && !isNamed(one, addresses));
  return strange.length === 0 ? undefined : { kind: "address", hosts: nameHosts(strange) };
}

function leadsAway(tool: KnownTool, input: unknown, addresses: readonly string[]): boolean {
  // Nobody here knows the use that a server of others makes of its arguments.
  if (isServerTool(tool)) return true;
  if (tool.reaches === undefined) return false;
  return !tool.reaches(input).every((address) => isNamed(address, addresses));
}

/** A tool that an MCP server describes in its own words, also one that a skill brings. */
export function isServerTool({ source }: Pick<KnownTool, "source">): boolean {
  return source === "mcp" || source === "skill";
}

/** As a whole and exactly: a longer one, or one with another query, is another address. */
function isNamed(address: string, addresses: readonly string[]): boolean {
  const normalized = normalizeAddress(address);
  return addresses.some((named) => named === normalized);
}
