import type { Logger } from "pino";
import type { Tool } from "../tools/types.ts";
import { callTool } from "./call-tool.ts";
import type { Compiler } from "./check-input.ts";
import type { McpConnection } from "./connection/types.ts";
import { McpFault } from "./connection/mcp-fault.ts";
import { createMcpTool } from "./create-mcp-tool.ts";
import { describeQuarantine } from "./pins/describe-quarantine.ts";
import { createFirstSight } from "./ensure-connected.ts";
import type { LinkView } from "./link.ts";
import type { LoginAnswer, Logins } from "./login/logins.ts";
import type { LoginRedirect } from "./login/read-redirect.ts";
import { nameTool } from "./servers/name-tool.ts";
import { nameHolder, type PinBook, type PinnedTool } from "./pins/pin-book.ts";
import { listReadable, type ReadableServer } from "./readable-servers.ts";
import { isWanted, type RefusedTool } from "./read-tools.ts";
import { createServerSlot, type ServerSlot, type SlotParts } from "./server-slot.ts";
import type { McpDefinition, McpServer } from "./servers/types.ts";

/** A server and its tools, for people. */
export interface McpServerView extends LinkView {
  readonly server: McpServer;
  readonly tools: readonly (PinnedTool & { readonly fullName: string; readonly withdrawn: boolean })[];
  readonly refused: readonly RefusedTool[];
}

