import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { waitUntil } from "../wait-until.ts";
import { referenceServer } from "./reference-servers.ts";

export interface HttpServerProcess {
  readonly url: string;
  /** kill -9, then a new one on the same port. */
  restart(): Promise<void>;
}

/** The reference server over HTTP on a port of its own. */
export async function startHttpServer(transport: "streamableHttp" | "sse"): Promise<HttpServerProcess> {
  const port = await findPort();
  let child = await begin();
  onTestFinished(() => end());

  async function begin() {
    const { command, args } = referenceServer("everything", transport);
    const started = spawn(command, args, { env: { PORT: String(port) }, stdio: ["ignore", "ignore", "pipe"] });
    let said = "";
    started.stderr.on("data", (piece: Buffer) => (said += piece.toString()));
    await waitUntil("the server's port", () => isListening(port));
    return started;
  }

  async function end(): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  }

  return {
    url: `http://127.0.0.1:${port}${transport === "sse" ? "/sse" : "/mcp"}`,
    async restart() {
      await end();
      child = await begin();
    },
  };
}

async function findPort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

async function isListening(port: number): Promise<boolean> {
  try {
    await fetch(`http://127.0.0.1:${port}/`, { signal: AbortSignal.timeout(2_000) });
    return true;
  } catch {
    return false;
  }
}
