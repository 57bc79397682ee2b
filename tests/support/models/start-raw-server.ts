import { createServer } from "node:http";
import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

interface SeenRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Record<string, unknown>;
}

/** Plays the server's part of one request, byte by byte. */
export type RawAnswer = (response: ServerResponse, request: SeenRequest) => void | Promise<void>;

export interface RawServer extends AsyncDisposable {
  readonly url: string;
  readonly seen: readonly SeenRequest[];
  /** Requests whose client went away before the answer ended. */
  readonly abandoned: () => number;
}

/** A model server that misbehaves exactly as told: the n-th request gets the n-th answer, the last one repeats. */
export async function startRawServer(...answers: readonly RawAnswer[]): Promise<RawServer> {
  const seen: SeenRequest[] = [];
  let abandoned = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    response.on("close", () => {
      if (!response.writableEnded) abandoned += 1;
    });
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const text = Buffer.concat(chunks).toString();
      const body = (text === "" ? {} : JSON.parse(text)) as Record<string, unknown>;
      const received = { path: request.url ?? "", headers: request.headers, body };
      seen.push(received);
      const answer = answers[Math.min(seen.length, answers.length) - 1];
      void answer?.(response, received);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    abandoned: () => abandoned,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** An event stream that is sent as it stands, then closed. */
export function sendEvents(...events: readonly string[]): RawAnswer {
  return (response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const event of events) response.write(event);
    response.end();
  };
}

/** Sends the events and then neither closes nor says anything. */
export function sendAndHang(...events: readonly string[]): RawAnswer {
  return (response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.flushHeaders();
    for (const event of events) response.write(event);
  };
}

export function sendStatus(status: number, body: unknown, headers: Record<string, string> = {}): RawAnswer {
  return (response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(JSON.stringify(body));
  };
}
