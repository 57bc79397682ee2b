import type { Logger } from "pino";
import { pathToFileURL } from "node:url";
import { makeVisible } from "../../core/persona/show-payload.ts";
import type { Scrub } from "../../kernel/tools/key-argument.ts";
import type { ToolContext } from "../../kernel/tools/types.ts";
import { createCallDesk, untilAllOver, type CallDesk } from "./call-desk.ts";
import type { CompileSchema } from "./check-input.ts";
import { McpFault } from "./connection/mcp-fault.ts";
import type { McpConnection, McpReply, McpServerRequests, WantedConnection } from "./connection/types.ts";
import { superviseConnection, type ConnectionSupervisor, type ConnectionView } from "./connection-supervisor.ts";
import { readTools, type RefusedTool } from "./read-tools.ts";
import { sendRequest, type ServerAnswer, type ServerRequest } from "./send-request.ts";
import type { McpDefinition, McpServer } from "./servers/types.ts";

export interface McpServerClientParts {
  readonly compile: CompileSchema;
  readonly openConnection: (wanted: WantedConnection) => Promise<McpConnection>;
  /** The session's folder on this machine. */
  readonly folderFor: (session: string) => Promise<string>;
  /** A program may write into that folder from now on, until the returned function is called. */
  readonly beginWriting: (folder: string) => () => void;
  /** Puts a question of the server to the person of the call. */
  readonly ask: (
    server: string,
    context: ToolContext,
    asking: Parameters<NonNullable<McpServerRequests["ask"]>>[0],
    signal: AbortSignal,
  ) => Promise<McpReply>;
  readonly sample: (server: McpServer) => NonNullable<McpServerRequests["sample"]>;
  /** Why nothing of the server may run; undefined = it may. */
  readonly whyHeld: (server: McpServer) => string | undefined;
  /** Takes the listed tools before the connection is used. */
  readonly onTools: (server: McpServer, definitions: readonly McpDefinition[]) => Promise<void>;
  /** Takes known secrets out. */
  readonly scrub: Scrub;
  readonly log: Pick<Logger, "info" | "warn" | "debug">;
}

/** unapproved = it is in a project's file and waits for the owner's approval. */
export type ServerState = ConnectionView | { readonly state: "unapproved"; readonly detail: string };

/** One server of mcp.json, for as long as it is listed there. */
export interface McpServerClient {
  readonly server: McpServer;
  /** Throws McpFault. `session` counts where the server has a connection for each. */
  connect(session: string, signal: AbortSignal): Promise<McpConnection>;
  /** Sends one request. In the meantime the person of the call answers questions of the server. */
  request<T>(request: ServerRequest<T>, context: ToolContext): Promise<ServerAnswer<T>>;
  /** The names it listed last; undefined before the first list. */
  listed(): ReadonlySet<string> | undefined;
  /** Its capabilities when it was connected last. */
  has(): McpConnection["has"] | undefined;
  refused(): readonly RefusedTool[];
  view(): ServerState;
  close(): Promise<void>;
}

/** Milliseconds from a changed list to reading it; twice as many after each, until it is quiet for `maxRelistMs`. */
const relistMs = 200;
const maxRelistMs = 60_000;
const listLimitMs = 15_000;
/** Questions of a server in one call: at once, and in all. A person is no form to be flooded. */
const maxOpenElicitations = 3;
const maxElicitations = 20;
/** Connections that belong to a session: milliseconds without a call, and how many at once. */
const idleMs = 600_000;
const maxPlaces = 8;
const loggedTroubles = 5;

