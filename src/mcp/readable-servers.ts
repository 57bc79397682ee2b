import { limitOfCall } from "./call-clock.ts";
import type { ToolContext } from "../tools/types.ts";
import type { McpConnection, McpRequest } from "./connection/types.ts";
import type { ServerSlot } from "./server-slot.ts";
import type { McpServer } from "./servers/types.ts";
import { useServer } from "./use-server.ts";

/**
 * A server that has resources or prompts, or of which that is not known yet because it was never started. One of a skill counts
 * once it was started for that: looking for what there is to read does not start it.
 */
export interface ReadableServer {
  readonly server: McpServer;
  /** Why it cannot be read from in a session; undefined = it can. */
  readonly whyNotHere: (session: string) => Promise<string | undefined>;
  /** Sends one request that changes nothing, by the protocol. `error` is one sentence that says what to do. */
  readonly ask: <T>(
    send: (connection: McpConnection, request: McpRequest) => Promise<T>,
    context: ToolContext,
  ) => Promise<{ readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: string }>;
}

/** What people may take to answer what a server asks meanwhile. */
const peopleMs = 900_000;

export function listReadable(
  slots: readonly ServerSlot[],
  whyNotHere: (server: McpServer, session: string) => Promise<string | undefined>,
): readonly ReadableServer[] {
  return slots
    .filter((slot) => {
      const has = slot.has();
      if (has === undefined) return slot.server.skill === undefined;
      return has.resources || has.prompts;
    })
    .map((slot) => {
      const { server } = slot;
      const whyNot = (session: string) => whyNotHere(server, session);
      const use = { readOnly: true, timeoutMs: server.timeoutMs, whyNotHere: whyNot } as const;
      return { server, whyNotHere: whyNot, ask: (send, context) => useServer(slot, { ...use, send }, context) };
    });
}

/** Milliseconds that reading may take, with the start of the server and a question of its to a person. */
export function limitOfReading({ startTimeoutMs, timeoutMs }: McpServer): number {
  return startTimeoutMs * 2 + limitOfCall(timeoutMs) * 2 + peopleMs;
}

/** Whether the tools that read are offered. */
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
