import type { Logger } from "pino";
import { pathToFileURL } from "node:url";
import type { Scrub } from "../tools/key-argument.ts";
import type { ToolContext } from "../tools/types.ts";
import type { CallClock } from "./call-clock.ts";
import type { CompileSchema } from "./check-input.ts";
import { McpFault } from "./connection/mcp-fault.ts";
import type { McpConnection, McpReply, McpServerRequests } from "./connection/types.ts";
import { createLink, type Link, type LinkView } from "./link.ts";
import { readTools, type RefusedTool } from "./read-tools.ts";
import type { McpDefinition, McpServer } from "./servers/types.ts";

/** A call that is at work at a server, for what the server asks meanwhile. */
interface CallAtWork {
  readonly context: ToolContext;
  readonly clock: CallClock;
}

/** What a server has asked in one call. */
interface Askings {
  open: number;
  all: number;
  /** The call is over: nobody waits for an answer any more. */
  readonly over: AbortController;
}

/** What a slot is made of that others made. */
export interface SlotParts {
  readonly compile: CompileSchema;
  readonly openConnection: (
    server: McpServer,
    place: { readonly session: string; readonly folder: string | undefined },
    requests: McpServerRequests,
    events: { onListChanged(what: "tools" | "resources" | "prompts"): void; onTrouble(text: string): void },
    signal: AbortSignal,
  ) => Promise<McpConnection>;
  /** The session's folder on this machine. */
  readonly folderFor: (session: string) => Promise<string>;
  /** Puts what a server asks to the person whose call it is. */
  readonly ask: (
    server: string,
    context: ToolContext,
    asking: Parameters<NonNullable<McpServerRequests["ask"]>>[0],
    signal: AbortSignal,
  ) => Promise<McpReply>;
  readonly sample: (server: McpServer) => NonNullable<McpServerRequests["sample"]>;
  /** A server has said what it has; before the connection is used. */
  readonly onTools: (server: McpServer, definitions: readonly McpDefinition[]) => Promise<void>;
  /** Takes known secrets out. */
  readonly scrub: Scrub;
  readonly log: Pick<Logger, "info" | "warn" | "debug">;
}

/** One server of mcp.json while it is there. */
export interface ServerSlot {
  readonly server: McpServer;
  /** Throws McpFault. `session` counts where the server has a connection for each. */
  connect(session: string, signal: AbortSignal): Promise<McpConnection>;
  /** It has answered a call. */
  prove(session: string, connection: McpConnection): void;
  drop(session: string, connection: McpConnection, reason: string, login?: boolean): Promise<void>;
  /** While it runs, what the server asks goes to this call's person. */
  during<T>(session: string, call: CallAtWork, work: () => Promise<T>): Promise<T>;
  /** The names it listed last; undefined = it was not asked yet. */
  listed(): ReadonlySet<string> | undefined;
  /** What it had besides when it was asked last. */
  has(): McpConnection["has"] | undefined;
  refused(): readonly RefusedTool[];
  view(): LinkView;
  close(): Promise<void>;
}

/** Milliseconds from a changed list to the next look at it; twice as many after each look, until it is quiet for `mostRelistMs`. */
const relistMs = 200;
const mostRelistMs = 60_000;
/** Questions of a server in one call: at once, and in all. A person is no form to be flooded. */
const mostOpenAskings = 3;
const mostAskings = 20;
const listLimitMs = 15_000;
/** Of the connections that belong to a session: milliseconds without a call, and how many at once. */
const idleMs = 600_000;
const mostLinks = 8;
const loggedTroubles = 5;

