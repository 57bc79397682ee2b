import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { CallToolRequestSchema, ListToolsRequestSchema, type CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import type { JsonValue } from "../../../core/canonical-json.ts";
import type { JsonObject } from "../../../core/conversation.ts";

interface OfferedDefinition {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly readOnly: boolean;
  readonly idempotent: boolean;
  readonly open: boolean;
}

interface CallAnswer {
  readonly ok: boolean;
  readonly data?: JsonValue;
  readonly error?: string;
  readonly meta: { readonly [key: string]: JsonValue };
  readonly media: readonly { readonly mimeType: string; readonly data: string }[];
}

/** What is served. A fault of `call` reaches the client as an error of the protocol. */
export interface ServedBackend {
  list(): Promise<readonly OfferedDefinition[]>;
  call(name: string, given: JsonObject, signal: AbortSignal): Promise<CallAnswer>;
}

/** One connection's side of the Model Context Protocol: tools, nothing else. */
export function createProtocolServer(backend: ServedBackend, about: { name: string; version: string }): Server {
  const server = new Server(about, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, async () => ({
    tools: (await backend.list()).map(({ name, description, inputSchema, readOnly, idempotent, open }) => ({
      name,
      description,
      inputSchema: { ...inputSchema, type: "object" as const },
      annotations: {
        readOnlyHint: readOnly,
        ...(!readOnly && { destructiveHint: true, idempotentHint: idempotent }),
        openWorldHint: open,
      },
    })),
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal }) =>
    toCallResult(await backend.call(params.name, (params.arguments ?? {}) as JsonObject, signal)),
  );
  return server;
}

/** `{ ok, data, meta }` as structured content and, for clients that do not read that, as the first text. */
function toCallResult({ ok, data, error, meta, media }: CallAnswer): CallToolResult {
  const structured = { ok, ...(data !== undefined && { data }), ...(error !== undefined && { error }), meta };
  return {
    content: [
      { type: "text", text: JSON.stringify(structured) },
      ...media.map((picture) => ({ type: "image" as const, ...picture })),
    ],
    structuredContent: structured,
    isError: !ok,
  };
}
