import { rmSync } from "node:fs";
import { connect, createServer, type Server, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import { engineSocket } from "./engine-socket.ts";

/** A socket of our own in front of the real engine's, so that a test can take the engine away and give it back. */
export interface DockerProxy {
  readonly environment: { readonly DOCKER_HOST: string };
  /** Every connection breaks, and the socket is gone. */
  cut(): Promise<void>;
  restore(): Promise<void>;
  /** The next request that fits reaches the engine, but its answer never comes back: the connection breaks. */
  loseAnswer(request: RegExp): void;
}

/** Call it inside a test; `path` is where the socket will be. */
export async function startDockerProxy(path: string): Promise<DockerProxy> {
  const sockets = new Set<Socket>();
  let server: Server | undefined;
  let losing: RegExp | undefined;

  async function restore(): Promise<void> {
    server = createServer((near) => {
      const far = connect(engineSocket);
      near.on("data", (chunk: Buffer) => {
        if (losing?.test(chunk.toString("latin1")) !== true) return;
        losing = undefined;
        far.unpipe(near);
        far.once("data", () => near.destroy()).resume();
      });
      for (const [from, to] of [
        [near, far],
        [far, near],
      ] as const) {
        sockets.add(from);
        from.on("error", () => to.destroy());
        from.on("close", () => {
          sockets.delete(from);
          to.destroy();
        });
        from.pipe(to);
      }
    });
    await new Promise<void>((resolve, reject) => server?.once("error", reject).listen(path, resolve));
  }

  async function cut(): Promise<void> {
    const closing = server;
    server = undefined;
    for (const socket of sockets) socket.destroy();
    if (closing) await new Promise((resolve) => closing.close(resolve));
    rmSync(path, { force: true });
  }

  await restore();
  onTestFinished(cut);
  return { environment: { DOCKER_HOST: `unix://${path}` }, cut, restore, loseAnswer: (request) => (losing = request) };
}
