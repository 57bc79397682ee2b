import { normalizeAddress } from "../../core/named-addresses.ts";
import type { Taint } from "../../core/conversation.ts";
import type { AskReason, KnownTool } from "./types.ts";
import { nameHosts } from "../../web/name-hosts.ts";

/** The facts that the gate needs about the content that a turn has read. */
export interface TurnTaint {
  readonly taint: Taint;
  readonly sources?: readonly string[];
  /** Normalized web addresses that the person named or a search of the turn found. */
  readonly addresses?: readonly string[];
}

/**
 * Why a call must ask because of what its turn has read. Returns undefined when it need not. After untrusted content,
 * every call asks that has an effect or contacts an address chosen by neither the person nor the search engine: text of
 * a page must not cause actions or carry data away. In an exposed turn, only unknown addresses ask.
 */
export function findTaintReason(tool: KnownTool, input: unknown, turn: TurnTaint): AskReason | undefined {
  const { addresses = [], sources = [], taint } = turn;
  if (typeof tool.contained === "function" ? tool.contained(input) : tool.contained === true) return undefined;
  if (taint === "exposed") return findAddressReason(tool, input, addresses);
  if (taint !== "untrusted") return undefined;
  if (tool.readOnly && !leadsAway(tool, input, addresses)) return undefined;
  return { kind: "taint", sources };
}

/** The operator chose the server of a tool in tools.yaml; for built-in tools the model chooses the address. */
function findAddressReason(tool: KnownTool, input: unknown, addresses: readonly string[]): AskReason | undefined {
  if (tool.source === "http") return undefined;
  const isOnWeb = (address: string): boolean => normalizeAddress(address) !== undefined;
  const strange = (tool.reaches?.(input) ?? []).filter((one) => isOnWeb(one) && !isNamed(one, addresses));
  return strange.length === 0 ? undefined : { kind: "address", hosts: nameHosts(strange) };
}

function leadsAway(tool: KnownTool, input: unknown, addresses: readonly string[]): boolean {
  // A foreign server may use its arguments in any way.
  if (isServerTool(tool)) return true;
  if (tool.reaches === undefined) return false;
  return !tool.reaches(input).every((address) => isNamed(address, addresses));
}

/** A tool that an MCP server describes in its own words, including those that a skill brings. */
export function isServerTool({ source }: Pick<KnownTool, "source">): boolean {
  return source === "mcp" || source === "skill";
}

/** Compares whole addresses: a longer one, or one with another query, is a different address. */
function isNamed(address: string, addresses: readonly string[]): boolean {
  const normalized = normalizeAddress(address);
  return addresses.some((named) => named === normalized);
}
