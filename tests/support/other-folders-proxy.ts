import { connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { engineSocket } from "./engine-socket.ts";
import { createTemporaryFolder } from "./temporary-folder.ts";

/** An engine that finds other folders under our paths, as one on another host does. */
export interface OtherFoldersProxy {
  readonly socketPath: string;
  /** Containers that were asked for so far. */
  readonly created: () => number;
}

/** `from` and `to` must be of the same length: so a request stays as long as its headers say. */
export async function openOtherFoldersProxy(from: string, to: string): Promise<OtherFoldersProxy> {
  if (Buffer.byteLength(from) !== Buffer.byteLength(to)) throw new RangeError("the folders must be of the same length");
  const socketPath = join(await createTemporaryFolder(), "engine.sock");
  const sockets = new Set<Socket>();
  let created = 0;
  const server = createServer((near) => {
    const far = connect(engineSocket);
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      socket.on("error", () => other.destroy());
      socket.on("close", () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
    near.on("data", (piece: Buffer) => {
      const text = piece.toString("latin1");
      if (text.startsWith("POST /containers/create")) created += 1;
      far.write(text.replaceAll(from, to), "latin1");
    });
    near.on("end", () => far.end());
    far.pipe(near);
  });
  await new Promise<void>((resolve) => server.listen(socketPath, resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { socketPath, created: () => created };
}
