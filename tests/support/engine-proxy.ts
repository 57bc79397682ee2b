import { connect, createServer } from "node:net";
import type { Socket } from "node:net";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { engineSocket } from "./engine-socket.ts";
import { createTemporaryFolder } from "./temporary-folder.ts";

/** A door in front of the real container engine that a test can shut. */
export interface EngineProxy {
  readonly socketPath: string;
  /** Breaks every connection and answers no more, as an engine that dies. */
  die(): void;
  /** Takes connections and says nothing, as an engine that hangs. */
  hang(): void;
  recover(): void;
}

export async function openEngineProxy(): Promise<EngineProxy> {
  const socketPath = join(await createTemporaryFolder(), "engine.sock");
  const sockets = new Set<Socket>();
  let state: "open" | "dead" | "hanging" = "open";
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    // A reset is what these tests are about.
    socket.on("error", () => socket.destroy());
  };
  const server = createServer((client) => {
    keep(client);
    if (state === "dead") client.destroy();
    if (state !== "open") return;
    const engine = connect(engineSocket);
    keep(engine);
    client.pipe(engine).pipe(client);
    client.on("close", () => engine.destroy());
    engine.on("close", () => client.destroy());
  });
  await new Promise<void>((resolve) => {
    server.listen(socketPath, resolve);
  });
  const dropAll = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  onTestFinished(() => {
    dropAll();
    server.close();
  });
  return {
    socketPath,
    die() {
      state = "dead";
      dropAll();
    },
    hang() {
      state = "hanging";
    },
    recover() {
      state = "open";
    },
  };
}
