import type { Logger } from "pino";
import { createHttpServer } from "../../gateway/http/http-server.ts";
import { mountReadiness } from "../../gateway/http/mount-readiness.ts";
import { refuseRequest } from "../../gateway/served/guard-requests.ts";
import { createHttpSessions } from "../../mcp/serving/http-sessions.ts";
import type { ServedBackend } from "../../mcp/serving/protocol-server.ts";

export interface HttpWish {
  readonly host: string;
  readonly port: number;
  readonly token: string;
  readonly hosts: readonly string[];
  readonly origins: readonly string[];
}

/** Streamable HTTP at `/mcp` until it is stopped. Answers where it listens. */
export async function serveHttp(
  backend: ServedBackend,
  about: { readonly name: string; readonly version: string },
  { host, port, token, hosts, origins }: HttpWish,
  log: Pick<Logger, "error">,
): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const sessions = createHttpSessions(backend, about);
  const http = createHttpServer({ host, port, publicHosts: hosts, log });
  mountReadiness(http, { host, readiness: () => Promise.resolve({}) });
  let listening: number | undefined;
  const guard = { token, hosts, origins, port: () => listening };
  http.app.all("/mcp", async (context) => {
    const refusal = refuseRequest(context.env.incoming.headers, guard);
    if (refusal === undefined) return sessions.handle(context.req.raw);
    if (refusal.status === 401) context.header("WWW-Authenticate", "Bearer");
    return context.json({ error: refusal.error }, refusal.status);
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
