import { randomUUID } from "node:crypto";
import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import { createProtocolServer, type ServedBackend } from "./protocol-server.ts";

/** Clients over HTTP at once; the one that was silent longest makes way. */
const maxSessions = 64;

interface Connected {
  readonly server: Server;
  readonly transport: WebStandardStreamableHTTPServerTransport;
}

export interface HttpSessions {
  /** Answers one request of Streamable HTTP. The caller has checked the token, and has read the body: `message`. */
  handle(request: Request, message?: unknown): Promise<Response>;
  close(): Promise<void>;
}

/** A session of the protocol for each client, told apart by the `Mcp-Session-Id` they were given. */
export function createHttpSessions(
  backend: ServedBackend,
  about: { readonly name: string; readonly version: string },
): HttpSessions {
  /** The one that was heard last stands last. */
  const byId = new Map<string, Connected>();

  async function begin(request: Request, message: unknown): Promise<Response> {
    const server = createProtocolServer(backend, about);
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void byId.set(id, { server, transport }),
      onsessionclosed: (id) => void byId.delete(id),
    });
    await server.connect(transport);
    const response = await transport.handleRequest(request, { parsedBody: message });
    // The request was not an initialization, and has been refused.
    if (transport.sessionId === undefined) await server.close();
    for (const [id, oldest] of byId) {
      if (byId.size <= maxSessions) break;
      byId.delete(id);
      await oldest.server.close();
    }
    return response;
  }

  return {
    async handle(request, message) {
      const id = request.headers.get("mcp-session-id");
      if (id === null) return begin(request, message);
      const known = byId.get(id);
      if (!known) {
        const error = { code: -32_001, message: "There is no such session any more; begin a new one." };
        return Response.json({ jsonrpc: "2.0", error, id: null }, { status: 404 });
      }
      byId.delete(id);
      byId.set(id, known);
      return known.transport.handleRequest(request, { parsedBody: message });
    },
    async close() {
      const open = [...byId.values()];
      byId.clear();
      await Promise.all(open.map(({ server }) => server.close()));
    },
  };
}
