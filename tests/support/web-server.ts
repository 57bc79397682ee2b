import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** A site of a test on this machine, with a list of what reached it. It ends with the test. */
export interface TestSite {
  readonly port: number;
  readonly origin: string;
  readonly requests: readonly IncomingMessage[];
  /** Connections that were opened, also those that said nothing. */
  readonly connections: () => number;
}

export async function startSite(answer: RequestListener, host = "127.0.0.1"): Promise<TestSite> {
  const requests: IncomingMessage[] = [];
  let connections = 0;
  const server: Server = createServer((request, response) => {
    requests.push(request);
    answer(request, response);
  });
  server.on("connection", () => (connections += 1));
  server.listen(0, host);
  await once(server, "listening");
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  const shown = host.includes(":") ? `[${host}]` : host;
  return { port, origin: `http://${shown}:${port}`, requests, connections: () => connections };
}

/** Lets a test reach these sites of its own and nothing else on this machine. */
export function allowSites(...sites: readonly TestSite[]): (address: string, port: number) => boolean {
  return (address, port) => address === "127.0.0.1" && sites.some((site) => site.port === port);
}
