import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import type { Browser, ConnectOverCDPTransport } from "playwright-core";

/** Bytes of one message; a picture is the largest, as base64. */
const maxMessageLength = 128 * 1024 * 1024;

/** Speaks CDP with a Chromium (`--remote-debugging-pipe`) over two streams: JSON texts that end with a NUL. */
export async function connectOverPipe(
  streams: { readonly input: Writable; readonly output: Readable },
  timeoutMs: number,
): Promise<{
  readonly browser: Browser;
  /** Removes what Playwright kept on the disk. The streams are the caller's to close, before. */
  release(): Promise<void>;
}> {
  const { chromium } = await import("playwright-core");
  const artifactsDir = await mkdtemp(join(tmpdir(), "kurisu-browser-"));
  const release = () => rm(artifactsDir, { recursive: true, force: true, maxRetries: 5 });
  try {
    const transport = createPipeTransport(streams);
    return { browser: await chromium.connectOverCDP(transport, { timeout: timeoutMs, artifactsDir }), release };
  } catch (error) {
    await release();
    throw error;
  }
}

function createPipeTransport({ input, output }: { readonly input: Writable; readonly output: Readable }) {
  const transport: ConnectOverCDPTransport = {
    send: (message) => void (input.writable && input.write(`${JSON.stringify(message)}\0`)),
    close: () => void input.end(),
  };
  let pieces: Buffer[] = [];
  let length = 0;
  let isOver = false;
  const end = (reason: string): void => {
    if (isOver) return;
    isOver = true;
    transport.onclose?.(reason);
  };
  output.on("data", (piece: Buffer) => {
    let rest = piece;
    for (let at = rest.indexOf(0); at >= 0 && !isOver; at = rest.indexOf(0)) {
      const text = Buffer.concat([...pieces, rest.subarray(0, at)]).toString("utf8");
      [pieces, length, rest] = [[], 0, rest.subarray(at + 1)];
      const message = parseMessage(text);
      if (message === undefined) return void input.destroy();
      transport.onmessage?.(message);
    }
    pieces.push(rest);
    length += rest.length;
    if (length > maxMessageLength) input.destroy();
  });
  for (const event of ["end", "close", "error"]) output.on(event, () => end("the browser is gone"));
  input.on("error", () => end("the browser is gone"));
  return transport;
}

/** Undefined for what no browser sends: one that a page has taken over may send anything. */
function parseMessage(text: string): object | undefined {
  try {
    const message = JSON.parse(text) as unknown;
    return typeof message === "object" && message !== null ? message : undefined;
  } catch {
    return undefined;
  }
}
