import { hashJson, type JsonValue } from "../../core/canonical-json.ts";
import type { MCPBridge } from "../../mcp/mcp-bridge.ts";
import { describeFirstSight } from "./describe-first-sight.ts";
import type { TellOwners } from "../outbox/tell-owners.ts";

/**
 * Shows owners once what servers of config/mcp.json say of themselves. The id of the notice has the pins in it, so a start
 * does not repeat it; until somebody is there to be told, each call tries again.
 */
export function createTellFirstSights(parts: {
  readonly bridge: Pick<MCPBridge, "listUnseen">;
  readonly tellOwners: TellOwners;
}): () => Promise<void> {
  const told = new Set<string>();
  return async () => {
    for (const { server, definitions } of parts.bridge.listUnseen()) {
      const id = `mcp.said.${server}.${hashJson(definitions as unknown as JsonValue).slice(0, 16)}`;
      if (told.has(id)) continue;
      const owners = await parts.tellOwners(id, (words) => describeFirstSight(server, definitions, words));
      if (owners > 0) told.add(id);
    }
  };
}
