import type { Kysely } from "kysely";
import type { FactCategory } from "../../../language/facts/plain-fact.ts";
import { findMemories, listActive, listPredecessors, listValidAt, type Memory } from "../queries/memories.ts";
import { listMemoryEvents, type MemoryEvent } from "../queries/memory-events.ts";
import type { Database } from "../../../store/schema/database.ts";
import { mayRead, type MemoryScope } from "../scope.ts";
import { dropShadowed } from "./drop-shadowed.ts";

interface Wanted {
  readonly category?: FactCategory | undefined;
  readonly limit: number;
  /** The moment that is asked about, instead of now. */
  readonly at?: number;
  /** Only what this person's own accounts said; if left out, in a group also what its other members said there. */
  readonly own?: boolean;
}

/** The newest first, of what this scope may read. */
export async function listMemories(
  db: Kysely<Database>,
  scope: MemoryScope,
  { at, category, limit, own = false }: Wanted,
): Promise<readonly Memory[]> {
  if (at !== undefined) {
    const then = await listValidAt(db, scope, at, limit);
    return category === undefined ? then : then.filter((memory) => memory.category === category);
  }
  const found = await listActive(db, scope, {
    category,
    most: scope.place === "" ? limit * 2 : limit,
    ...(own && { person: scope.account }),
  });
  return (await dropShadowed(db, scope, found)).slice(0, limit);
}

export interface MemoryHistory {
  readonly memory: Memory;
  /** Oldest first. */
  readonly events: readonly MemoryEvent[];
  /** Its older versions, the newest first. */
  readonly before: readonly Memory[];
}

/** The history of a memory; undefined if this scope may not read one of that id. */
export async function findHistory(
  db: Kysely<Database>,
  scope: MemoryScope,
  id: number,
): Promise<MemoryHistory | undefined> {
  const [memory] = await findMemories(db, scope, [id]);
  if (memory === undefined) return undefined;
  const before = (await listPredecessors(db, id)).filter((older) => mayRead(scope, older));
  return { memory, events: await listMemoryEvents(db, id), before };
}
