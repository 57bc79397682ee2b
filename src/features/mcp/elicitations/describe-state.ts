import { makeVisible } from "../../../core/persona/show-payload.ts";
import type { Words } from "../../../core/words/dictionary.ts";
import type { ConnectionView } from "../connection-supervisor.ts";
import type { McpServerView } from "../mcp-bridge.ts";

/** How a server is, for people. */
export function describeState(
  {
    server,
    state,
    detail,
    installing,
  }: Pick<McpServerView, "server" | "state" | "detail"> & {
    readonly installing?: ConnectionView["installing"];
  },
  { mcp, mcpLogin, skillServers }: Words,
): string {
  switch (state) {
    case "idle":
      return server.skill === undefined ? mcp.idle : skillServers.waits;
    case "starting":
      return installing ? mcp.installing(installing) : mcp.starting;
    case "ready":
      return mcp.ready;
    case "failed":
      return mcp.failed(makeVisible(detail));
    case "unapproved":
      return mcp.unapproved;
    case "login":
      return mcpLogin.wanted(server.name);
  }
}
