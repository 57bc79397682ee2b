import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import { lstatSync, readdirSync } from "node:fs";
import { connect, createServer as createTcpServer, type Socket } from "node:net";
import { join } from "node:path";
import { pino } from "pino";
import { onTestFinished } from "vitest";
import { chooseContainerIdentity } from "../../src/sandbox/container-identity.ts";
import { createEgress, type Egress, type EgressLimits } from "../../src/sandbox/egress/open-egress.ts";
import { createGuardedDial } from "../../src/web/guarded-dial.ts";
import { dockerIsThere, requireDocker } from "./docker.ts";
import { createTemporaryFolder } from "./temporary-folder.ts";
import { sandboxImage } from "./test-sandbox.ts";
import { tellLeftOut } from "./left-out.ts";

/** For `describe.runIf(await relayIsThere())`: the engine, and an image with the relay. */
export async function relayIsThere(): Promise<boolean> {
  if (!dockerIsThere()) return false;
  const image = await requireDocker().getImage(sandboxImage).inspect();
  if (image.Config.Labels?.["kurisu.relay"] === "1") return true;
  const problem = `${sandboxImage} holds no relay; build it again: npm run sandbox:image`;
  if (process.env.KURISU_REQUIRE_DOCKER === "1") throw new Error(problem);
  tellLeftOut("tests of commands with a network", problem);
  return false;
}

export interface EgressSite {
  readonly port: number;
  readonly requests: IncomingMessage[];
  readonly connections: () => number;
}

/** A site of this machine under an address of its own, on a port that a skill may name. It ends with the test. */
export async function startEgressSite(answer: RequestListener, port = 8080): Promise<EgressSite> {
  const requests: IncomingMessage[] = [];
  let connections = 0;
  const server = createServer((request, response) => {
    requests.push(request);
    answer(request, response);
  });
  server.on("connection", () => (connections += 1));
  server.listen(port, siteAddress);
  await once(server, "listening");
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { port, requests, connections: () => connections };
}

/** A site that answers every connection with these bytes, whatever they are, and hangs up. */
export async function startRawSite(answer: string, port = 8080): Promise<void> {
  const server = createTcpServer((socket) => {
    socket.on("error", () => socket.destroy());
    socket.once("data", () => socket.end(answer, "latin1"));
  });
  server.listen(port, siteAddress);
  await once(server, "listening");
  onTestFinished(() => new Promise((resolve) => server.close(() => resolve())));
}

/** One of the loopback's sixteen million addresses for each test process, so that fixed ports never meet. */
const siteAddress = `127.${1 + (process.pid % 250)}.${1 + ((process.pid >> 8) % 250)}.9`;

/** `public.test-site.net` and what ends like it lead to the sites of the test, `private.test-site.net` to the machine's own. */
const names = (host: string): readonly string[] => {
  if (host === "private.test-site.net") return ["127.0.0.1"];
  if (host === "mixed.test-site.net") return [siteAddress, "10.0.0.1"];
  if (host.endsWith(".test-site.net")) return [siteAddress];
  throw new Error(`${host} is not in this test's names`);
};

export interface EgressBench {
  readonly egress: Egress;
  readonly root: string;
  /** Names that were looked up, in order. */
  readonly looked: string[];
  /** What was logged, one object a line. */
  readonly logged: Record<string, unknown>[];
  /** Folders of grants that are there. */
  readonly folders: () => readonly string[];
}

/** The real proxy and guard; only names are resolved here, and the address of the test's sites counts as public. */
export async function createEgressBench(
  given: { readonly root?: string; readonly limits?: Partial<EgressLimits> } = {},
): Promise<EgressBench> {
  const root = given.root ?? join(await createTemporaryFolder(), "egress");
  const { limits = {} } = given;
  const looked: string[] = [];
  const logged: Record<string, unknown>[] = [];
  const log = pino({ level: "info" }, { write: (line: string) => void logged.push(JSON.parse(line)) });
  const dial = createGuardedDial({
    resolve: async (host) => {
      looked.push(host);
      return names(host).map((address) => ({ address, family: 4 }));
    },
    allowAddress: (address) => address === siteAddress,
  });
  const uid = process.getuid?.();
  const owner = uid === 0 ? { owner: chooseContainerIdentity(uid, process.getgid?.()) } : {};
  return {
    egress: createEgress({ root, dial, log, limits, ...owner }),
    root,
    looked,
    logged,
    folders: () => (lstatSync(root, { throwIfNoEntry: false }) === undefined ? [] : readdirSync(root)),
  };
}

/** Writes bytes to the proxy and answers all that came back until it closed. */
export async function talkRaw(socketPath: string, bytes: string): Promise<string> {
  const socket: Socket = connect(socketPath);
  let text = "";
  socket.setEncoding("latin1").on("data", (piece: string) => (text += piece));
  socket.on("error", (error) => (text += error.message));
  socket.write(bytes, "latin1");
  await once(socket, "close");
  return text;
}
