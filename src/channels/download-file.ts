import { request as requestHttp, type IncomingMessage } from "node:http";
import { request as requestHttps } from "node:https";
import { describeError } from "../core/errors.ts";
import { createOutboundAgent } from "../web/outbound-proxy.ts";
import type { FetchedFile } from "./attachment.ts";

/**
 * A file from the very server that the operator named (the Bot API's, the OneBot implementation's): it may be in a
 * private network, so addresses that come from anywhere else must not get here. Redirects are not followed. Reasons do
 * not hold the address, which may hold a token.
 */
export function downloadFile(
  url: URL,
  { maxBytes, signal }: { readonly maxBytes: number; readonly signal: AbortSignal },
): Promise<FetchedFile> {
  return new Promise((resolve) => {
    const fail = (error: unknown): void =>
      resolve({ kind: "unreachable", reason: `the file server did not answer: ${describeError(error)}` });
    const send = url.protocol === "https:" ? requestHttps : requestHttp;
    const request = send(url, { signal, agent: createOutboundAgent(url) }, (response) => {
      response.on("error", fail);
      read(response, maxBytes).then(resolve, fail);
    });
    request.on("error", fail);
    request.end();
  });
}

async function read(response: IncomingMessage, maxBytes: number): Promise<FetchedFile> {
  const status = response.statusCode ?? 0;
  const announced = Number(response.headers["content-length"] ?? 0);
  try {
    if (status >= 500 || status === 429) return { kind: "unreachable", reason: `HTTP ${status}` };
    if (status !== 200) return { kind: "gone", reason: `HTTP ${status}` };
    if (announced > maxBytes) return { kind: "tooLarge", limit: maxBytes };
    const pieces: Buffer[] = [];
    let total = 0;
    for await (const piece of response as AsyncIterable<Buffer>) {
      total += piece.length;
      if (total > maxBytes) return { kind: "tooLarge", limit: maxBytes };
      pieces.push(piece);
    }
    const mimeType = response.headers["content-type"];
    return { kind: "fetched", content: Buffer.concat(pieces), ...(mimeType !== undefined && { mimeType }) };
  } finally {
    response.destroy();
  }
}
