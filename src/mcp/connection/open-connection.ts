import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { AnySchema, SchemaOutput } from "@modelcontextprotocol/sdk/server/zod-compat.js";
import type { RequestOptions } from "@modelcontextprotocol/sdk/shared/protocol.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import {
  CallToolResultSchema,
  EmptyResultSchema,
  GetPromptResultSchema,
  ListPromptsResultSchema,
  ListResourceTemplatesResultSchema,
  ListResourcesResultSchema,
  McpError,
  PromptListChangedNotificationSchema,
  ReadResourceResultSchema,
  ResourceListChangedNotificationSchema,
  ToolListChangedNotificationSchema,
  type ClientCapabilities,
  type ClientRequest,
  type Progress,
} from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import { describeError } from "../../core/errors.ts";
import type { JsonObject } from "../../core/conversation.ts";
import { answerRequests, settleRoots } from "./answer-requests.ts";
import { McpFault, type McpFaultKind } from "./mcp-fault.ts";
import { readContent, readResourceContents } from "./read-content.ts";
import type { McpConnection, McpRequest, McpServerRequests } from "./types.ts";

/** A transport to one server, not yet opened. */
export interface OpenedTransport {
  readonly transport: Transport;
  /** The meaning of a transport error for a request; undefined = nothing special. */
  readonly classify: (error: unknown) => McpFaultKind | undefined;
  /** Resolves with why when the other side is gone; never where that is only found out by asking. */
  readonly ended: Promise<string>;
  close(): Promise<void>;
}

const clientName = { name: "kurisu", version: "1" };
/** Ours are the only limits: each request has a signal. */
const noLimit = { timeout: 2 ** 31 - 1 };
/** A list may have so many pages; a server that never ends its list is cut off. */
const mostPages = 50;

/** JSON-RPC 2.0. */
const methodNotFound = -32_601;

/** Each tool is looked at by itself: one that is wrong must not hide the others. */
const looseTools = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.string().optional() });