/** If it has a connection per session, its places are those sessions, otherwise the one place "". */
export function createMcpServerClient(server: McpServer, parts: McpServerClientParts): McpServerClient {
  const { log } = parts;
  const { transport } = server;
  const places = new Map<string, { readonly supervisor: ConnectionSupervisor; readonly calls: CallDesk }>();
  let listed: ReadonlySet<string> | undefined;
  let has: McpConnection["has"] | undefined;
  let refused: readonly RefusedTool[] = [];
  let closed = false;

  async function takeList(connection: McpConnection, signal: AbortSignal): Promise<void> {
    has = connection.has;
    const entries = connection.has.tools ? await connection.listTools({ signal }) : [];
    const found = readTools(server, entries, parts.compile);
    for (const { name, reason } of found.refused)
      log.warn(
        { server: server.name, tool: makeVisible(name), reason: makeVisible(reason) },
        "an MCP tool is not offered",
      );
    refused = found.refused;
    listed = new Set(found.definitions.map(({ name }) => name));
    await parts.onTools(server, found.definitions);
  }

  async function open(
    key: string,
    calls: CallDesk,
    signal: AbortSignal,
    onInstalling: (by: string) => void,
  ): Promise<McpConnection> {
    const needsFolder = server.scope === "session" || (transport.kind === "stdio" && transport.sandbox !== undefined);
    const folder = needsFolder ? await parts.folderFor(key === "" ? `mcp:${server.name}` : key) : undefined;
    const endWriting = folder === undefined ? () => undefined : parts.beginWriting(folder);
    const relisting = followList((within) => takeList(connection, within));
    let troubles = 0;
    const opening = parts.openConnection({
      server,
      place: { session: key, folder },
      requests: describeRequests(calls, folder),
      events: {
        onInstalling,
        onListChanged: (what) => void (what === "tools" && relisting.plan()),
        onTrouble(text) {
          troubles += 1;
          if (troubles <= loggedTroubles)
            log.debug({ server: server.name, text: makeVisible(text.slice(0, 500)) }, "an MCP server is in trouble");
        },
      },
      signal,
    });
    opening.then(({ ended }) => void ended.finally(endWriting), endWriting);
    const connection = await opening;
    void connection.ended.then(relisting.stop);
    try {
      await takeList(connection, signal);
      return connection;
    } catch (error) {
      await connection.close();
      throw error;
    }
  }

  /** Reads a changed list, one at a time, however often the server says that something changed. */
  function followList(take: (signal: AbortSignal) => Promise<void>) {
    let timer: NodeJS.Timeout | undefined;
    let changedMeanwhile = false;
    let pause = relistMs;
    let takenAt = -Infinity;

    function plan(): void {
      if (timer !== undefined) {
        changedMeanwhile = true;
        return;
      }
      const isQuiet = performance.now() - takenAt > maxRelistMs;
      pause = isQuiet ? relistMs : Math.min(maxRelistMs, pause * 2);
      timer = setTimeout(() => void relist(), pause).unref();
    }

    async function relist(): Promise<void> {
      changedMeanwhile = false;
      try {
        await take(AbortSignal.timeout(listLimitMs));
      } catch (error) {
        if (error instanceof McpFault && ["not-sent", "lost"].includes(error.kind)) return;
        log.warn({ server: server.name, err: error }, "the changed tools of an MCP server could not be read");
      }
      takenAt = performance.now();
      timer = undefined;
      if (changedMeanwhile) plan();
    }
    return { plan, stop: () => clearTimeout(timer) };
  }

  function describeRequests(calls: CallDesk, folder: string | undefined): McpServerRequests {
    const hasRoot = server.scope === "session" && folder !== undefined && transport.kind === "stdio";
    const isWalled = transport.kind === "stdio" && transport.sandbox !== undefined;
    return {
      ...(hasRoot && { root: isWalled ? "file:///workspace" : pathToFileURL(folder).href }),
      ...(server.sampling && { sample: parts.sample(server) }),
      ...(server.elicitation && { ask: (asking, signal) => elicit(calls, asking, signal) }),
    };
  }

  async function elicit(
    calls: CallDesk,
    asking: Parameters<McpServerClientParts["ask"]>[2],
    signal: AbortSignal,
  ): Promise<McpReply> {
    const asked = await calls.findAsked(signal);
    const [call] = asked;
    if (call === undefined) {
      log.warn(
        { server: server.name, calls: calls.size },
        "what an MCP server asked was declined: not clear whom it asks",
      );
      return { action: "decline" };
    }
    const { open, all } = call.elicitations;
    if (open >= maxOpenElicitations || all >= maxElicitations) {
      log.warn({ server: server.name, asked: all }, "an MCP server asked too much in one call");
      return { action: "decline" };
    }
    for (const { clock, elicitations } of asked) {
      elicitations.open += 1;
      elicitations.all += 1;
      clock.pause();
    }
    try {
      return await parts.ask(server.name, call.context, asking, AbortSignal.any([signal, untilAllOver(asked)]));
    } finally {
      for (const { clock, elicitations } of asked) {
        elicitations.open -= 1;
        if (elicitations.open === 0) clock.resume();
      }
    }
  }

  /** Closes idle and surplus connections of sessions. */
  async function tidy(): Promise<void> {
    const spare = [...places].filter(([key, { calls }]) => key !== "" && calls.size === 0);
    const oldest = spare.toSorted(([, a], [, b]) => b.supervisor.idleFor() - a.supervisor.idleFor());
    const excess = places.size - maxPlaces;
    const gone = oldest.filter(([, { supervisor }], index) => index < excess || supervisor.idleFor() > idleMs);
    for (const [key] of gone) places.delete(key);
    await Promise.allSettled(gone.map(([, { supervisor }]) => supervisor.close()));
  }
  const tidying = setInterval(() => void tidy(), 60_000).unref();

  function createPlace(key: string) {
    const calls = createCallDesk();
    const supervisor = superviseConnection({
      name: server.name,
      startTimeoutMs: server.startTimeoutMs,
      installTimeoutMs: server.installTimeoutMs,
      isBusy: () => calls.size > 0,
      scrub: parts.scrub,
      open: (signal, onInstalling) => open(key, calls, signal, onInstalling),
      log,
    });
    return { supervisor, calls };
  }

  function placeOf(session: string) {
    if (closed) throw new McpFault("not-sent", "the server was taken out of the configuration, or Kurisu stops");
    const held = parts.whyHeld(server);
    if (held !== undefined) throw new McpFault("not-sent", held);
    const key = server.scope === "session" ? session : "";
    const place = places.get(key) ?? createPlace(key);
    places.set(key, place);
    if (places.size > maxPlaces) void tidy();
    return place;
  }

  return {
    server,
    connect: async (session, signal) => placeOf(session).supervisor.get(signal),
    request: (request, context) => sendRequest(server.name, () => placeOf(context.session), request, context),
    listed: () => listed,
    has: () => has,
    refused: () => refused,
    view() {
      if (parts.whyHeld(server) !== undefined) return { state: "unapproved", detail: "" };
      const views = [...places.values()].map(({ supervisor }) => supervisor.view());
      const best = (["ready", "starting", "login", "failed"] as const).map((state) =>
        views.find((view) => view.state === state),
      );
      return best.find((view) => view !== undefined) ?? { state: "idle", detail: "" };
    },
    async close() {
      closed = true;
      clearInterval(tidying);
      await Promise.allSettled([...places.values()].map(({ supervisor }) => supervisor.close()));
      places.clear();
    },
  };
}
