import type { Kysely } from "kysely";
import type { Clock } from "../../../core/clock.ts";
import { appendAudit } from "../../../store/queries/audit.ts";
import {
  forgetMcpServer,
  insertMcpServer,
  listMcpPins,
  listMcpServers,
  saveMcpPin,
  type McpPin,
} from "../queries/mcp-pins.ts";
import { admitSkill, listAdmissions } from "../../../store/queries/skill-admissions.ts";
import type { Store } from "../../../store/open-store.ts";
import type { Database } from "../../../store/schema/database.ts";
import { raiseMcpVersion, readMcpVersion } from "../queries/mcp-version.ts";
import { hashDefinition, restoreDefinition, writeDefinition } from "./read-definition.ts";
import type { McpDefinition, McpServer } from "../servers/types.ts";

/**
 * The owner of pins: a server by its name and its origin. A free name that a skill takes belongs to another server.
 */
export type PinHolder = Pick<McpServer, "name" | "skill" | "foreign" | "project">;

/** A tool of a known server. Only what is trusted is offered and called. `holder` = as `nameHolder` writes it. */
export type PinnedTool = { readonly server: string; readonly holder: string; readonly tool: string } & (
  | { readonly state: "trusted"; readonly definition: McpDefinition; readonly hash: string }
  /** The server says something else now. `definition` is absent where the tool was never trusted. */
  | {
      readonly state: "quarantined";
      readonly definition?: McpDefinition;
      readonly pending: McpDefinition;
      readonly pendingHash: string;
    }
  /** The stored definition is damaged. */
  | { readonly state: "corrupt" }
);

export interface PinBook {
  /**
   * Reads what is known, and again what other processes have changed; before that every server is a stranger, and none
   * of a project is admitted.
   */
  refresh(): Promise<void>;
  /** The version of what was read last; it rises with each change of a pin, an admission or a login, in any process. */
  version(): number;
  /** false = it is in a project's file, and the owner has not approved this entry: nothing of it may run. */
  isAdmitted(server: PinHolder): boolean;
  isKnown(server: PinHolder): boolean;
  /** In the order in which the tools became trusted. */
  list(server?: PinHolder): readonly PinnedTool[];
  find(server: PinHolder, tool: string): PinnedTool | undefined;
  /**
   * Compares listed definitions with the pinned ones. The first list is trusted; later, new and changed definitions are
   * quarantined. Returns those that were quarantined just now.
   */
  see(server: PinHolder, definitions: readonly McpDefinition[]): Promise<readonly PinnedTool[]>;
  /**
   * Trusts the pending definitions with these hashes, or admits the server. Returns the tools, or the server's name.
   * `login` = of the console.
   */
  approve(server: PinHolder, hashes: readonly string[], by: string, login?: string): Promise<readonly string[]>;
  /** Definitions that are trusted only because they came first; none once the owner has decided about the server. */
  listUnseen(server: PinHolder): readonly McpDefinition[];
  /** The server is a stranger again. false = it was one. */
  forget(server: PinHolder, by: string): Promise<boolean>;
  /** Something about the server that people did, for the audit. */
  note(server: string, by: string, action: "mcp.login" | "mcp.logout"): Promise<void>;
}

/** The session column for admissions of a project's servers: real sessions have a colon in their names. */
const projectAdmissions = ".mcp.json";
/** Tools of one server, also those that it had once: names it makes up without end do not fill the store. */
const maxPins = 500;

/** The rows of the store when they were read. */
interface Known {
  readonly version: number;
  readonly servers: ReadonlySet<string>;
  /** The digest of the entry that the owner has approved, by server. */
  readonly admitted: ReadonlyMap<string, string>;
  readonly pins: ReadonlyMap<string, McpPin>;
}

interface Change {
  readonly actor: string;
  readonly action: string;
  readonly server: string;
  readonly login?: string;
}

/**
 * Remembers the definitions of tools. The only owner of their rows in the store. Whatever is decided is decided by the
 * rows as they are in that transaction: another process may have changed them.
 */
