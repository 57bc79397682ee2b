import type { Logger } from "pino";
import { readBody } from "../../../channels/read-body.ts";
import { parseJson } from "../../../core/parse-json.ts";
import { createHttpServer } from "../../../kernel/http/http-server.ts";
import { mountReadiness } from "../../../kernel/http/mount-readiness.ts";
import { refuseRequest } from "../served/guard-requests.ts";
import { createHttpSessions } from "../serving/http-sessions.ts";
import type { ServedBackend } from "../serving/protocol-server.ts";

/** As the SDK has it. */
const maxBodyLength = 4 * 1024 * 1024;
const noMessage = { jsonrpc: "2.0", error: { code: -32_700, message: "Parse error: Invalid JSON" }, id: null };

export interface HttpWish {
  readonly host: string;
  readonly port: number;
  readonly token: string;
  readonly hosts: readonly string[];
  readonly origins: readonly string[];
}

/** Serves Streamable HTTP at `/mcp` until it is stopped. Returns the address it listens on. */
export async function serveHttp(
  backend: ServedBackend,
  about: { readonly name: string; readonly version: string },
  { host, port, token, hosts, origins }: HttpWish,
  log: Pick<Logger, "error">,
): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const sessions = createHttpSessions(backend, about);
  const http = createHttpServer({
    host,
    port,
    publicNames: hosts.map((name) => ({ host: name, routes: ["/mcp"] })),
    log,
  });
  mountReadiness(http, () => Promise.resolve({}));
  let listening: number | undefined;
  const guard = { token, hosts, origins, port: () => listening };
  http.app.all("/mcp", async (context) => {
    const refusal = refuseRequest(context.env.incoming.headers, guard);
    if (refusal?.status === 401) context.header("WWW-Authenticate", "Bearer");
    if (refusal) return context.json({ error: refusal.error }, refusal.status);
    if (context.req.method !== "POST") return sessions.handle(context.req.raw);
    const read = await readBody(context.req.raw, maxBodyLength);
    if (read.kind === "too-large") return context.json({ error: "The body has more than 4 MiB." }, 413);
    const message = read.kind === "read" ? parseJson(read.body.toString("utf8")) : undefined;
    if (message === undefined) return context.json(noMessage, 400);
    return sessions.handle(context.req.raw, message);
  });
  const address = await http.start();
  listening = address.port;
  const name = address.host.includes(":") ? `[${address.host}]` : address.host;
  return {
    url: `http://${name}:${address.port}/mcp`,
    async stop() {
      await sessions.close();
      await http.stop();
    },
  };
}
