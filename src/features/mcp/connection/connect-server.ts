import { resolve } from "node:path";
import type { Logger } from "pino";
import { describeError } from "../../../core/errors.ts";
import { makeVisible } from "../../../core/persona/show-payload.ts";
import type { Sandbox } from "../../../sandbox/types.ts";
import type { McpServer } from "../servers/types.ts";
import { findInstaller, findInstallerAtWork } from "../servers/find-installer.ts";
import { isAnswer, McpFault } from "./mcp-fault.ts";
import type { Greeting, OpenedTransport } from "./open-connection.ts";
import type { ProcessGroups } from "./start-process.ts";
import type { McpConnection, McpCredential, ServerStreams, WantedConnection } from "./types.ts";

type StdioTransport = Extract<McpServer["transport"], { kind: "stdio" }>;

/** The parts of every connection; `credential` is for a server that people log in at. */
interface ConnectParts {
  readonly credential?: McpCredential | undefined;
  /** The part of our environment that every process gets. */
  readonly inherited: Readonly<Record<string, string>>;
  readonly groups: ProcessGroups;
  /** The folder that a process works in where mcp.json names none; it is there. */
  readonly workFolder: (server: string) => Promise<string>;
  readonly sandbox: Pick<Sandbox, "open">;
  readonly log: Pick<Logger, "debug">;
}

/** Starts or calls a server over its transport and shakes hands. Throws McpFault; then nothing is left of it. */
export async function connectServer(wanted: WantedConnection & ConnectParts): Promise<McpConnection> {
  const { credential, server, requests, events, signal, log } = wanted;
  const { transport } = server;
  const shake = { requests, signal, ...events, server: server.name, log };
  if (transport.kind === "stdio") {
    const { openStdio } = await import("./open-stdio.ts");
    return greetServer(async () => openStdio(await startStreams(wanted, transport)), shake);
  }
  const { openHttp } = await import("./open-http.ts");
  const greet = (mode: "http" | "sse") => greetServer(() => openHttp(transport, mode, credential), shake);
  if (transport.mode !== "auto") return greet(transport.mode);
  try {
    return await greet("http");
  } catch (error) {
    // A server of the older transport refuses the new one's first request.
    if (!(error instanceof McpFault) || !isAnswer(error)) throw error;
    try {
      return await greet("sse");
    } catch {
      throw error;
    }
  }
}

/**
 * Some servers refuse a greeting that names a capability they do not know, or die of it: they are greeted once more without
 * any. Then they cannot ask people or our model anything, but their tools are there.
 */
async function greetServer(
  open: () => Promise<OpenedTransport>,
  shake: Greeting & { readonly server: string; readonly log: Pick<Logger, "debug"> },
): Promise<McpConnection> {
  // Loading the SDK takes a tenth of a second, so a setup without servers does not load it.
  const { openConnection } = await import("./open-connection.ts");
  const opened = await open();
  try {
    return await openConnection(opened, shake);
  } catch (error) {
    const { requests, signal, server, log } = shake;
    const declares = requests.ask !== undefined || requests.sample !== undefined || requests.root !== undefined;
    if (!declares || signal.aborted || !(error instanceof McpFault) || !(isAnswer(error) || isDeath(error)))
      throw error;
    log.debug({ server, reason: error.message }, "an MCP server is greeted again without our capabilities");
    try {
      return await openConnection(await open(), { ...shake, requests: {} });
    } catch {
      throw error;
    }
  }
}

/** Whether the connection was lost during the handshake, as opposed to never being there. */
function isDeath({ kind, cause }: McpFault): boolean {
  return kind === "lost" || (kind === "not-sent" && cause instanceof McpFault && cause.kind === "lost");
}

/**
 * Runs the server in a folder of its own. Paths relative to Kurisu's working directory (`./server.js`) are still found.
 */
function settleFolder(transport: StdioTransport, folder: string): StdioTransport {
  if (transport.cwd !== undefined) return transport;
  const isRelative = (word: string): boolean => word.startsWith("./") || word.startsWith("../");
  const settle = (word: string): string => (isRelative(word) ? resolve(word) : word);
  const { command, args } = transport;
  const isPath = command.includes("/");
  return { ...transport, command: isPath ? resolve(command) : command, args: args.map(settle), cwd: folder };
}

async function startStreams(
  { server, place, inherited, groups, sandbox, events, signal, log, workFolder }: WantedConnection & ConnectParts,
  transport: StdioTransport,
): Promise<ServerStreams> {
  const onErrorOutput = (text: string) => {
    log.debug({ server: server.name, text: makeVisible(text.slice(0, 1000)) }, "an MCP server says");
    const by = findInstallerAtWork(text);
    if (by !== undefined) events.onInstalling(by);
  };
  if (transport.sandbox === undefined) {
    const installer = findInstaller(transport);
    if (installer !== undefined) events.onInstalling(installer);
    try {
      const folder = server.scope === "session" ? place.folder : undefined;
      const settled = settleFolder(transport, folder ?? (await workFolder(server.name)));
      return await (await import("./start-process.ts")).startProcess(settled, { inherited, groups, onErrorOutput });
    } catch (error) {
      const missing = (error as NodeJS.ErrnoException).code === "ENOENT";
      const reason = missing
        ? `there is no program ${transport.command}${transport.cwd === undefined ? "" : ` (or no folder ${transport.cwd})`}`
        : describeError(error);
      throw new McpFault("not-sent", reason, { cause: error });
    }
  }
  const opened = await sandbox.open({
    argv: [transport.command, ...transport.args],
    environment: transport.env,
    ...(transport.sandbox.image !== undefined && { image: transport.sandbox.image }),
    workspace: place.folder ?? "",
    session: place.session === "" ? `mcp:${server.name}` : place.session,
    onErrorOutput,
    signal,
  });
  if (opened.kind === "unavailable") throw new McpFault("not-sent", `${opened.reason} ${opened.remedy}`);
  return opened.streams;
}
