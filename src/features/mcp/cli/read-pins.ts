import type { AllTables } from "../../../store/tables/tables.ts";
import { existsSync } from "node:fs";
import { systemClock } from "../../../core/clock.ts";
import type { McpServer } from "../servers/types.ts";
import type { McpCommandConfiguration } from "./mcp-command-context.ts";
import type { PinnedTool } from "../pins/pin-book.ts";

/** The known tools of the servers that are set up; `strangers` = servers that were never seen. */
export interface Pins {
  readonly pinned: readonly PinnedTool[];
  readonly strangers: readonly string[];
  /** Servers of .mcp.json that wait for the owner's approval. */
  readonly unapproved: readonly string[];
}

/** Reads the store while Kurisu may be running; creates none, and starts no server. */
export async function readPins(
  { home, mcp, store: place }: Pick<McpCommandConfiguration, "home" | "mcp" | "store">,
  tables: AllTables,
): Promise<Pins> {
  const names = mcp.servers.map(({ name }) => name);
  if (names.length === 0 || !isStoreThere({ home, store: place }))
    return { pinned: [], strangers: names, unapproved: listProjectServers({ mcp }) };
  const { openStore } = await import("../../../store/open-store.ts");
  const { openPinBook } = await import("../pins/pin-book.ts");
  const store = await openStore({ home, ...place }, tables);
  try {
    const book = await openPinBook({ store, clock: systemClock });
    const listNames = (want: (server: McpServer) => boolean) => mcp.servers.filter(want).map(({ name }) => name);
    return {
      pinned: book.list(),
      strangers: listNames((one) => !book.isKnown(one)),
      unapproved: listNames((one) => !book.isAdmitted(one)),
    };
  } finally {
    await store.close();
  }
}

/** To look at something must not create a database. */
export function isStoreThere({ home, store }: Pick<McpCommandConfiguration, "home" | "store">): boolean {
  return store.url !== undefined || existsSync(`${home}/kurisu.db`);
}

/** As long as no approval can be read, none of them has one. */
export function listProjectServers({ mcp }: Pick<McpCommandConfiguration, "mcp">): readonly string[] {
  return mcp.servers.flatMap(({ name, project }) => (project === undefined ? [] : [name]));
}
