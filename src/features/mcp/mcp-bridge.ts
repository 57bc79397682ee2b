import { setTimeout as pause } from "node:timers/promises";
import type { Logger } from "pino";
import { describeError } from "../../core/errors.ts";
import { makeVisible } from "../../core/persona/show-payload.ts";
import type { Tool } from "../../kernel/tools/types.ts";
import type { Compiler } from "./check-input.ts";
import { McpFault } from "./connection/mcp-fault.ts";
import type { McpConnection } from "./connection/types.ts";
import { listDown, type DownServer } from "./list-down.ts";
import { listOfferedTools } from "./list-offered-tools.ts";
import type { LoginAnswer, Logins } from "./login/logins.ts";
import type { LoginRedirect } from "./login/read-redirect.ts";
import {
  createMcpServerClient,
  type McpServerClient,
  type McpServerClientParts,
  type ServerState,
} from "./mcp-server-client.ts";
import type { PinBook, PinnedTool } from "./pins/pin-book.ts";
import { isWanted, type RefusedTool } from "./read-tools.ts";
import { listReadable, type ReadableServer } from "./readable-servers.ts";
import { nameTool } from "./servers/name-tool.ts";
import type { McpDefinition, McpServer } from "./servers/types.ts";

/** A server and its tools, for people. */
export type McpServerView = ServerState & {
  readonly server: McpServer;
  readonly tools: readonly (PinnedTool & { readonly fullName: string; readonly withdrawn: boolean })[];
  readonly refused: readonly RefusedTool[];
};

/** The front of the room: every server of every mcp.json. */
export interface MCPBridge {
  /** The tools of all servers, in the order in which they became trusted. The same list until something changes. */
  tools(): readonly Tool[];
  /** Reads the pins, starts servers of config/mcp.json that were never seen and waits for them a little: of the others the tools are known. */
  start(): Promise<void>;
  /**
   * Starts servers of these skills that were never seen and waits for them a little, so that their tools are there. Until
   * then a server of a skill is not started.
   */
  ensureServersStarted(skills: readonly string[]): Promise<void>;
  /** Reads what other processes have changed; without a call, a little later. */
  refresh(): Promise<void>;
  /** Takes the servers of a changed configuration; those that stay the same go on. */
  apply(servers: readonly McpServer[]): Promise<void>;
  views(): readonly McpServerView[];
  /** Definitions that were pinned at first sight and await the owner's decision. */
  listUnseen(): readonly { readonly server: string; readonly definitions: readonly McpDefinition[] }[];
  /** Servers of the project's `.mcp.json` that wait for the owner's approval. */
  listUnapproved(): readonly { readonly server: string; readonly digest: string }[];
  /** Servers that cannot be used now, and why. */
  down(): readonly DownServer[];
  /** The servers that may have resources or prompts. */
  readable(): readonly ReadableServer[];
  /** A connection for looking around, where the server may be used. Throws McpFault; undefined = no such server. */
  connect(server: string, session: string, signal: AbortSignal): Promise<McpConnection | undefined>;
  /** For the server that has the name now: its pending definitions, or the entry of a project's file. */
  approve(server: string, hashes: readonly string[], by: string, login?: string): Promise<readonly string[]>;
  /** Forgets its pins and the login at it. false = nothing was known of it. */
  forget(server: string, by: string): Promise<boolean>;
  /** Begins to log in at a server, or ends that with the `redirect` that came back. undefined = no such server. */
  login(server: string, by: string, redirect?: LoginRedirect): Promise<LoginAnswer | undefined>;
  /** Ends the login that was begun with this state. undefined = none was. */
  returnLogin(redirect: LoginRedirect & { readonly state: string }): Promise<LoginAnswer | undefined>;
  /** false if there was no login. */
  logout(server: string, by: string): Promise<boolean>;
  stop(): Promise<void>;
}

/** Milliseconds that a start, a turn or a login waits for servers that were never seen; a slower one joins later. */
const patienceMs = 10_000;
/** Milliseconds until the changes of other processes are seen when their announcement was lost. */
const lookEveryMs = 3_000;

interface Ground {
  readonly isKnown: boolean;
  readonly isAdmitted: boolean;
  readonly login: string | undefined;
}

