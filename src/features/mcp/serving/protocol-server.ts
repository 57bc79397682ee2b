import type { Readable, Writable } from "node:stream";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import {
  CallToolRequestSchema,
  ListToolsRequestSchema,
  LoggingLevelSchema,
  SetLevelRequestSchema,
  type CallToolResult,
  type LoggingLevel,
} from "@modelcontextprotocol/sdk/types.js";
import type { JsonObject } from "../../../core/conversation.ts";
import type { ServedAnswer, ServedDefinition } from "../served/types.ts";

/** The tools that are served. A fault of `call` reaches the client as a protocol error. */
export interface ServedBackend {
  list(): Promise<readonly ServedDefinition[]>;
  call(name: string, given: JsonObject, signal: AbortSignal): Promise<ServedAnswer>;
}

/** From the least to the most serious, as syslog has them. */
const levels: readonly LoggingLevel[] = LoggingLevelSchema.options;

/** Our side of one connection: tools, and a log of its calls for clients that ask for one. */
export function createProtocolServer(backend: ServedBackend, about: { name: string; version: string }): Server {
  const server = new Server(about, { capabilities: { tools: {}, logging: {} } });
  /** The least serious that the client wants to hear; undefined = nothing. */
  let wanted: LoggingLevel | undefined;
  server.setRequestHandler(SetLevelRequestSchema, ({ params }) => {
    wanted = params.level;
    return {};
  });
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
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { sendNotification, signal }) => {
    const answer = await backend.call(params.name, (params.arguments ?? {}) as JsonObject, signal);
    const level = answer.ok ? "info" : "warning";
    if (wanted !== undefined && levels.indexOf(level) >= levels.indexOf(wanted)) {
      // Repeats the answer only, never the arguments.
      const data = { tool: params.name, ok: answer.ok, ...answer.meta };
      await sendNotification({ method: "notifications/message", params: { level, logger: about.name, data } });
    }
    return toCallResult(answer);
  });
  return server;
}

/** Speaks with one client over our standard streams until it goes away or `stopping` fires. Nothing else may write to `output`. */
export async function serveStdio(
  backend: ServedBackend,
  about: { readonly name: string; readonly version: string },
  { input, output, stopping }: { readonly input: Readable; readonly output: Writable; readonly stopping: AbortSignal },
): Promise<void> {
  const server = createProtocolServer(backend, about);
  const over = new Promise<void>((resolve) => {
    input.once("end", resolve);
    input.once("close", resolve);
    // The client went away without closing its end first.
    output.once("error", () => resolve());
    stopping.addEventListener("abort", () => resolve(), { once: true });
  });
  await server.connect(new StdioServerTransport(input, output));
  if (!stopping.aborted) await over;
  await server.close();
}

/** `{ ok, data, meta }` as structured content and, for clients that do not read that, as the first text. */
function toCallResult({ ok, data, error, meta, media }: ServedAnswer): CallToolResult {
  const structured = { ok, ...(data !== undefined && { data }), ...(error !== undefined && { error }), meta };
  return {
    content: [
      { type: "text", text: JSON.stringify(structured) },
      ...media.map((one) => ({
        type: one.mimeType.startsWith("audio/") ? ("audio" as const) : ("image" as const),
        ...one,
      })),
    ],
    structuredContent: structured,
    isError: !ok,
  };
}
