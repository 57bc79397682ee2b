import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { KeepUntil } from "../keep-until.ts";

export interface GivenRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly body: Buffer;
  readonly send: (status: number, value: unknown) => void;
}

/** A server with the addresses of OpenAI's API: answers its base address. It does not wait for those it keeps waiting when it ends. */
export async function serveRequests(answer: (given: GivenRequest) => Promise<void>, keep: KeepUntil): Promise<string> {
  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const send = (status: number, value: unknown) =>
      void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
    await answer({ request, response, body: Buffer.concat(chunks), send });
  }

  const server = createServer((request, response) => {
    // A client that went away has nobody to tell.
    take(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  keep(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}