export function createPinBook(parts: {
  readonly store: Pick<Store, "main">;
  /** Other processes shall look. */
  readonly announce?: () => void;
  readonly clock: Clock;
}): PinBook {
  const { clock } = parts;
  const db = parts.store.main;
  let known: Known = { version: -1, servers: new Set(), admitted: new Map(), pins: new Map() };
  let last: Promise<unknown> = Promise.resolve();

  /** One after the other, so that what was read later stays. */
  function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const next = last.then(work, work);
    last = next.catch(() => undefined);
    return next;
  }

  const refresh = (): Promise<void> =>
    inTurn(async () => {
      if ((await readMcpVersion(db)) !== known.version) known = await readKnown(db);
    });

  function change<Result>(decide: (tx: Kysely<Database>, now: Known) => Promise<Result>): Promise<Result> {
    return inTurn(async () => {
      const [result, after] = await db.transaction().execute(async (tx) => {
        await raiseMcpVersion(tx);
        const decided = await decide(tx, await readKnown(tx));
        return [decided, await readKnown(tx)] as const;
      });
      known = after;
      parts.announce?.();
      return result;
    });
  }

  async function write(tx: Kysely<Database>, changed: readonly McpPin[], audit: Change): Promise<void> {
    const now = clock.now();
    await insertMcpServer(tx, audit.server, now);
    for (const pin of changed) await saveMcpPin(tx, pin);
    const tools = changed.map(({ tool, hash, pendingHash }) => ({ tool, hash: pendingHash ?? hash ?? "" }));
    const { login, server } = audit;
    const detail = { server, tools, ...(login !== undefined && { login }) };
    await appendAudit(tx, { actor: audit.actor, action: audit.action, detail, now });
  }

  /** `digest` = of the entry that the owner has approved; "" withdraws the approval. */
  async function admit(tx: Kysely<Database>, { name }: PinHolder, digest: string, by: string): Promise<void> {
    const now = clock.now();
    await admitSkill(tx, { session: projectAdmissions, skill: name, digest, person: by, now });
    const action = digest === "" ? "mcp.expelled" : "mcp.admitted";
    await appendAudit(tx, { actor: by, action, detail: { server: name, digest }, now });
  }

  function pinFirst(server: string, definitions: readonly McpDefinition[], { pins }: Known): readonly McpPin[] {
    const from = nextPlace(pins);
    return definitions.map((definition, index) => ({
      ...emptyPin(server, definition.name, clock.now()),
      place: from + index,
      definition: writeDefinition(definition),
      hash: hashDefinition(definition),
    }));
  }

  function compare(server: string, definitions: readonly McpDefinition[], { pins }: Known) {
    const put: McpPin[] = [];
    const back: McpPin[] = [];
    let room = maxPins - [...pins.values()].filter((pin) => pin.server === server).length;
    // Owners are notified once that a tool is blocked, not again when it changes further.
    const heldBefore = new Set<string>();
    for (const definition of definitions) {
      const hash = hashDefinition(definition);
      const before = pins.get(keyOf(server, definition.name));
      if (before === undefined && (room -= 1) < 0) continue;
      if (before !== undefined && before.pendingHash !== null) heldBefore.add(definition.name);
      const pin = before ?? emptyPin(server, definition.name, clock.now());
      const pending = writeDefinition(definition);
      if (pin.hash === hash) {
        // The definition is the trusted one again.
        if (pin.pendingHash !== null) back.push({ ...pin, pending: null, pendingHash: null, changedAt: clock.now() });
      } else if (pin.pendingHash !== hash) put.push({ ...pin, pending, pendingHash: hash, changedAt: clock.now() });
    }
    return { put, back, fresh: put.filter(({ tool }) => !heldBefore.has(tool)) };
  }

  const isAdmitted = ({ name, project }: PinHolder, { admitted } = known): boolean =>
    project === undefined || admitted.get(name) === project.digest;

  return {
    refresh,
    version: () => known.version,
    isAdmitted: (server) => isAdmitted(server),
    isKnown: (server) => known.servers.has(nameHolder(server)),
    list: (server) =>
      [...known.pins.values()]
        .filter((pin) => server === undefined || pin.server === nameHolder(server))
        .toSorted((a, b) => a.place - b.place || (a.tool < b.tool ? -1 : 1))
        .map(toPinnedTool),
    find(server, tool) {
      const pin = known.pins.get(keyOf(nameHolder(server), tool));
      return pin && toPinnedTool(pin);
    },
    async see(holder, definitions) {
      const server = nameHolder(holder);
      await refresh();
      if (known.servers.has(server)) {
        const { back, put } = compare(server, definitions, known);
        if (back.length + put.length === 0) return [];
      }
      return change(async (tx, now) => {
        if (!now.servers.has(server)) {
          await write(tx, pinFirst(server, definitions, now), { actor: "gateway", action: "mcp.pinned", server });
          return [];
        }
        const { back, fresh, put } = compare(server, definitions, now);
        if (back.length > 0) await write(tx, back, { actor: "gateway", action: "mcp.restored", server });
        if (put.length > 0) await write(tx, put, { actor: "gateway", action: "mcp.quarantined", server });
        return fresh.map(toPinnedTool);
      });
    },
    approve(holder, hashes, by, login) {
      const server = nameHolder(holder);
      return change(async (tx, now) => {
        if (!isAdmitted(holder, now)) {
          const { digest = "" } = holder.project ?? {};
          if (!hashes.includes(digest)) return [];
          await admit(tx, holder, digest, by);
          return [holder.name];
        }
        const meant = [...now.pins.values()].filter(
          (pin) => pin.server === server && pin.pendingHash !== null && hashes.includes(pin.pendingHash),
        );
        const from = nextPlace(now.pins);
        const trusted = meant.map((pin, index): McpPin => ({
          ...pin,
          place: pin.definition === null ? from + index : pin.place,
          definition: pin.pending,
          hash: pin.pendingHash,
          pending: null,
          pendingHash: null,
          approvedBy: by,
          changedAt: clock.now(),
        }));
        const audit = { actor: by, action: "mcp.approved", server, ...(login !== undefined && { login }) };
        if (trusted.length > 0) await write(tx, trusted, audit);
        return trusted.map(({ tool }) => tool);
      });
    },
    listUnseen(holder) {
      const own = [...known.pins.values()].filter((pin) => pin.server === nameHolder(holder));
      if (own.some(({ approvedBy }) => approvedBy !== null)) return [];
      return own
        .toSorted((a, b) => a.place - b.place)
        .map(toPinnedTool)
        .flatMap((pin) => (pin.state !== "corrupt" && pin.definition ? [pin.definition] : []));
    },
    forget(holder, by) {
      const server = nameHolder(holder);
      return change(async (tx, now) => {
        const gone = await forgetMcpServer(tx, server);
        if (gone) await appendAudit(tx, { actor: by, action: "mcp.removed", detail: { server }, now: clock.now() });
        const wasAdmitted = holder.project !== undefined && isAdmitted(holder, now);
        if (wasAdmitted) await admit(tx, holder, "", by);
        return gone || wasAdmitted;
      });
    },
    async note(server, by, action) {
      const now = clock.now();
      await db.transaction().execute((tx) => appendAudit(tx, { actor: by, action, detail: { server }, now }));
    },
  };
}

