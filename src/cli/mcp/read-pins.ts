import { existsSync } from "node:fs";
import type { Configuration } from "../../config.ts";
import { systemClock } from "../../core/clock.ts";
import type { PinnedTool } from "../../mcp/pins/pin-book.ts";

/** What is known of the tools of the servers that are set up; `strangers` = servers that were never seen. */
export interface Pins {
  readonly pinned: readonly PinnedTool[];
  readonly strangers: readonly string[];
}

/** Reads the store beside whoever works on it; makes none, and starts no server. */
export async function readPins({ home, mcp, store: place }: Configuration): Promise<Pins> {
  const names = mcp.servers.map(({ name }) => name);
  const isNew = place.url === undefined && !existsSync(`${home}/kurisu.db`);
  if (names.length === 0 || isNew) return { pinned: [], strangers: names };
  const { openStore } = await import("../../store/open-store.ts");
  const { openPinBook } = await import("../../mcp/pins/pin-book.ts");
  const store = await openStore({ home, ...place });
  try {
    const book = await openPinBook({ store, clock: systemClock });
    return { pinned: book.list(), strangers: mcp.servers.filter((one) => !book.isKnown(one)).map(({ name }) => name) };
  } finally {
    await store.close();
  }
}
