import type { ToolContext } from "../../kernel/tools/types.ts";
import type { McpConnection, McpRequest } from "./connection/types.ts";
import type { McpServerClient } from "./mcp-server-client.ts";
import type { ServerAnswer } from "./send-request.ts";
import type { McpServer } from "./servers/types.ts";

/**
 * A server that has resources or prompts, or that was never started, so that this is not known yet. A server of a skill
 * counts once it was started for its skill: looking for something to read does not start it.
 */
export interface ReadableServer {
  readonly server: McpServer;
  /** Why it cannot be read from in a session; undefined = it can. */
  readonly whyNotHere: (session: string) => Promise<string | undefined>;
  /** Sends one request that changes nothing, by the protocol. `error` is one sentence that says what to do. */
  readonly ask: <T>(
    send: (connection: McpConnection, request: McpRequest) => Promise<T>,
    context: ToolContext,
  ) => Promise<ServerAnswer<T>>;
}

export function listReadable(
  clients: readonly McpServerClient[],
  whyNotHere: (server: McpServer, session: string) => Promise<string | undefined>,
): readonly ReadableServer[] {
  return clients
    .filter((client) => {
      const has = client.has();
      if (has === undefined) return client.server.skill === undefined;
      return has.resources || has.prompts;
    })
    .map((client) => {
      const { server } = client;
      const whyNot = (session: string) => whyNotHere(server, session);
      const use = { readOnly: true, timeoutMs: server.timeoutMs, whyNotHere: whyNot } as const;
      return { server, whyNotHere: whyNot, ask: (send, context) => client.request({ ...use, send }, context) };
    });
}

/** Determines whether the reading tools are offered. */
export function findReadable(servers: readonly ReadableServer[]) {
  return servers.length > 0
    ? ({ ok: true } as const)
    : ({
        ok: false,
        reason:
          "No MCP server with resources or prompts is there to read from: they stand in config/mcp.json, and one of a skill can be read once that was used.",
      } as const);
}

/** Why there is no such server to read from. */
export function refuseServer(name: string, servers: readonly ReadableServer[]): string {
  const names = servers.map(({ server }) => server.name).join(", ");
  return `There is no MCP server ${name} with resources or prompts; there are: ${names === "" ? "none" : names}.`;
}
