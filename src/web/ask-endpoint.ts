import type { JsonValue } from "../core/canonical-json.ts";
import { describeError } from "../core/errors.ts";
import { readCapped } from "./read-capped.ts";
import { parseJson } from "../core/parse-json.ts";

interface EndpointRequest {
  readonly url: URL;
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly headers: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: JsonValue | object;
  readonly signal: AbortSignal;
}

export type EndpointAnswer =
  /** `body` is undefined when it is no JSON. */
  | { readonly kind: "answered"; readonly status: number; readonly body: unknown }
  /** `isUnsent` = there was no connection, so the server has not heard of it. */
  | { readonly kind: "failed"; readonly reason: string; readonly isUnsent?: true };

const timeoutMs = 10_000;
const longestAnswer = 4_000_000;

/**
 * Asks a server that the operator chose, which may stand in a private network. Never for an address that a model, a page
 * or a person named: those go through guarded-fetch.ts. Redirects are not followed, so that they cannot become one.
 */
export async function askEndpoint({ url, method, headers, body, signal }: EndpointRequest): Promise<EndpointAnswer> {
  const { Agent, request } = await import("undici");
  const agent = new Agent({ headersTimeout: timeoutMs, bodyTimeout: timeoutMs, connectTimeout: timeoutMs });
  const expired = AbortSignal.timeout(timeoutMs);
  try {
    const response = await request(url, {
      method,
      dispatcher: agent,
      headers: {
        accept: "application/json",
        "accept-encoding": "identity",
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.any([signal, expired]),
    });
    const answer = await readCapped(response.body, longestAnswer);
    return { kind: "answered", status: response.statusCode, body: parseJson(answer.body.toString()) };
  } catch (error) {
    if (signal.aborted) return { kind: "failed", reason: "was stopped" };
    const reason = expired.aborted ? `did not answer within ${timeoutMs / 1000} s` : describeError(error);
    return { kind: "failed", reason, ...(isUnsent(error) && { isUnsent: true }) };
  } finally {
    await agent.destroy();
  }
}

const unconnected = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH"]);

function isUnsent(error: unknown): boolean {
  const code = (error as { readonly code?: unknown } | undefined)?.code;
  return typeof code === "string" && (unconnected.has(code) || code === "UND_ERR_CONNECT_TIMEOUT");
}