export function createServerSlot(server: McpServer, parts: SlotParts): ServerSlot {
  const { log } = parts;
  const places = new Map<string, { readonly link: Link; readonly calls: Set<CallAtWork> }>();
  const keyOf = (session: string): string => (server.scope === "session" ? session : "");
  let listed: ReadonlySet<string> | undefined;
  let has: McpConnection["has"] | undefined;
  let refused: readonly RefusedTool[] = [];
  let closed = false;
  const askings = new WeakMap<CallAtWork, Askings>();

  async function takeList(connection: McpConnection, signal: AbortSignal): Promise<void> {
    has = connection.has;
    const entries = connection.has.tools ? await connection.listTools({ signal }) : [];
    const found = readTools(server, entries, parts.compile);
    for (const { name, reason } of found.refused)
      log.warn({ server: server.name, tool: name, reason }, "an MCP tool is not offered");
    refused = found.refused;
    listed = new Set(found.definitions.map(({ name }) => name));
    await parts.onTools(server, found.definitions);
  }

  function createPlace(key: string) {
    const calls = new Set<CallAtWork>();
    const link = createLink({
      name: server.name,
      startTimeoutMs: server.startTimeoutMs,
      isBusy: () => calls.size > 0,
      scrub: parts.scrub,
      log,
      open: (signal) => open(key, calls, signal),
    });
    return { link, calls };
  }

  async function open(key: string, calls: ReadonlySet<CallAtWork>, signal: AbortSignal): Promise<McpConnection> {
    const { transport } = server;
    const needsFolder = server.scope === "session" || (transport.kind === "stdio" && transport.sandbox !== undefined);
    const folder = needsFolder ? await parts.folderFor(key === "" ? `mcp:${server.name}` : key) : undefined;
    let relisting: NodeJS.Timeout | undefined;
    let changedMeanwhile = false;
    let relistPause = relistMs;
    let relistedAt = -Infinity;
    let troubles = 0;
    const events = {
      onListChanged(what: "tools" | "resources" | "prompts") {
        if (what !== "tools") return;
        if (relisting === undefined) planRelist();
        else changedMeanwhile = true;
      },
      onTrouble(text: string) {
        troubles += 1;
        if (troubles <= loggedTroubles)
          log.debug({ server: server.name, text: text.slice(0, 500) }, "an MCP server is in trouble");
      },
    };
    const connection = await parts.openConnection(
      server,
      { session: key, folder },
      describeRequests(calls, folder),
      events,
      signal,
    );
    void connection.ended.then(() => clearTimeout(relisting));
    try {
      await takeList(connection, signal);
      return connection;
    } catch (error) {
      await connection.close();
      throw error;
    }

    function planRelist(): void {
      const quiet = performance.now() - relistedAt > mostRelistMs;
      relistPause = quiet ? relistMs : Math.min(mostRelistMs, relistPause * 2);
      relisting = setTimeout(() => void relist(), relistPause).unref();
    }

    /** One at a time, however often the server says that something changed. */
    async function relist(): Promise<void> {
      changedMeanwhile = false;
      try {
        await takeList(connection, AbortSignal.timeout(listLimitMs));
      } catch (error) {
        if (error instanceof McpFault && ["not-sent", "lost"].includes(error.kind)) return;
        log.warn({ server: server.name, err: error }, "the changed tools of an MCP server could not be read");
      }
      relistedAt = performance.now();
      relisting = undefined;
      if (changedMeanwhile) planRelist();
    }
  }

  function describeRequests(calls: ReadonlySet<CallAtWork>, folder: string | undefined): McpServerRequests {
    const { transport } = server;
    const root =
      server.scope !== "session" || folder === undefined || transport.kind !== "stdio"
        ? undefined
        : transport.sandbox === undefined
          ? pathToFileURL(folder).href
          : "file:///workspace";
    return {
      ...(root !== undefined && { root }),
      ...(server.sampling && { sample: parts.sample(server) }),
      ...(server.elicitation && {
        ask: async (asking, signal) => {
          const [call, ...others] = calls;
          // Whose question it is cannot be told when several calls are at work.
          if (call === undefined || others.length > 0) {
            log.warn(
              { server: server.name, calls: calls.size },
              "what an MCP server asked was declined: not clear whom it asks",
            );
            return { action: "decline" };
          }
          const counted = askings.get(call);
          if (!counted || counted.open >= mostOpenAskings || counted.all >= mostAskings) {
            log.warn({ server: server.name, asked: counted?.all }, "an MCP server asked too much in one call");
            return { action: "decline" };
          }
          counted.open += 1;
          counted.all += 1;
          call.clock.pause();
          try {
            const over = AbortSignal.any([signal, call.clock.signal, counted.over.signal]);
            return await parts.ask(server.name, call.context, asking, over);
          } finally {
            counted.open -= 1;
            if (counted.open === 0) call.clock.resume();
          }
        },
      }),
    };
  }

  /** Connections of sessions do not stay for ever. */
  async function tidy(): Promise<void> {
    const spare = [...places].filter(([key, { calls }]) => key !== "" && calls.size === 0);
    const oldest = spare.toSorted(([, a], [, b]) => b.link.idleFor() - a.link.idleFor());
    const over = places.size - mostLinks;
    const gone = oldest.filter(([, { link }], index) => index < over || link.idleFor() > idleMs);
    for (const [key] of gone) places.delete(key);
    await Promise.allSettled(gone.map(([, { link }]) => link.close()));
  }
  const tidying = setInterval(() => void tidy(), 60_000).unref();

  function placeOf(session: string) {
    if (closed) throw new McpFault("not-sent", "the server was taken out of the configuration, or Kurisu stops");
    const key = keyOf(session);
    const place = places.get(key) ?? createPlace(key);
    places.set(key, place);
    if (places.size > mostLinks) void tidy();
    return place;
  }

  return {
    server,
    connect: async (session, signal) => placeOf(session).link.get(signal),
    prove: (session, connection) => placeOf(session).link.prove(connection),
    drop: async (session, connection, reason, login) => placeOf(session).link.drop(connection, reason, login),
    async during(session, call, work) {
      const { calls } = placeOf(session);
      const over = new AbortController();
      askings.set(call, { open: 0, all: 0, over });
      calls.add(call);
      try {
        return await work();
      } finally {
        calls.delete(call);
        over.abort();
      }
    },
    listed: () => listed,
    has: () => has,
    refused: () => refused,
    view() {
      const views = [...places.values()].map(({ link }) => link.view());
      const best = (["ready", "starting", "login", "failed"] as const).map((state) =>
        views.find((view) => view.state === state),
      );
      return best.find((view) => view !== undefined) ?? { state: "idle", detail: "" };
    },
    async close() {
      closed = true;
      clearInterval(tidying);
      await Promise.allSettled([...places.values()].map(({ link }) => link.close()));
      places.clear();
    },
  };
}
