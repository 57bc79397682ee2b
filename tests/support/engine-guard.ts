import { chown, mkdir } from "node:fs/promises";
import { connect, createServer, type Socket } from "node:net";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import Docker from "dockerode";
import { onTestFinished } from "vitest";
import { createLog } from "../../src/core/log.ts";
import { buildContainerSpec } from "../../src/sandbox/container-spec.ts";
import type { ContainerPolicy } from "../../src/sandbox/engine-guard/check-container-body.ts";
import { createEngineGuard } from "../../src/sandbox/engine-guard/engine-guard.ts";
import { engineSocket } from "./engine-socket.ts";
import { createTemporaryFolder } from "./temporary-folder.ts";
import { sandboxImage } from "./test-sandbox.ts";

/** The real engine's socket with a listener at the wire. */
interface WatchedEngine {
  readonly socketPath: string;
  /** First lines of the requests so far, `GET /version`. */
  readonly calls: string[];
  readonly connections: () => number;
  /** Breaks every connection and takes no more, as an engine that dies. */
  readonly die: () => void;
}

async function watchEngine(folder: string): Promise<WatchedEngine> {
  const socketPath = join(folder, "engine.sock");
  const calls: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (near) => {
    const far = connect({ path: engineSocket, allowHalfOpen: true });
    sockets.add(near);
    near.once("data", (piece: Buffer) => {
      const [line = ""] = piece.toString("latin1").split(" HTTP/1.1");
      calls.push(line);
    });
    near.pipe(far).pipe(near);
    near.on("error", () => far.destroy());
    far.on("error", () => near.destroy());
    near.on("close", () => {
      sockets.delete(near);
      far.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(socketPath, resolve));
  const die = (): void => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  onTestFinished(die);
  return { socketPath, calls, connections: () => sockets.size, die };
}

export interface GuardBench {
  readonly socketPath: string;
  readonly policy: ContainerPolicy;
  readonly engine: WatchedEngine;
  /** The engine as the gateway sees it. */
  readonly docker: Docker;
  /** A new workspace that may be mounted. */
  readonly makeWorkspace: () => Promise<string>;
  /** What the sandbox would send to create a container, and its name. `egress` names the folder of a way to hosts. */
  readonly makeBody: (
    workspace: string,
    egress?: (run: string) => string,
  ) => { readonly name: string; readonly body: Record<string, unknown> };
}

/** A guard before the real engine, gone when the test is over, with every container of its installation. */
export async function startGuard(
  given: { readonly image?: string; readonly policy?: ContainerPolicy } = {},
): Promise<GuardBench> {
  const folder = await createTemporaryFolder();
  const engine = await watchEngine(folder);
  const workspaces = join(folder, "workspaces");
  await mkdir(workspaces);
  const policy: ContainerPolicy = given.policy ?? {
    image: given.image ?? sandboxImage,
    installation: `guard-${randomBytes(6).toString("hex")}`,
    identity: { uid: 1000, gid: 1000 },
    workspaces,
    egress: join(folder, "egress"),
    browser: { image: "kurisu-browser:latest", sockets: join(folder, "browser") },
    limits: {},
  };
  const socketPath = join(folder, "guard.sock");
  const log = createLog({ level: "silent", secrets: [] });
  const guard = createEngineGuard({ listen: socketPath, engine: engine.socketPath, policy, log });
  await guard.start();
  onTestFinished(() => guard.stop());
  return {
    socketPath,
    policy,
    engine,
    docker: new Docker({ socketPath }),
    async makeWorkspace() {
      const workspace = join(workspaces, randomBytes(16).toString("hex"));
      await mkdir(workspace);
      await chown(workspace, 1000, 1000);
      return workspace;
    },
    makeBody(workspace, egress) {
      const run = randomBytes(8).toString("hex");
      const { name = "", ...body } = buildContainerSpec({
        image: policy.image,
        program: { kind: "command", command: "true", cwd: ".", ...(egress && { egress: egress(run) }) },
        workspace,
        session: "s",
        installation: policy.installation,
        instance: "boot",
        run,
        identity: policy.identity,
        limits: policy.limits,
      });
      return { name, body };
    },
  };
}

/** Writes bytes to a socket as they are and answers everything that comes back; status 0 = it was just closed. */
export function sendRaw(
  socketPath: string,
  bytes: string,
): Promise<{ readonly status: number; readonly text: string }> {
  return new Promise((resolve) => {
    const socket = connect(socketPath);
    let text = "";
    socket.setEncoding("utf8");
    socket.on("data", (piece: string) => (text += piece));
    socket.on("error", (error) => (text += error.message));
    socket.on("close", () => resolve({ status: Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 0), text }));
    socket.write(bytes);
  });
}

/** A request with a JSON body as a well-behaved client writes it. */
export function writeRequest(line: string, body?: string, headers: readonly string[] = []): string {
  const type =
    body === undefined ? [] : ["Content-Type: application/json", `Content-Length: ${Buffer.byteLength(body)}`];
  return [`${line} HTTP/1.1`, "Host: engine", ...type, ...headers, "", body ?? ""].join("\r\n");
}
