import { hashJson, type JsonValue } from "../../core/canonical-json.ts";
import type { Words } from "../../core/words/dictionary.ts";
import type { MCPBridge } from "../../mcp/mcp-bridge.ts";
import { describeFirstSight } from "./describe-first-sight.ts";
import type { TellOwners } from "../outbox/tell-owners.ts";

/**
 * Shows owners once what servers say of themselves, and names those of `.mcp.json` that wait for their yes. The id of a
 * notice has the pins or the entry in it, so a start does not repeat it. Until an owner is there, each call tries again.
 */
export function createTellFirstSights(parts: {
  readonly bridge: Pick<MCPBridge, "listUnseen" | "listUnapproved">;
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
      await tellOnce(id, (words) => describeFirstSight(server, definitions, words));
    }
    for (const { server, digest } of parts.bridge.listUnapproved())
      await tellOnce(`mcp.project.${server}.${digest.slice(0, 16)}`, ({ mcp }) => mcp.projectBrings(server));
  };
}