/** Shakes hands with a server. Throws McpFault; then nothing of it is left. */
export async function openConnection(
  opened: OpenedTransport,
  parts: {
    readonly requests: McpServerRequests;
    readonly signal: AbortSignal;
    readonly onListChanged: (what: "tools" | "resources" | "prompts") => void;
    readonly onTrouble: (text: string) => void;
  },
): Promise<McpConnection> {
  const { requests } = parts;
  const capabilities: ClientCapabilities = {
    ...(requests.ask && { elicitation: { form: {}, url: {} } }),
    ...(requests.sample && { sampling: {} }),
    ...(requests.root !== undefined && { roots: {} }),
  };
  const client = new Client(clientName, { capabilities });
  let knowsRoots = false;
  answerRequests(client, requests, () => (knowsRoots = true));
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => parts.onListChanged("tools"));
  client.setNotificationHandler(ResourceListChangedNotificationSchema, () => parts.onListChanged("resources"));
  client.setNotificationHandler(PromptListChangedNotificationSchema, () => parts.onListChanged("prompts"));
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK's client is no event target
  client.onerror = (error) => parts.onTrouble(describeError(error));

  const over = Promise.withResolvers<string>();
  let gone = false;
  const end = (why: string): void => {
    gone = true;
    over.resolve(why);
  };
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK's client is no event target
  client.onclose = () => void opened.ended.then(end);
  void opened.ended.then(end);

  /** Ends the connection also for requests in flight. */
  async function close(): Promise<void> {
    gone = true;
    await opened.close();
    await client.close();
    over.resolve("it was closed");
  }

  async function ask<T>({ signal }: Pick<McpRequest, "signal">, send: (signal: AbortSignal) => Promise<T>): Promise<T> {
    if (gone) throw new McpFault("not-sent", "the connection is gone");
    if (signal.aborted) throw new McpFault("stopped", "stopped");
    // The SDK listens to a signal for as long as that lives, so each request has one of its own.
    const own = new AbortController();
    const stop = (): void => own.abort(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
    try {
      return await send(own.signal);
    } catch (error) {
      throw toFault(error, signal);
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }

  function toFault(error: unknown, signal: AbortSignal): McpFault {
    if (error instanceof McpFault) return error;
    if (signal.aborted) return new McpFault("stopped", describeError(signal.reason));
    const kind = opened.classify(error);
    if (kind !== undefined) return new McpFault(kind, describeError(error), { cause: error });
    if (gone) return new McpFault("lost", "the connection ended before the answer came");
    const said = error instanceof McpError ? error.message.replace(/^MCP error -?\d+: /, "") : describeError(error);
    return new McpFault("refused", said, { cause: error });
  }

  function send<Schema extends AnySchema>(
    message: ClientRequest,
    schema: Schema,
    request: Pick<McpRequest, "signal">,
    more: RequestOptions = {},
  ): Promise<SchemaOutput<Schema>> {
    return ask(request, (signal) => client.request(message, schema, { ...noLimit, ...more, signal }));
  }

  /** Reads a list page by page; `page` asks for the one at a cursor. */
  async function listPages<Answer extends { readonly nextCursor?: string | undefined }, Item>(
    page: (params: { readonly cursor?: string }) => Promise<Answer>,
    itemsOf: (answer: Answer) => readonly Item[],
  ): Promise<readonly Item[]> {
    const items: Item[] = [];
    let cursor: string | undefined;
    for (let count = 0; count < mostPages; count += 1) {
      const answer = await page(cursor === undefined ? {} : { cursor });
      items.push(...itemsOf(answer));
      cursor = answer.nextCursor;
      if (cursor === undefined) break;
    }
    return items;
  }

  async function ping(request: Pick<McpRequest, "signal">): Promise<void> {
    await send({ method: "ping" }, EmptyResultSchema, request);
  }

  try {
    await ask(parts, (signal) => client.connect(opened.transport, { ...noLimit, signal }));
    if (requests.root !== undefined)
      await settleRoots({ wereAsked: () => knowsRoots, ping: (signal) => ping({ signal }), signal: parts.signal });
  } catch (error) {
    await close();
    // A server that ends at once says why on its way out.
    if (error instanceof McpFault && error.kind === "lost")
      throw new McpFault("not-sent", await opened.ended, { cause: error });
    throw error;
  }
  const has = client.getServerCapabilities() ?? {};
  const { name = "", version = "" } = client.getServerVersion() ?? {};

  return {
    title: `${name} ${version}`.trim(),
    has: { tools: has.tools !== undefined, resources: has.resources !== undefined, prompts: has.prompts !== undefined },
    ended: over.promise,
    close,
    listTools: (request) =>
      listPages(
        (params) => send({ method: "tools/list", params }, looseTools, request),
        ({ tools }) => tools,
      ),
    async callTool(name, input, request) {
      const { onProgress } = request;
      const onprogress = onProgress && {
        onprogress: ({ progress, total, message }: Progress) =>
          onProgress({
            done: progress,
            ...(total !== undefined && { total }),
            ...(message !== undefined && { message }),
          }),
      };
      const message = { method: "tools/call", params: { name, arguments: { ...input } } } as const;
      const answer = await send(message, CallToolResultSchema, request, onprogress);
      return {
        isError: answer.isError === true,
        blocks: answer.content.map(readContent),
        ...(answer.structuredContent && { structured: answer.structuredContent as JsonObject }),
      };
    },
    listResources: (request) =>
      listPages(
        (params) => send({ method: "resources/list", params }, ListResourcesResultSchema, request),
        ({ resources }) =>
          resources.map(({ uri, name: own, description = "", mimeType = "" }) => ({
            uri,
            name: own,
            description,
            mimeType,
          })),
      ),
    async listResourceTemplates(request) {
      try {
        return await listPages(
          (params) => send({ method: "resources/templates/list", params }, ListResourceTemplatesResultSchema, request),
          ({ resourceTemplates }) =>
            resourceTemplates.map(({ uriTemplate, name: own, description = "", mimeType = "" }) => ({
              uriTemplate,
              name: own,
              description,
              mimeType,
            })),
        );
      } catch (error) {
        // Not every server with resources has them.
        const { cause } = error as Error;
        if (cause instanceof McpError && cause.code === methodNotFound) return [];
        throw error;
      }
    },
    async readResource(uri, request) {
      const answer = await send({ method: "resources/read", params: { uri } }, ReadResourceResultSchema, request);
      return answer.contents.map(readResourceContents);
    },
    listPrompts: (request) =>
      listPages(
        (params) => send({ method: "prompts/list", params }, ListPromptsResultSchema, request),
        ({ prompts }) =>
          prompts.map((prompt) => ({
            name: prompt.name,
            description: prompt.description ?? "",
            arguments: (prompt.arguments ?? []).map((one) => ({ name: one.name, required: one.required === true })),
          })),
      ),
    async getPrompt(name, input, request) {
      const message = { method: "prompts/get", params: { name, arguments: { ...input } } } as const;
      const answer = await send(message, GetPromptResultSchema, request);
      return answer.messages.map(({ role, content }) => ({ role, block: readContent(content) }));
    },
    ping,
  };
}
