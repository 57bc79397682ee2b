import { SSEClientTransport, SseError } from "@modelcontextprotocol/sdk/client/sse.js";
import { StreamableHTTPClientTransport, StreamableHTTPError } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { HttpTransport } from "../servers/types.ts";
import type { McpFaultKind } from "./mcp-fault.ts";
import type { OpenedTransport } from "./open-connection.ts";
import { createServerFetch } from "./server-fetch.ts";
import type { McpCredential } from "./types.ts";

/** Milliseconds that saying goodbye may take. */
const goodbyeMs = 1_000;

/** A transport to a server's address; nothing is sent yet. */
export async function openHttp(
  transport: HttpTransport,
  mode: "http" | "sse",
  credential?: McpCredential,
): Promise<OpenedTransport> {
  const url = new URL(transport.url);
  const isKeyed = Object.keys(transport.headers).length > 0;
  const { fetch, close, wantsLogin } = await createServerFetch(url, { credential, isKeyed });
  const options = { fetch, requestInit: { headers: { ...transport.headers } } };
  const over = Promise.withResolvers<string>();
  if (mode === "sse") {
    const client = new SSEClientTransport(url, options);
    return {
      // The SDK's own classes do not fit its own interface under exactOptionalPropertyTypes.
      transport: client as unknown as Transport,
      classify: (error) =>
        error instanceof SseError
          ? classifyStatus(error.code, "", { wantsLogin: wantsLogin(), hadSession: false })
          : classifySocket(error),
      ended: over.promise,
      async close() {
        await client.close();
        await close();
        over.resolve("it was closed");
      },
    };
  }
  const client = new StreamableHTTPClientTransport(url, options);
  return {
    transport: client as unknown as Transport,
    classify: (error) =>
      error instanceof StreamableHTTPError
        ? classifyStatus(error.code, error.message, {
            wantsLogin: wantsLogin(),
            hadSession: client.sessionId !== undefined,
          })
        : classifySocket(error),
    ended: over.promise,
    async close() {
      // The server may drop the session now. A server that is gone keeps none.
      const goodbye = client.terminateSession().catch(() => undefined);
      await Promise.race([goodbye, new Promise((resolve) => setTimeout(resolve, goodbyeMs).unref())]);
      await client.close();
      await close();
      over.resolve("it was closed");
    },
  };
}

/** The specification has 404 for a session that is gone; servers of the reference SDK also answer 400 with these words. */
function classifyStatus(
  status: number | undefined,
  text: string,
  { hadSession, wantsLogin }: { readonly hadSession: boolean; readonly wantsLogin: boolean },
): McpFaultKind | undefined {
  if ((status === 401 || status === 403) && wantsLogin) return "login";
  if (hadSession && (status === 404 || (status === 400 && /session/i.test(text)))) return "session-gone";
  // Refused before anything was done with it.
  return status !== undefined && status >= 400 && status < 500 ? "refused" : undefined;
}

const neverArrived = [
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "UND_ERR_CONNECT_TIMEOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
];
const brokeOff = ["ECONNRESET", "EPIPE", "UND_ERR_SOCKET", "UND_ERR_DESTROYED"];

function classifySocket(error: unknown): McpFaultKind | undefined {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    const { code = "" } = cause as NodeJS.ErrnoException;
    if (neverArrived.includes(code)) return "not-sent";
    if (brokeOff.includes(code)) return "lost";
  }
  return undefined;
}
