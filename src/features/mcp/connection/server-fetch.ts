import type { FetchLike } from "@modelcontextprotocol/sdk/shared/transport.js";
import { openOutboundAgent } from "../../../web/outbound-proxy.ts";
import { createMender } from "./mend-stream.ts";
import type { McpCredential } from "./types.ts";
import { longestMessage } from "./types.ts";

const connectMs = 10_000;

/**
 * Asks the server that the operator wrote into mcp.json, and no other: an address that the server names is refused, unless
 * it has the same origin. Each message of an answer may have `longestMessage` bytes, and an answer that is no stream
 * as many in all. A request that is refused for its token is sent again once with a new one: it was not looked at. One
 * that needs wider rights than the token has is not sent again: only its owner can give them.
 */
export async function createServerFetch(
  server: URL,
  credential?: McpCredential,
): Promise<{ readonly fetch: FetchLike; close(): Promise<void> }> {
  const { fetch: send } = await import("undici");
  const agent = await openOutboundAgent({ connectTimeout: connectMs, bodyTimeout: 0, headersTimeout: 0 });
  const sendWith = async (target: URL, init: RequestInit | undefined, token: string | undefined): Promise<Response> => {
    const headers = new Headers(init?.headers);
    if (token !== undefined) headers.set("authorization", `Bearer ${token}`);
    const request = { ...init, headers: [...headers], redirect: "manual", dispatcher: agent };
    return send(target, request as unknown as Parameters<typeof send>[1]);
  };
  const ask: FetchLike = async (url, init) => {
    const target = new URL(url);
    if (target.origin !== server.origin) throw new Error(`the server leads to another host: ${target.host}`);
    const token = await credential?.current();
    let response = await sendWith(target, init, token);
    const next = response.status === 401 && token !== undefined ? await credential?.renew(token) : undefined;
    if (next !== undefined) {
      await response.body?.cancel();
      response = await sendWith(target, init, next);
    }
    if (response.status === 401 && credential !== undefined) {
      const { extractWWWAuthenticateParams } = await import("@modelcontextprotocol/sdk/client/auth.js");
      const { scope } = extractWWWAuthenticateParams(response);
      if (scope !== undefined) credential.noteWanted(scope);
    }
    if (response.status === 403 && token !== undefined && credential !== undefined) {
      const { extractWWWAuthenticateParams } = await import("@modelcontextprotocol/sdk/client/auth.js");
      const { error, scope = "" } = extractWWWAuthenticateParams(response);
      if (error === "insufficient_scope") {
        await response.body?.cancel();
        throw credential.widen(scope);
      }
    }
    if (response.body === null) return response;
    const type = response.headers.get("content-type") ?? "";
    const streams = /^text\/event-stream\b/i.test(type);
    const measured = response.body.pipeThrough(createMeter(streams));
    // Servers forget to say that it is JSON; what is none is found out when it is read.
    const isJson =
      /^(?:application\/json\b|$)/i.test(type) || (response.status === 200 && /^text\/plain\b/i.test(type));
    const isMessage = streams || isJson;
    const body = isMessage ? measured.pipeThrough(createMender(streams)) : measured;
    // A response cannot be made with these; they have no body either.
    if ([204, 205, 304].includes(response.status)) return response;
    const headers = new Headers(response.headers);
    if (isJson) headers.set("content-type", "application/json");
    return new Response(body, { status: response.status, statusText: response.statusText, headers });
  };
  return { fetch: ask, close: () => agent.destroy() };
}

/** Counts bytes, of a stream of events from one empty line to the next. */
function createMeter(streams: boolean): TransformStream<Uint8Array, Uint8Array> {
  let size = 0;
  let lineIsEmpty = false;
  return new TransformStream({
    transform(piece, controller) {
      for (const byte of piece) {
        size += 1;
        if (byte === 13) continue;
        if (streams && byte === 10 && lineIsEmpty) size = 0;
        lineIsEmpty = byte === 10;
      }
      if (size > longestMessage)
        controller.error(new Error(`the server sent more than ${longestMessage} bytes at once`));
      else controller.enqueue(piece);
    },
  });
}
