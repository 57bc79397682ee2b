import { once } from "node:events";
import { chmod, chown, mkdir, open, realpath, rm, type FileHandle } from "node:fs/promises";
import { join } from "node:path";
import type { ForwardProxy } from "../../web/forward-proxy.ts";
import { egressPlace } from "./egress-place.ts";

/** Bytes of a socket's address that every system takes. */
const maxPathLength = 100;

/** A folder that holds the socket of one container's proxy and nothing else. */
export interface SocketFolder {
  /** Absolute, without links. */
  readonly folder: string;
  /** Ends every connection and removes the folder. */
  close(): Promise<void>;
}

export interface SocketFolderPlace {
  /** Folder of these folders; made if it is not there. The engine's host must know it under the same path. */
  readonly root: string;
  /** The container's user, when the gateway is root and can give the socket away. */
  readonly owner?: { readonly uid: number; readonly gid: number };
}

/** Lets `proxy` listen in the folder of this run, and nowhere else. Throws the file system's errors, and closes the proxy then. */
export async function openSocketFolder(
  { root, owner }: SocketFolderPlace,
  run: string,
  proxy: ForwardProxy,
): Promise<SocketFolder> {
  await mkdir(root, { recursive: true, mode: 0o700 });
  const folder = join(await realpath(root), run);
  // Not recursive: a folder that is there already belongs to another process.
  await mkdir(folder, { mode: 0o700 });
  // Open until the server has stopped, which removes its socket by the name that it listened on.
  const handle = await open(folder, "r");
  const close = async (): Promise<void> => {
    await proxy.close();
    await handle.close();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    proxy.server.listen(shortenPath(folder, handle));
    await once(proxy.server, "listening");
    const socket = join(folder, egressPlace.socket);
    await chmod(socket, 0o600);
    if (owner !== undefined) for (const path of [socket, folder]) await chown(path, owner.uid, owner.gid);
  } catch (error) {
    await close();
    throw error;
  }
  return { folder, close };
}

/** By the open folder where the name itself is longer than a socket's address may be. */
function shortenPath(folder: string, handle: FileHandle): string {
  const path = join(folder, egressPlace.socket);
  const isShort = Buffer.byteLength(path) <= maxPathLength || process.platform !== "linux";
  return isShort ? path : `/proc/self/fd/${handle.fd}/${egressPlace.socket}`;
}