export interface MCPBridge {
  /** The tools of all servers, in the order in which they became trusted. The same list until something changes. */
  tools(): readonly Tool[];
  /** Starts servers of config/mcp.json that were never seen and waits for them a little: of the others the tools are known. */
  start(): Promise<void>;
  /**
   * Starts servers of these skills that were never seen and waits for them a little, so that their tools are there. Until
   * then a server of a skill is not started.
   */
  meetSkills(skills: readonly string[]): Promise<void>;
  /** Other servers from now on; those that stay the same go on. */
  apply(servers: readonly McpServer[]): Promise<void>;
  views(): readonly McpServerView[];
  /** What servers of config/mcp.json said of themselves at first sight, as long as nobody has decided about it. */
  listUnseen(): readonly { readonly server: string; readonly definitions: readonly McpDefinition[] }[];
  /** Those that may have resources or prompts. */
  readable(): readonly ReadableServer[];
  /** A connection for looking around, where the server may be used. Throws McpFault; undefined = no such server. */
  connect(server: string, session: string, signal: AbortSignal): Promise<McpConnection | undefined>;
  /** Of the server that has the name now. */
  approve(server: string, hashes: readonly string[], by: string): Promise<readonly string[]>;
  /** What was known of its tools, and the login at it. */
  forget(server: string, by: string): Promise<boolean>;
  /** Begins to log in at a server, or ends that with what came back. undefined = no such server. */
  login(server: string, by: string, redirect?: LoginRedirect): Promise<LoginAnswer | undefined>;
  /** Ends the login that was begun with this state. undefined = none was. */
  returnLogin(redirect: LoginRedirect & { readonly state: string }): Promise<LoginAnswer | undefined>;
  /** false = nobody was logged in. */
  logout(server: string, by: string): Promise<boolean>;
  stop(): Promise<void>;
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
  readonly onQuarantine: (server: string, tools: readonly PinnedTool[]) => void;
  readonly slot: Omit<SlotParts, "onTools" | "compile" | "log">;
  readonly log: Pick<Logger, "info" | "warn" | "debug">;
}): MCPBridge {
  const { book, log, logins } = parts;
  const { compile } = parts.compiler;
  const slots = new Map<string, ServerSlot>();
  const closing = new Set<Promise<void>>();
  const stopping = new AbortController();
  let tools: readonly Tool[] | undefined;
  const sight = createFirstSight({ signal: stopping.signal, log });

  async function takeTools(server: McpServer, definitions: readonly McpDefinition[]): Promise<void> {
    const put = await book.see(server, definitions);
    tools = undefined;
    if (put.length === 0) return;
    log.warn(
      { server: server.name, tools: put.map(({ tool }) => tool) },
      "tools of an MCP server wait for the owner's yes",
    );
    parts.onQuarantine(server.name, put);
  }

  function add(server: McpServer): void {
    slots.set(server.name, createServerSlot(server, { ...parts.slot, compile, onTools: takeTools, log }));
  }
  for (const server of parts.servers) add(server);

  function remove(slot: ServerSlot): void {
    slots.delete(slot.server.name);
    const work = slot.close();
    closing.add(work);
    void work.finally(() => closing.delete(work));
  }

  const whyNotHere = ({ skill }: McpServer, session: string): Promise<string | undefined> =>
    skill === undefined ? Promise.resolve(undefined) : parts.whyNotHere(skill, session);

  function findUnavailable(slot: ServerSlot, pinned: PinnedTool): string | undefined {
    const held = describeQuarantine(pinned);
    if (held !== undefined) return held;
    const { server, tool } = pinned;
    return slot.listed()?.has(tool) === false ? `The server ${server} has no tool ${tool} any more.` : undefined;
  }

  /** What tools.yaml says of a name was not said of an installed skill's server that took it. */
  function limitOf(server: McpServer, tool: string): number {
    const given = server.installed === true ? undefined : parts.limitOf(nameTool(server.name, tool));
    return given ?? server.timeoutMs;
  }

  function build(): readonly Tool[] {
    return book.list().flatMap((pinned) => {
      const slot = slots.get(pinned.server);
      if (!slot || nameHolder(slot.server) !== pinned.holder || !isWanted(slot.server, pinned.tool)) return [];
      const { server } = slot;
      const whyNot = (session: string) => whyNotHere(server, session);
      return [
        createMcpTool({
          server,
          pinned,
          compile,
          timeoutMs: limitOf(server, pinned.tool),
          unavailable: () => findUnavailable(slot, pinned),
          call: (wanted, context) => callTool(slot, book, { ...wanted, whyNotHere: whyNot }, context),
          whyNotHere: whyNot,
          async warm(session) {
            try {
              if ((await whyNot(session)) !== undefined) return;
              await slot.connect(session, stopping.signal);
            } catch (error) {
              // The call itself will tell.
              log.debug({ server: server.name, err: error }, "an MCP server could not be made ready");
            }
          },
        }),
      ];
    });
  }

  /** A connection of who was there before must not go on. */
  function renew(slot: ServerSlot): ServerSlot | undefined {
    remove(slot);
    add(slot.server);
    tools = undefined;
    return slots.get(slot.server.name);
  }

  async function login(server: string, by: string, redirect?: LoginRedirect): Promise<LoginAnswer | undefined> {
    const slot = slots.get(server);
    if (!slot) return undefined;
    if (redirect === undefined) return logins.begin(slot.server);
    const answer = await logins.finish(slot.server, redirect);
    if (answer.kind !== "done") return answer;
    await book.note(server, by, "mcp.login");
    // Taken out or changed meanwhile: then another slot stands there.
    const now = slots.get(server);
    const fresh = now && renew(now);
    // Its tools are there with the answer, unless it is slow.
    if (fresh) await sight.wait(sight.meet(fresh));
    return answer;
  }

  return {
    tools: () => (tools ??= build()),
    async start() {
      if (slots.size > 0) await parts.compiler.load();
      const strangers = [...slots.values()].filter(({ server }) => server.skill === undefined && !book.isKnown(server));
      if (strangers.length === 0) return;
      await sight.wait(Promise.all(strangers.map(sight.meet)));
    },
    async meetSkills(skills) {
      const strangers = [...slots.values()].filter(
        ({ server }) => server.skill !== undefined && skills.includes(server.skill) && !book.isKnown(server),
      );
      await Promise.all(strangers.map(sight.meetOnce));
    },
    async apply(servers) {
      if (servers.length > 0) await parts.compiler.load();
      for (const slot of slots.values()) {
        const same = servers.find(({ name }) => name === slot.server.name);
        if (JSON.stringify(same) !== JSON.stringify(slot.server)) remove(slot);
      }
      for (const server of servers) {
        if (slots.has(server.name)) continue;
        add(server);
        const slot = slots.get(server.name);
        if (slot && server.skill === undefined && !book.isKnown(server)) void sight.meet(slot);
      }
      tools = undefined;
    },
    views: () =>
      [...slots.values()].map((slot) => ({
        ...slot.view(),
        server: slot.server,
        refused: slot.refused(),
        tools: book
          .list(slot.server)
          .filter(({ tool }) => isWanted(slot.server, tool))
          .map((pinned) => ({
            ...pinned,
            fullName: nameTool(pinned.server, pinned.tool),
            withdrawn: slot.listed()?.has(pinned.tool) === false,
          })),
      })),
    listUnseen: () =>
      [...slots.values()].flatMap(({ server }) => {
        const definitions = server.skill === undefined ? book.listUnseen(server) : [];
        return definitions.length === 0 ? [] : [{ server: server.name, definitions }];
      }),
    readable: () => listReadable([...slots.values()], whyNotHere),
    async connect(server, session, signal) {
      const slot = slots.get(server);
      const reason = slot && (await whyNotHere(slot.server, session));
      if (reason !== undefined) throw new McpFault("not-sent", reason);
      return slot?.connect(session, signal);
    },
    async approve(server, ...given) {
      const approved = await book.approve(slots.get(server)?.server ?? { name: server }, ...given);
      tools = undefined;
      return approved;
    },
    async forget(server, by) {
      const wasIn = logins.forget(server);
      const was = (await book.forget(slots.get(server)?.server ?? { name: server }, by)) || wasIn;
      tools = undefined;
      const slot = slots.get(server);
      // What it lists next is its first sight again.
      if (slot) renew(slot);
      return was;
    },
    login,
    async returnLogin(redirect) {
      const server = logins.findByState(redirect.state);
      return server === undefined ? undefined : login(server, "browser", redirect);
    },
    async logout(server, by) {
      if (!logins.forget(server)) return false;
      await book.note(server, by, "mcp.logout");
      const slot = slots.get(server);
      const fresh = slot && renew(slot);
      // A server of a skill waits until somebody needs it.
      if (fresh && fresh.server.skill === undefined) void sight.meet(fresh);
      return true;
    },
    async stop() {
      stopping.abort();
      for (const slot of slots.values()) remove(slot);
      await Promise.allSettled(closing);
      parts.onStop();
    },
  };
}
