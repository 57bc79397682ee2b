import type { Readable, Writable } from "node:stream";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { createProtocolServer, type ServedBackend } from "./protocol-server.ts";

/** Speaks with one client over our standard streams until it goes away or `stopping` fires. Nothing else may write to `output`. */
export async function serveStdio(
  backend: ServedBackend,
  about: { readonly name: string; readonly version: string },
  { input, output, stopping }: { readonly input: Readable; readonly output: Writable; readonly stopping: AbortSignal },
): Promise<void> {
  const server = createProtocolServer(backend, about);
  const over = new Promise<void>((resolve) => {
    input.once("end", resolve);
    input.once("close", resolve);
    // The client went away without closing its end first.
    output.once("error", () => resolve());
    stopping.addEventListener("abort", () => resolve(), { once: true });
  });
  await server.connect(new StdioServerTransport(input, output));
  if (!stopping.aborted) await over;
  await server.close();
}
