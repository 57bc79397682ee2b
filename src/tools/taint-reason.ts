import { normalizeAddress } from "../core/named-addresses.ts";
import type { Taint } from "../core/conversation.ts";
import type { AskReason, KnownTool } from "./types.ts";

/** What a turn has read so far, as far as the gate needs it. */
export interface TurnTaint {
  readonly taint: Taint;
  readonly sources?: readonly string[];
  /** Normalized web addresses that the person named, or a search of the turn found. */
  readonly addresses?: readonly string[];
}

/**
 * Why a call asks because of what its turn has read; undefined = it does not. After untrusted content everything asks that
 * has an effect or goes to an address of which neither the person nor the search engine is the author: words of a page
 * must be able neither to do anything nor to carry anything away.
 */
export function findTaintReason(tool: KnownTool, input: unknown, turn: TurnTaint): AskReason | undefined {
  if (turn.taint !== "untrusted" || tool.contained === true) return undefined;
  if (tool.readOnly && !leadsAway(tool, input, turn.addresses ?? [])) return undefined;
  return { kind: "taint", sources: turn.sources ?? [] };
}

function leadsAway(tool: KnownTool, input: unknown, addresses: readonly string[]): boolean {
  // What a server of others does with its arguments nobody here knows.
  if (tool.source === "mcp") return true;
  if (tool.reaches === undefined) return false;
  return !tool.reaches(input).every((address) => isNamed(address, addresses));
}

/** As a whole and exactly: a longer one, or one with another query, is another address. */
function isNamed(address: string, addresses: readonly string[]): boolean {
  const normalized = normalizeAddress(address);
  return addresses.some((named) => named === normalized);
}
