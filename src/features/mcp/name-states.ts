import type { PinnedTool } from "./pins/pin-book.ts";
import type { McpServerReport } from "./report-server.ts";
import { nameTool } from "./servers/name-tool.ts";

const pinStates = { trusted: "trusted", quarantined: "quarantined", corrupt: "blocked" } as const;
const reportStates = {
  trusted: "trusted",
  withdrawn: "withdrawn",
  changed: "quarantined",
  new: "quarantined",
  corrupt: "blocked",
} as const;

/** By what was seen last. */
export function namePins(pinned: readonly PinnedTool[]): ReadonlyMap<string, string> {
  return new Map(pinned.map(({ server, tool, state }) => [nameTool(server, tool), pinStates[state]]));
}

/** By the servers as they are. */
export function nameReports(servers: readonly McpServerReport[]): ReadonlyMap<string, string> {
  return new Map(servers.flatMap(({ tools }) => tools.map(({ name, state }) => [name, reportStates[state]] as const)));
}
