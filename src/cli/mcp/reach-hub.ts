import { systemClock } from "../../core/clock.ts";
import { connectControlSocket } from "../../gateway/control-socket.ts";
import { openStore } from "../../store/open-store.ts";
import { isWanted } from "../../tools/mcp-bridge/read-tools.ts";
import { nameTool } from "../../tools/mcp-bridge/name-tool.ts";
import { openPinBook } from "../../tools/mcp-bridge/pin-book.ts";
import { reportServer, type McpServerReport } from "../../tools/mcp-bridge/report-server.ts";
import { createControlClient } from "../chat-connection.ts";
import type { CommandContext } from "../types.ts";

/** What a command may ask of the servers' keeper, whether a Kurisu runs or not. */
export interface ReachedHub {
  list(): Promise<readonly McpServerReport[]>;
  /** Answers the tools. */
  approve(server: string, hashes: readonly string[]): Promise<readonly string[]>;
  /** false = nothing was known of it. */
  forget(server: string): Promise<boolean>;
}

/** The running Kurisu, else the store; no server is started for it. */
export async function withHub<T>(context: CommandContext, work: (hub: ReachedHub) => Promise<T>): Promise<T> {
  const { home, store: place, mcp } = context.configuration();
  const socket = await connectControlSocket(home);
  if (socket) {
    const client = createControlClient(socket, () => undefined);
    try {
      return await work({
        list: async () => JSON.parse(await client.ask((id) => ({ kind: "mcp-list", id }))) as McpServerReport[],
        approve: async (server, hashes) =>
          JSON.parse(await client.ask((id) => ({ kind: "mcp-approve", id, server, hashes }))) as string[],
        forget: async (server) =>
          JSON.parse(await client.ask((id) => ({ kind: "mcp-forget", id, server }))) as boolean,
      });
    } finally {
      socket.destroy();
    }
  }
  const store = await openStore({ home, ...place });
  try {
    const book = await openPinBook({ store, clock: systemClock });
    return await work({
      list: async () =>
        mcp.servers.map((server) => {
          const tools = book
            .list(server.name)
            .filter(({ tool }) => isWanted(server, tool))
            .map((pinned) => ({ ...pinned, fullName: nameTool(server.name, pinned.tool), withdrawn: false }));
          const detail = book.isKnown(server.name) ? "" : "never seen; its tools are known after the first start";
          return reportServer({ server, state: "idle", detail, tools, refused: [] });
        }),
      approve: (server, hashes) => book.approve(server, hashes, "cli:owner"),
      forget: (server) => book.forget(server, "cli:owner"),
    });
  } finally {
    await store.close();
  }
}