export function createMCPBridge(parts: {
  readonly servers: readonly McpServer[];
  readonly book: PinBook;
  readonly logins: Logins;
  readonly compiler: Compiler;
  /** After every server has ended. */
  readonly onStop: () => void;
  /** Milliseconds that the operator's tools.yaml gives a tool. */
  readonly limitOf: (tool: string) => number | undefined;
  /** Why a skill cannot be used in a session, in words for the model; undefined = it can. */
  readonly whyNotHere: (skill: string, session: string) => Promise<string | undefined>;
  /** There are other processes; `follow` hears what they announce. */
  readonly others?: { follow(hear: () => void): void };
  readonly onQuarantine: (server: string, tools: readonly PinnedTool[]) => void;
  readonly client: Omit<McpServerClientParts, "onTools" | "whyHeld" | "compile" | "log">;
  readonly log: Pick<Logger, "info" | "warn" | "debug">;
}): MCPBridge {
  const { book, log, logins } = parts;
  const { compile } = parts.compiler;
  const clients = new Map<string, McpServerClient>();
  const closing = new Set<Promise<void>>();
  const stopping = new AbortController();
  /** By client: the one wait of a turn for it. */
  const waits = new WeakMap<McpServerClient, Promise<unknown>>();
  let tools: readonly Tool[] | undefined;
  /** By server. */
  let loginIds: ReadonlyMap<string, string> = new Map();
  /** By client: what its connections were begun under. */
  const grounds = new WeakMap<McpServerClient, Ground>();
  /** The version of the pins and logins for which connections were last looked at. */
  let settledAt: number | undefined;
  let lastLook: Promise<void> = Promise.resolve();
  let looking: NodeJS.Timeout | undefined;

  async function takeTools(server: McpServer, definitions: readonly McpDefinition[]): Promise<void> {
    const quarantined = await book.see(server, definitions);
    tools = undefined;
    if (quarantined.length === 0) return;
    log.warn(
      { server: server.name, tools: quarantined.map(({ tool }) => makeVisible(tool)) },
      "tools of an MCP server wait for the owner's yes",
    );
    parts.onQuarantine(server.name, quarantined);
  }

  const whyHeld = (server: McpServer): string | undefined =>
    book.isAdmitted(server)
      ? undefined
      : `The server ${server.name} stands in the project's .mcp.json, and the owner has not said yes to it: /mcp approve ${server.name}`;

  function add(server: McpServer): McpServerClient {
    const client = createMcpServerClient(server, { ...parts.client, compile, onTools: takeTools, whyHeld, log });
    clients.set(server.name, client);
    return client;
  }
  for (const server of parts.servers) add(server);

  function remove(client: McpServerClient): void {
    clients.delete(client.server.name);
    const work = client.close();
    closing.add(work);
    void work.finally(() => closing.delete(work));
  }

  /** A connection under the login or the pins from before must not go on. */
  function renew(client: McpServerClient): McpServerClient {
    remove(client);
    tools = undefined;
    return add(client.server);
  }

  /** Ends connections whose ground is gone, whoever took it away. */
  function settle(): void {
    for (const client of clients.values()) {
      const { server } = client;
      const now = {
        isKnown: book.isKnown(server),
        isAdmitted: book.isAdmitted(server),
        login: loginIds.get(server.name),
      };
      const before = grounds.get(client) ?? now;
      grounds.set(client, now);
      const isGone = (before.isKnown && !now.isKnown) || (before.isAdmitted && !now.isAdmitted);
      if (!isGone && before.login === now.login) continue;
      const fresh = renew(client);
      // A server of a skill starts on demand.
      if (now.login === undefined && before.login !== undefined && server.skill === undefined)
        void ensureConnected(fresh);
    }
  }

  /** Reads what other processes have changed. */
  async function refresh(): Promise<void> {
    await book.refresh();
    if (book.version() !== settledAt) tools = undefined;
  }

  async function lookOnce(): Promise<void> {
    await refresh();
    const version = book.version();
    if (version === settledAt) return;
    loginIds = await logins.listIds();
    settle();
    settledAt = version;
  }

  /** One after the other, so that what was read later stays. */
  const look = (): Promise<void> => (lastLook = lastLook.then(lookOnce, lookOnce));

  /** Does something by which connections may lose their ground. */
  async function change<Result>(work: () => Promise<Result>): Promise<Result> {
    settle();
    const result = await work();
    settledAt = undefined;
    tools = undefined;
    await look();
    return result;
  }

  /** Never throws. */
  const lookOrLog = (): void =>
    void look().catch((error: unknown) => log.warn({ err: error }, "what other processes changed was not read"));

  /** Starts a server and pins its tools. Never throws: the reason is kept where people look for it. */
  async function ensureConnected(client: McpServerClient): Promise<void> {
    const { name } = client.server;
    try {
      // A server with a connection per session is started under a session name of the bridge.
      await client.connect(`mcp:${name}`, stopping.signal);
    } catch (error) {
      log.warn({ server: name, reason: describeError(error) }, "an MCP server could not be looked at");
    }
  }

  const waitFor = (work: Promise<unknown>) => Promise.race([work, pause(patienceMs, undefined, { ref: false })]);

  /** A turn waits once for a slow server; the next one finds it, or goes on without. */
  function waitOnce(client: McpServerClient): Promise<unknown> {
    const work = ensureConnected(client);
    const waiting = waits.get(client) ?? waitFor(work);
    waits.set(client, waiting);
    return waiting;
  }

  async function whyNotHere(server: McpServer, session: string): Promise<string | undefined> {
    // A tool that was quarantined elsewhere must not run here. Connections end later: a call may be using one.
    if (parts.others) await refresh();
    return whyHeld(server) ?? (server.skill === undefined ? undefined : parts.whyNotHere(server.skill, session));
  }

  const listAdmitted = () => [...clients.values()].filter(({ server }) => book.isAdmitted(server));
  const isStranger = ({ server }: McpServerClient): boolean => book.isAdmitted(server) && !book.isKnown(server);

  async function login(server: string, by: string, redirect?: LoginRedirect): Promise<LoginAnswer | undefined> {
    const client = clients.get(server);
    if (!client) return undefined;
    const held = whyHeld(client.server);
    if (held !== undefined) return { kind: "refused", reason: held };
    if (redirect === undefined) return logins.begin(client.server);
    const answer = await change(() => logins.finish(client.server, redirect));
    if (answer.kind !== "done") return answer;
    await book.note(server, by, "mcp.login");
    // There is a new client for it.
    const now = clients.get(server);
    // Its tools are there with the answer, unless it is slow.
    if (now) await waitFor(ensureConnected(now));
    return answer;
  }

  const offer = { ...parts, compile, whyHeld, whyNotHere, stopping: stopping.signal };

  return {
    tools: () => (tools ??= listOfferedTools(clients, offer)),
    async start() {
      await look();
      if (parts.others) {
        parts.others.follow(lookOrLog);
        looking = setInterval(lookOrLog, lookEveryMs).unref();
      }
      if (clients.size > 0) await parts.compiler.load();
      const strangers = [...clients.values()].filter((one) => one.server.skill === undefined && isStranger(one));
      if (strangers.length > 0) await waitFor(Promise.all(strangers.map(ensureConnected)));
    },
    async ensureServersStarted(skills) {
      const wanted = [...clients.values()].filter(
        ({ server: { skill } }) => skill !== undefined && skills.includes(skill),
      );
      await Promise.all(wanted.filter(isStranger).map(waitOnce));
    },
    async apply(servers) {
      if (servers.length > 0) await parts.compiler.load();
      for (const client of clients.values()) {
        const same = servers.find(({ name }) => name === client.server.name);
        if (JSON.stringify(same) !== JSON.stringify(client.server)) remove(client);
      }
      for (const server of servers) {
        if (clients.has(server.name)) continue;
        const client = add(server);
        if (server.skill === undefined && isStranger(client)) void ensureConnected(client);
      }
      tools = undefined;
    },
    refresh,
    views: () =>
      [...clients.values()].map((client) => ({
        ...client.view(),
        server: client.server,
        refused: client.refused(),
        tools: book
          .list(client.server)
          .filter(({ tool }) => isWanted(client.server, tool))
          .map((pinned) => ({
            ...pinned,
            fullName: nameTool(pinned.server, pinned.tool),
            withdrawn: client.listed()?.has(pinned.tool) === false,
          })),
      })),
    listUnseen: () =>
      [...clients.values()].flatMap(({ server }) => {
        const definitions = server.skill === undefined ? book.listUnseen(server) : [];
        return definitions.length === 0 ? [] : [{ server: server.name, definitions }];
      }),
    listUnapproved: () =>
      [...clients.values()].flatMap(({ server: { name, project }, view }) =>
        project !== undefined && view().state === "unapproved" ? [{ server: name, digest: project.digest }] : [],
      ),
    down: () => listDown([...clients.values()]),
    readable: () => listReadable(listAdmitted(), whyNotHere),
    async connect(server, session, signal) {
      const client = clients.get(server);
      const reason = client && (await whyNotHere(client.server, session));
      if (reason !== undefined) throw new McpFault("not-sent", reason);
      return client?.connect(session, signal);
    },
    async approve(server, ...given) {
      const client = clients.get(server);
      const approved = await book.approve(client?.server ?? { name: server }, ...given);
      tools = undefined;
      if (client?.server.project !== undefined && isStranger(client)) await waitFor(ensureConnected(client));
      return approved;
    },
    async forget(server, by) {
      // It counts as unknown again: its next list is pinned as the first one was.
      return change(async () => {
        const wasIn = await logins.forget(server);
        return (await book.forget(clients.get(server)?.server ?? { name: server }, by)) || wasIn;
      });
    },
    login,
    async returnLogin(redirect) {
      const server = await logins.findByState(redirect.state);
      return server === undefined ? undefined : login(server, "browser", redirect);
    },
    async logout(server, by) {
      const wasIn = await change(() => logins.forget(server));
      if (wasIn) await book.note(server, by, "mcp.logout");
      return wasIn;
    },
    async stop() {
      stopping.abort();
      clearInterval(looking);
      for (const client of clients.values()) remove(client);
      await Promise.allSettled(closing);
      parts.onStop();
    },
  };
}
