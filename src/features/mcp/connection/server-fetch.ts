import type { FetchLike } from "@modelcontextprotocol/sdk/shared/transport.js";
import { openOutboundAgent } from "../../../web/outbound-proxy.ts";
import { type McpCredential, maxMessageLength } from "./types.ts";
import { mendText } from "./mend-message.ts";

const connectMs = 10_000;

/**
 * Asks the server that the operator wrote into mcp.json, and no other: an address that the server names is refused, unless
 * it has the same origin. Each message of an answer may have `maxMessageLength` bytes, and an answer that is no stream
 * as many in all. A request that is refused for its token is sent again once with a new one: it was not looked at. One
 * that needs wider rights than the token has is not sent again: only its owner can give them.
 */
export async function createServerFetch(
  server: URL,
  {
    credential,
    isKeyed,
  }: {
    readonly credential: McpCredential | undefined;
    /** The operator's own headers go with each request. */
    readonly isKeyed: boolean;
  },
): Promise<{
  readonly fetch: FetchLike;
  /** Whether a login may lift the newest refusal (401 or 403). */
  wantsLogin(): boolean;
  close(): Promise<void>;
}> {
  const { fetch: send } = await import("undici");
  const agent = await openOutboundAgent({ connectTimeout: connectMs, bodyTimeout: 0, headersTimeout: 0 });
  const sendWith = async (target: URL, init: RequestInit | undefined, token: string | undefined): Promise<Response> => {
    const headers = new Headers(init?.headers);
    if (token !== undefined) headers.set("authorization", `Bearer ${token}`);
    const request = { ...init, headers: [...headers], redirect: "manual", dispatcher: agent };
    return send(target, request as unknown as Parameters<typeof send>[1]);
  };
  let wantsLogin = false;
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
    if (response.status === 401 || response.status === 403) {
      const { error, scope = "", isChallenge } = await readChallenge(response);
      if (
        error === "insufficient_scope" &&
        token !== undefined &&
        credential !== undefined &&
        response.status === 403
      ) {
        await response.body?.cancel();
        throw await credential.widen(scope);
      }
      if (response.status === 401 && scope !== "") credential?.noteWanted(scope);
      // A key of the operator that is refused is no matter of a login, and neither is an account that is let in no further.
      const mayHelp =
        response.status === 401 ? isChallenge || !isKeyed : isChallenge && (!token || error === "invalid_token");
      wantsLogin = credential !== undefined && mayHelp;
    }
    if (response.body === null) return response;
    const type = response.headers.get("content-type") ?? "";
    const streams = /^text\/event-stream\b/i.test(type);
    const measured = response.body.pipeThrough(createMeter(streams));
    // Servers forget to declare JSON; anything else fails when it is parsed.
    const isJson =
      /^(?:application\/json\b|$)/i.test(type) || (response.status === 200 && /^text\/plain\b/i.test(type));
    const isMessage = streams || isJson;
    const body = isMessage ? measured.pipeThrough(createMender(streams)) : measured;
    const headers = new Headers(response.headers);
    if (isJson) headers.set("content-type", "application/json");
    return new Response(body, { status: response.status, statusText: response.statusText, headers });
  };
  return { fetch: ask, wantsLogin: () => wantsLogin, close: () => agent.destroy() };
}

/** The part of a refusal that concerns a login (RFC 6750). */
async function readChallenge(response: Response) {
  const { extractWWWAuthenticateParams } = await import("@modelcontextprotocol/sdk/client/auth.js");
  const isChallenge = /^Bearer\b/i.test(response.headers.get("www-authenticate") ?? "");
  return { ...extractWWWAuthenticateParams(response), isChallenge };
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
      if (size > maxMessageLength)
        controller.error(new Error(`the server sent more than ${maxMessageLength} bytes at once`));
      else controller.enqueue(piece);
    },
  });
}

const lineFeed = 10;

/**
 * Mends the messages of an answer on their way to the SDK: each line of data of a stream of events, or else the whole text
 * once it is there. How long either may be is limited before.
 */
function createMender(streams: boolean): TransformStream<Uint8Array, Uint8Array> {
  const encoder = new TextEncoder();
  let pieces: Uint8Array[] = [];
  const take = (): string => {
    const text = Buffer.concat(pieces).toString("utf8");
    pieces = [];
    return text;
  };
  return new TransformStream({
    transform(piece, controller) {
      let rest = piece;
      for (let end = streams ? rest.indexOf(lineFeed) : -1; end !== -1; end = rest.indexOf(lineFeed)) {
        pieces.push(rest.subarray(0, end + 1));
        controller.enqueue(encoder.encode(mendLine(take())));
        rest = rest.subarray(end + 1);
      }
      if (rest.length > 0) pieces.push(rest);
    },
    flush(controller) {
      if (pieces.length > 0) controller.enqueue(encoder.encode(streams ? mendLine(take()) : mendText(take())));
    },
  });
}

function mendLine(line: string): string {
  if (!line.startsWith("data:")) return line;
  const end = line.endsWith("\r\n") ? "\r\n" : line.endsWith("\n") ? "\n" : "";
  const data = line.slice("data:".length, line.length - end.length);
  const mended = mendText(data);
  return mended === data ? line : `data: ${mended}${end}`;
}
