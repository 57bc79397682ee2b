import { setTimeout as pause } from "node:timers/promises";
import type { Kysely } from "kysely";
import type { Logger } from "pino";
import type { Database } from "../../store/schema/database.ts";
import { listNodes } from "../../store/queries/nodes.ts";

/** A process that was silent for so long has lost its claims: they are void after 10 s. */
const silentMs = 15_000;
const lookEveryMs = 250;

/**
 * Whether no other process works on the database. The lock does not show this: when the database restarts, running
 * processes lose the lock and need some seconds to get it back. So every process that reported recently gets the time to
 * report once more.
 */
export async function standsAlone(db: Kysely<Database>, log: Pick<Logger, "warn">): Promise<boolean> {
  const before = await listNodes(db, silentMs);
  if (before.length === 0) return true;
  log.warn(
    { places: before.map(({ place }) => place) },
    "other processes worked on the database a moment ago; this start waits for a sign of life of them, 15 s at the most",
  );
  const seenAt = new Map(before.map((node) => [node.id, node.seenAt]));
  for (let nodes = before; nodes.length > 0; nodes = await listNodes(db, silentMs)) {
    if (nodes.some((node) => node.seenAt !== seenAt.get(node.id))) return false;
    await pause(lookEveryMs);
  }
  return true;
}
