import type { Logger } from "pino";
import { describeError } from "../../core/errors.ts";
import type { Sandbox } from "../../sandbox/types.ts";
import type { McpServer } from "../servers/types.ts";
import { McpFault } from "./mcp-fault.ts";
import type { ProcessGroups } from "./start-process.ts";
import type { McpConnection, McpCredential, ServerStreams, WantedConnection } from "./types.ts";

/** The parts of every connection; `credential` is for a server that people log in at. */
interface ConnectParts {
  readonly credential?: McpCredential | undefined;
  /** The part of our environment that every process gets. */
  readonly inherited: Readonly<Record<string, string>>;
  readonly groups: ProcessGroups;
  readonly sandbox: Pick<Sandbox, "open">;
  readonly log: Pick<Logger, "debug">;
}

/** Starts or calls a server over its transport and shakes hands. Throws McpFault; then nothing is left of it. */
export async function connectServer(wanted: WantedConnection & ConnectParts): Promise<McpConnection> {
  const { credential, server, requests, events, signal } = wanted;
  const { transport } = server;
  // Loading the SDK takes a tenth of a second, so a setup without servers does not load it.
  const { openConnection } = await import("./open-connection.ts");
  const shake = { requests, signal, ...events };
  if (transport.kind === "stdio") {
    const streams = await startStreams(wanted, transport);
    const { openStdio } = await import("./open-stdio.ts");
    return openConnection(openStdio(streams), shake);
  }
  const { openHttp } = await import("./open-http.ts");
  if (transport.mode !== "auto") return openConnection(await openHttp(transport, transport.mode, credential), shake);
  try {
    return await openConnection(await openHttp(transport, "http", credential), shake);
  } catch (error) {
    // A server of the older transport refuses the new one's first request.
    if (!(error instanceof McpFault) || error.kind !== "refused") throw error;
    try {
      return await openConnection(await openHttp(transport, "sse", credential), shake);
    } catch {
      throw error;
    }
  }
}

async function startStreams(
  { server, place, inherited, groups, sandbox, signal, log }: WantedConnection & ConnectParts,
  transport: Extract<McpServer["transport"], { kind: "stdio" }>,
): Promise<ServerStreams> {
  const onErrorOutput = (text: string) =>
    log.debug({ server: server.name, text: text.slice(0, 1000) }, "an MCP server says");
  if (transport.sandbox === undefined) {
    try {
      return await (await import("./start-process.ts")).startProcess(transport, { inherited, groups, onErrorOutput });
    } catch (error) {
      const missing = (error as NodeJS.ErrnoException).code === "ENOENT";
      const reason = missing
        ? `there is no program ${transport.command} (or no folder ${transport.cwd ?? "."})`
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
