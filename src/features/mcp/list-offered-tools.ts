import type { Logger } from "pino";
import type { Tool, ToolContext, ToolResult } from "../../kernel/tools/types.ts";
import type { CompileSchema } from "./check-input.ts";
import { createMcpTool, type WantedCall } from "./create-mcp-tool.ts";
import type { McpServerClient } from "./mcp-server-client.ts";
import { describeQuarantine } from "./pins/describe-quarantine.ts";
import { nameHolder, type PinBook, type PinnedTool } from "./pins/pin-book.ts";
import { isWanted } from "./read-tools.ts";
import { nameTool } from "./servers/name-tool.ts";
import type { McpServer } from "./servers/types.ts";
import { toToolResult } from "./to-tool-result.ts";

export interface OfferParts {
  readonly book: PinBook;
  readonly compile: CompileSchema;
  /** Milliseconds that the operator's tools.yaml gives a tool. */
  readonly limitOf: (tool: string) => number | undefined;
  /** Why a server cannot be used in a session, in words for the model; undefined = it can. */
  readonly whyNotHere: (server: McpServer, session: string) => Promise<string | undefined>;
  /** Why nothing of a server may run; undefined = it may. */
  readonly whyHeld: (server: McpServer) => string | undefined;
  readonly stopping: AbortSignal;
  readonly log: Pick<Logger, "debug">;
}

/** The pinned tools of these servers, in the order in which they became trusted. */
export function listOfferedTools(clients: ReadonlyMap<string, McpServerClient>, parts: OfferParts): readonly Tool[] {
  return parts.book.list().flatMap((pinned) => {
    const client = clients.get(pinned.server);
    if (!client || nameHolder(client.server) !== pinned.holder || !isWanted(client.server, pinned.tool)) return [];
    return [offerTool(client, pinned, parts)];
  });
}

function offerTool(client: McpServerClient, pinned: PinnedTool, parts: OfferParts): Tool {
  const { server } = client;
  const whyNotHere = (session: string) => parts.whyNotHere(server, session);
  // A line of tools.yaml is for the operator's server, not for a stranger's that took its name.
  const limit = server.foreign === true ? undefined : parts.limitOf(nameTool(server.name, pinned.tool));
  return createMcpTool({
    server,
    pinned,
    compile: parts.compile,
    timeoutMs: limit ?? server.timeoutMs,
    unavailable() {
      const isWithdrawn = client.listed()?.has(pinned.tool) === false;
      return (
        parts.whyHeld(server) ??
        describeQuarantine(pinned) ??
        (isWithdrawn ? `The server ${server.name} has no tool ${pinned.tool} any more.` : undefined)
      );
    },
    call: (wanted, context) => callTool(client, wanted, { ...parts, whyNotHere }, context),
    whyNotHere,
    async warm(session) {
      try {
        if ((await whyNotHere(session)) !== undefined) return;
        await client.connect(session, parts.stopping);
      } catch (error) {
        // The call itself will report it.
        parts.log.debug({ server: server.name, err: error }, "an MCP server could not be made ready");
      }
    },
  });
}

/** Calls a tool if its definition is still the pinned one. Starting the server may have changed that. */
async function callTool(
  client: McpServerClient,
  wanted: WantedCall,
  parts: {
    readonly book: PinBook;
    readonly whyNotHere: (session: string) => Promise<string | undefined>;
  },
  context: ToolContext,
): Promise<ToolResult> {
  const { name } = client.server;
  const { input, readOnly, timeoutMs, tool } = wanted;
  const answer = await client.request(
    {
      readOnly,
      timeoutMs,
      whyNotHere: parts.whyNotHere,
      refuse() {
        const pinned = parts.book.find(client.server, tool);
        if (client.listed()?.has(tool) === false)
          return `The server ${name} has no tool ${tool} any more; nothing was called.`;
        if (pinned?.state === "trusted" && pinned.hash === wanted.pin) return undefined;
        return `What the server ${name} says of ${tool} is not what it was; nothing was called. The owner has to look at it: /mcp ${name}`;
      },
      send: (connection, request) => connection.callTool(tool, input, request),
    },
    context,
  );
  return answer.ok ? toToolResult(answer.value) : answer;
}