/** The same, loaded. */
export async function openPinBook(parts: Parameters<typeof createPinBook>[0]): Promise<PinBook> {
  const book = createPinBook(parts);
  await book.refresh();
  return book;
}

async function readKnown(db: Kysely<Database>): Promise<Known> {
  // First: what is changed in the meantime is then read again.
  const version = await readMcpVersion(db);
  const admissions = await listAdmissions(db, projectAdmissions);
  const pins = await listMcpPins(db);
  return {
    version,
    servers: new Set(await listMcpServers(db)),
    admitted: new Map(Object.entries(admissions)),
    pins: new Map(pins.map((pin) => [keyOf(pin.server, pin.tool), pin])),
  };
}

function nextPlace(pins: Known["pins"]): number {
  return Math.max(0, ...[...pins.values()].map((pin) => pin.place)) + 1;
}

/** In the store. No name of a server has a colon, so none can pose as another's. */
export function nameHolder({ name, skill, foreign, project }: PinHolder): string {
  if (project !== undefined) return `project:/${name}`;
  if (skill === undefined) return name;
  return `${foreign === true ? "installed" : "skill"}:${skill}/${name}`;
}

function keyOf(server: string, tool: string): string {
  return JSON.stringify([server, tool]);
}

function emptyPin(server: string, tool: string, now: number): McpPin {
  const none = { definition: null, hash: null, pending: null, pendingHash: null, approvedBy: null };
  return { server, tool, place: 0, ...none, changedAt: now };
}

function toPinnedTool({ server: holder, tool, definition, hash, pending, pendingHash }: McpPin): PinnedTool {
  const about = { server: holder.slice(holder.indexOf("/") + 1), holder, tool };
  const trusted = definition !== null && hash !== null ? restoreDefinition(definition, hash) : undefined;
  if (definition !== null && trusted?.name !== tool) return { ...about, state: "corrupt" };
  if (pending === null || pendingHash === null)
    return trusted && hash !== null
      ? { ...about, state: "trusted", definition: trusted, hash }
      : { ...about, state: "corrupt" };
  const wanted = restoreDefinition(pending, pendingHash);
  if (wanted?.name !== tool) return { ...about, state: "corrupt" };
  return {
    ...about,
    state: "quarantined",
    ...(trusted && { definition: trusted }),
    pending: wanted,
    pendingHash,
  };
}
