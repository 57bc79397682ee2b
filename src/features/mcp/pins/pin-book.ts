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
  /** Reads what is known. Before that every server is a stranger, and none of a project is admitted. */
  load(): Promise<void>;
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

/** Remembers the definitions of tools. The only owner of their rows in the store. */
export function createPinBook(parts: { readonly store: Pick<Store, "main">; readonly clock: Clock }): PinBook {
  const { clock } = parts;
  const db = parts.store.main;
  const known = new Set<string>();
  const admitted = new Map<string, string>();
  const pins = new Map<string, McpPin>();

  const nextPlace = (): number => Math.max(0, ...[...pins.values()].map((pin) => pin.place)) + 1;

  async function write(
    changed: readonly McpPin[],
    audit: { readonly actor: string; readonly action: string; readonly server: string; readonly login?: string },
  ): Promise<void> {
    const now = clock.now();
    await db.transaction().execute(async (tx) => {
      await insertMcpServer(tx, audit.server, now);
      for (const pin of changed) await saveMcpPin(tx, pin);
      const tools = changed.map(({ tool, hash, pendingHash }) => ({ tool, hash: pendingHash ?? hash ?? "" }));
      const { login, server } = audit;
      const detail = { server, tools, ...(login !== undefined && { login }) };
      await appendAudit(tx, { actor: audit.actor, action: audit.action, detail, now });
    });
    known.add(audit.server);
    for (const pin of changed) pins.set(keyOf(pin.server, pin.tool), pin);
  }

  /** `digest` = of the entry that the owner has approved; "" withdraws the approval. */
  async function admit({ name }: PinHolder, digest: string, by: string): Promise<void> {
    const now = clock.now();
    await db.transaction().execute(async (tx) => {
      await admitSkill(tx, { session: projectAdmissions, skill: name, digest, person: by, now });
      const action = digest === "" ? "mcp.expelled" : "mcp.admitted";
      await appendAudit(tx, { actor: by, action, detail: { server: name, digest }, now });
    });
    admitted.set(name, digest);
  }

  async function pinFirst(server: string, definitions: readonly McpDefinition[]): Promise<void> {
    const from = nextPlace();
    const first = definitions.map((definition, index) => ({
      ...emptyPin(server, definition.name, clock.now()),
      place: from + index,
      definition: writeDefinition(definition),
      hash: hashDefinition(definition),
    }));
    await write(first, { actor: "gateway", action: "mcp.pinned", server });
  }

  async function compare(server: string, definitions: readonly McpDefinition[]): Promise<readonly PinnedTool[]> {
    const put: McpPin[] = [];
    const back: McpPin[] = [];
    let room = maxPins - [...pins.values()].filter((pin) => pin.server === server).length;
    // Owners are notified once that a tool is blocked, not again when it changes further.
    const heldBefore = new Set<string>();
    for (const definition of definitions) {
      const hash = hashDefinition(definition);
      const known = pins.get(keyOf(server, definition.name));
      if (known === undefined && (room -= 1) < 0) continue;
      if (known !== undefined && known.pendingHash !== null) heldBefore.add(definition.name);
      const pin = known ?? emptyPin(server, definition.name, clock.now());
      const pending = writeDefinition(definition);
      if (pin.hash === hash) {
        // The definition is the trusted one again.
        if (pin.pendingHash !== null) back.push({ ...pin, pending: null, pendingHash: null, changedAt: clock.now() });
      } else if (pin.pendingHash !== hash) put.push({ ...pin, pending, pendingHash: hash, changedAt: clock.now() });
    }
    if (back.length > 0) await write(back, { actor: "gateway", action: "mcp.restored", server });
    if (put.length > 0) await write(put, { actor: "gateway", action: "mcp.quarantined", server });
    return put.filter(({ tool }) => !heldBefore.has(tool)).map(toPinnedTool);
  }

  const isAdmitted = ({ name, project }: PinHolder): boolean =>
    project === undefined || admitted.get(name) === project.digest;

  return {
    async load() {
      for (const server of await listMcpServers(db)) known.add(server);
      for (const [name, digest] of Object.entries(await listAdmissions(db, projectAdmissions)))
        admitted.set(name, digest);
      for (const pin of await listMcpPins(db)) pins.set(keyOf(pin.server, pin.tool), pin);
    },
    isAdmitted,
    isKnown: (server) => known.has(nameHolder(server)),
    list: (server) =>
      [...pins.values()]
        .filter((pin) => server === undefined || pin.server === nameHolder(server))
        .toSorted((a, b) => a.place - b.place || (a.tool < b.tool ? -1 : 1))
        .map(toPinnedTool),
    find(server, tool) {
      const pin = pins.get(keyOf(nameHolder(server), tool));
      return pin && toPinnedTool(pin);
    },
    async see(holder, definitions) {
      const server = nameHolder(holder);
      if (known.has(server)) return compare(server, definitions);
      await pinFirst(server, definitions);
      return [];
    },
    async approve(holder, hashes, by, login) {
      const server = nameHolder(holder);
      if (!isAdmitted(holder)) {
        const { digest = "" } = holder.project ?? {};
        if (!hashes.includes(digest)) return [];
        await admit(holder, digest, by);
        return [holder.name];
      }
      const meant = [...pins.values()].filter(
        (pin) => pin.server === server && pin.pendingHash !== null && hashes.includes(pin.pendingHash),
      );
      const from = nextPlace();
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
      if (trusted.length > 0)
        await write(trusted, { actor: by, action: "mcp.approved", server, ...(login !== undefined && { login }) });
      return trusted.map(({ tool }) => tool);
    },
    listUnseen(holder) {
      const own = [...pins.values()].filter((pin) => pin.server === nameHolder(holder));
      if (own.some(({ approvedBy }) => approvedBy !== null)) return [];
      return own
        .toSorted((a, b) => a.place - b.place)
        .map(toPinnedTool)
        .flatMap((pin) => (pin.state !== "corrupt" && pin.definition ? [pin.definition] : []));
    },
    async forget(holder, by) {
      const server = nameHolder(holder);
      const now = clock.now();
      const was = await db.transaction().execute(async (tx) => {
        const gone = await forgetMcpServer(tx, server);
        if (gone) await appendAudit(tx, { actor: by, action: "mcp.removed", detail: { server }, now });
        return gone;
      });
      known.delete(server);
      for (const [key, pin] of pins) if (pin.server === server) pins.delete(key);
      const wasAdmitted = holder.project !== undefined && isAdmitted(holder);
      if (wasAdmitted) await admit(holder, "", by);
      return was || wasAdmitted;
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
  await book.load();
  return book;
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
