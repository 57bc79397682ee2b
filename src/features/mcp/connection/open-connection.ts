import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { RequestOptions } from "@modelcontextprotocol/sdk/shared/protocol.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import {
  McpError,
  PromptListChangedNotificationSchema,
  ResourceListChangedNotificationSchema,
  ToolListChangedNotificationSchema,
  type ClientCapabilities,
  type ClientRequest,
  type Progress,
} from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import { describeError } from "../../../core/errors.ts";
import type { JsonObject } from "../../../core/conversation.ts";
import { makeVisible } from "../../../core/persona/show-payload.ts";
import { answerRequests, settleRoots } from "./answer-requests.ts";
import { isAnswer, McpFault, type McpFaultKind } from "./mcp-fault.ts";
import { bareResult } from "./mend-message.ts";
import { readAnswer } from "./read-answer.ts";
import { readResourceContents } from "./read-content.ts";
import {
  listEntries,
  readCursor,
  readPromptMessages,
  readPrompts,
  readResources,
  readTemplates,
} from "./read-lists.ts";
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

/** Our declarations to a server in the handshake, and the callbacks for what it sends later. */
export interface Greeting {
  /** Each is declared as a capability. */
  readonly requests: McpServerRequests;
  readonly signal: AbortSignal;
  readonly onListChanged: (what: "tools" | "resources" | "prompts") => void;
  readonly onTrouble: (text: string) => void;
}

const clientName = { name: "kurisu", version: "1" };
/** Ours are the only limits: each request has a signal. */
const noLimit = { timeout: 2 ** 31 - 1 };
/** The maximum number of pages of a list; a server that never ends its list is cut off. */
const maxPages = 50;

/** JSON-RPC 2.0. */
const methodNotFound = -32_601;
/**
 * The request itself was invalid, so nothing was done: it cannot be parsed, is invalid, unknown, has wrong parameters;
 * by MCP also: there is no such resource, and the user has to visit an address first. Servers of the reference SDK also
 * answer this for a result of their own that does not fit, after the call has run.
 */
const refusals = [-32_700, -32_600, methodNotFound, -32_602, -32_002, -32_042];

/** Results are read by our own readers: a stricter schema would lose the answer of a call that has run. */
const anyResult = z.looseObject({});

/** Shakes hands with a server. Throws McpFault; then nothing of it is left. */
export async function openConnection(opened: OpenedTransport, parts: Greeting): Promise<McpConnection> {
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
    // The SDK listens to a signal for as long as that lives, so each request gets a fresh one.
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
    if (!(error instanceof McpError)) return new McpFault("unread", describeError(error), { cause: error });
    const said = error.message.replace(/^MCP error -?\d+: /, "");
    const isRefusal = refusals.includes(error.code) && !/output validation|structured content/i.test(said);
    return new McpFault(isRefusal ? "refused" : "failed", said, { cause: error });
  }

  function send(
    message: ClientRequest,
    request: Pick<McpRequest, "signal">,
    more: RequestOptions = {},
  ): Promise<JsonObject> {
    const options = { ...noLimit, ...more };
    return ask(
      request,
      async (signal) => (await client.request(message, anyResult, { ...options, signal })) as JsonObject,
    );
  }

  /** Reads a list page by page. A later page that is refused takes the earlier ones with it no more than a cursor that stays. */
  async function listPages<Item>(
    method: "tools/list" | "resources/list" | "resources/templates/list" | "prompts/list",
    request: McpRequest,
    read: (answer: JsonObject) => readonly Item[],
  ): Promise<readonly Item[]> {
    const items: Item[] = [];
    let cursor: string | undefined;
    for (let count = 0; count < maxPages; count += 1) {
      try {
        const answer = await send({ method, params: cursor === undefined ? {} : { cursor } }, request);
        items.push(...read(answer));
        const next = readCursor(answer);
        if (next === undefined || next === cursor) break;
        cursor = next;
      } catch (error) {
        if (!(error instanceof McpFault) || !isAnswer(error) || count === 0) throw error;
        parts.onTrouble(`page ${count + 1} of ${method}: ${error.message}`);
        break;
      }
    }
    return items;
  }

  async function ping(request: Pick<McpRequest, "signal">): Promise<void> {
    await send({ method: "ping" }, request);
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
  // Some small servers declare nothing and have tools all the same.
  const isSilent = has.tools === undefined && has.resources === undefined && has.prompts === undefined;

  return {
    title: makeVisible(`${name} ${version}`.trim()),
    has: {
      tools: isSilent || has.tools !== undefined,
      resources: has.resources !== undefined,
      prompts: has.prompts !== undefined,
    },
    ended: over.promise,
    close,
    async listTools(request) {
      try {
        return await listPages("tools/list", request, (answer) => listEntries(answer, "tools"));
      } catch (error) {
        if (isSilent && error instanceof McpFault && isAnswer(error)) return [];
        throw error;
      }
    },
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
      return readAnswer(await send(message, request, onprogress));
    },
    listResources: (request) => listPages("resources/list", request, readResources),
    async listResourceTemplates(request) {
      try {
        return await listPages("resources/templates/list", request, readTemplates);
      } catch (error) {
        // Not every server with resources has them.
        const { cause } = error as Error;
        if (cause instanceof McpError && cause.code === methodNotFound) return [];
        throw error;
      }
    },
    async readResource(uri, request) {
      const answer = await send({ method: "resources/read", params: { uri } }, request);
      return readResourceContents(answer["contents"] ?? answer[bareResult]);
    },
    listPrompts: (request) => listPages("prompts/list", request, readPrompts),
    async getPrompt(name, input, request) {
      const message = { method: "prompts/get", params: { name, arguments: { ...input } } } as const;
      return readPromptMessages(await send(message, request));
    },
    ping,
  };
}
