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

/** The state of each tool by its full name, from its stored pin. */
export function listPinnedStates(pinned: readonly PinnedTool[]): ReadonlyMap<string, string> {
  return new Map(pinned.map(({ server, tool, state }) => [nameTool(server, tool), pinStates[state]]));
}

/** The same from the servers as they are now. */
export function listReportedStates(servers: readonly McpServerReport[]): ReadonlyMap<string, string> {
  return new Map(servers.flatMap(({ tools }) => tools.map(({ name, state }) => [name, reportStates[state]] as const)));
}
