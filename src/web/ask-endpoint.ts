import type { JsonValue } from "../core/canonical-json.ts";
import { describeError } from "../core/errors.ts";
import { openOutboundAgent } from "./outbound-proxy.ts";
import { readCapped } from "./read-capped.ts";
import { parseJson } from "../core/parse-json.ts";

interface EndpointRequest {
  readonly url: URL;
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly headers: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: JsonValue | object;
  /** Sent as multipart/form-data, instead of a body. */
  readonly form?: Readonly<Record<string, string | FormFile>>;
  /** Limit of the answer; default: 4 MB. */
  readonly maxBytes?: number;
  /** Milliseconds; default: 10 s. */
  readonly timeoutMs?: number;
  readonly signal: AbortSignal;
}

interface FormFile {
  readonly name: string;
  readonly mimeType: string;
  readonly content: Uint8Array;
}

type EndpointFailure =
  /** `isUnsent` = there was no connection, so the server has not heard of it. */
  { readonly kind: "failed"; readonly reason: string; readonly isUnsent?: true };

export type EndpointAnswer =
  | {
      readonly kind: "answered";
      readonly status: number;
      readonly content: Buffer;
      /** The answer is longer than `maxBytes`. */
      readonly truncated: boolean;
      /** undefined when the content is no JSON. */
      readonly body: unknown;
    }
  | EndpointFailure;

const defaultTimeoutMs = 10_000;
const defaultMaxBytes = 4_000_000;

/**
 * Asks a server that the operator chose, which may be in a private network. Never for an address that a model, a page
 * or a person named: those go through guarded-fetch.ts. Redirects are not followed, so that they cannot become one.
 */
export async function askEndpoint({
  url,
  method,
  headers,
  body,
  form,
  maxBytes = defaultMaxBytes,
  timeoutMs = defaultTimeoutMs,
  signal,
}: EndpointRequest): Promise<EndpointAnswer> {
  const { FormData, request } = await import("undici");
  const agent = await openOutboundAgent({
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    connectTimeout: timeoutMs,
  });
  const expired = AbortSignal.timeout(timeoutMs);
  const written = new FormData();
  for (const [name, value] of Object.entries(form ?? {})) {
    if (typeof value === "string") written.append(name, value);
    else written.append(name, new File([Buffer.from(value.content)], value.name, { type: value.mimeType }));
  }
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
      ...(form !== undefined && { body: written }),
      signal: AbortSignal.any([signal, expired]),
    });
    const answer = await readCapped(response.body, maxBytes);
    const { body: content, truncated } = answer;
    return {
      kind: "answered",
      status: response.statusCode,
      content,
      truncated,
      get body() {
        return parseJson(content.toString());
      },
    };
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
  // undici's words for a proxy that opened no tunnel; its code says only that the request was given up.
  if (describeError(error).endsWith("when HTTP Tunneling")) return true;
  const code = (error as { readonly code?: unknown } | undefined)?.code;
  return typeof code === "string" && (unconnected.has(code) || code === "UND_ERR_CONNECT_TIMEOUT");
}
