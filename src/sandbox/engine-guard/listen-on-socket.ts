import { chmodSync, lstatSync, rmSync } from "node:fs";
import type { Server } from "node:http";
import { createConnection } from "node:net";
import { AppError } from "../../core/errors.ts";

/**
 * Listens on a Unix socket that owner and group may use (0660). A stale socket file is replaced; anything else at that
 * path is left alone. Throws AppError.
 */
export async function listenOnSocket(server: Server, path: string): Promise<void> {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found !== undefined) {
    if (!found.isSocket()) throw new AppError("USAGE", `${path} is there already and is no socket.`);
    if (await isAlive(path)) throw new AppError("USAGE", `Another process listens on ${path}.`);
    rmSync(path);
  }
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", reject);
  // The file is made within listen(); other users must not be able to use it for a moment either.
  const before = process.umask(0o117);
  try {
    server.listen(path, resolve);
  } finally {
    process.umask(before);
  }
  await promise;
  chmodSync(path, 0o660);
}

function isAlive(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(path);
    socket.once("error", () => resolve(false));
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
  });
}
