import { hashJson, type JsonValue } from "../../core/canonical-json.ts";
import { showName } from "../../core/persona/show-payload.ts";
import type { Words } from "../../core/words/dictionary.ts";
import type { MCPBridge } from "../../mcp/mcp-bridge.ts";
import { describeNewServer } from "./describe-new-server.ts";
import type { TellOwners } from "../outbox/tell-owners.ts";

const mostLines = 8;
const longestLine = 300;

/**
 * Shows owners once what servers say of themselves, and names those of `.mcp.json` that wait for their yes or are left out. The
 * id of a notice has the pins, the entry or the fault in it, so a start does not repeat it. Until an owner is there, each call
 * tries again.
 */
export function createAnnounceNewServers(parts: {
  readonly bridge: Pick<MCPBridge, "listUnseen" | "listUnapproved">;
  /** Servers of the project's .mcp.json that cannot be had, one a line. */
  readonly leftOut: () => readonly string[];
  readonly tellOwners: TellOwners;
}): () => Promise<void> {
  const told = new Set<string>();

  async function tellOnce(id: string, say: (words: Words) => string): Promise<void> {
    if (told.has(id)) return;
    if ((await parts.tellOwners(id, say)) > 0) told.add(id);
  }

  return async () => {
    for (const { server, definitions } of parts.bridge.listUnseen()) {
      const id = `mcp.said.${server}.${hashJson(definitions as unknown as JsonValue).slice(0, 16)}`;
      await tellOnce(id, (words) => describeNewServer(server, definitions, words));
    }
    for (const { server, digest } of parts.bridge.listUnapproved())
      await tellOnce(`mcp.project.${server}.${digest.slice(0, 16)}`, ({ mcp }) => mcp.projectBrings(server));
    const left = parts.leftOut();
    if (left.length === 0) return;
    const lines = left.slice(0, mostLines).map((line) => showName(line.slice(0, longestLine)));
    const notice = { lines: lines.join("\n"), more: left.length - lines.length };
    await tellOnce(`mcp.left.${hashJson([...left]).slice(0, 16)}`, ({ mcp }) => mcp.projectLeftOut(notice));
  };
}
