import type { Dispatcher, fetch } from "undici";
import { openOutboundAgent } from "./outbound-proxy.ts";

interface PostedAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** Decompressed, as it comes. Leaving it early closes the connection. */
  readonly body: AsyncIterable<Uint8Array>;
}

export type PostJson = (
  url: URL,
  request: { readonly headers: Readonly<Record<string, string>>; readonly body: string; readonly signal: AbortSignal },
) => Promise<PostedAnswer>;

const connectMs = 10_000;

/**
 * Posts JSON to a server that the operator chose and reads the answer as it comes; only `signal` ends the waiting. Its
 * connections are kept for the next request. Redirects are not followed: they could lead elsewhere, with the key.
 */
export function createPostJson(): PostJson {
  let opened: Promise<{ readonly agent: Dispatcher; readonly send: typeof fetch }> | undefined;
  const open = async () => {
    const undici = await import("undici");
    const agent = await openOutboundAgent({ connectTimeout: connectMs, headersTimeout: 0, bodyTimeout: 0 });
    return { agent, send: undici.fetch };
  };

  return async (url, { headers, body, signal }) => {
    const { agent, send } = await (opened ??= open());
    const response = await send(url, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body,
      signal,
      redirect: "manual",
      dispatcher: agent,
    });
    const { status } = response;
    return { status, headers: new Headers([...response.headers]), body: response.body ?? noBody() };
  };
}

async function* noBody(): AsyncGenerator<Uint8Array> {
  // An empty stream.
}
