import type { Kysely } from "kysely";
import { findInSlots, type Memory } from "../../store/queries/memories.ts";
import type { Database } from "../../store/schema/database.ts";
import type { MemoryScope } from "../scope.ts";

/**
 * Without those that a newer one of the same human contradicts which was said in another place or on another account. They
 * stay true where the newer one may not be read.
 */
export async function dropShadowed(
  db: Kysely<Database>,
  scope: MemoryScope,
  memories: readonly Memory[],
): Promise<readonly Memory[]> {
  const slots = [...new Set(memories.flatMap(({ slot }) => slot ?? []))];
  if (slots.length === 0 || scope.place !== "") return memories;
  const newest = new Map<string, Memory>();
  for (const memory of await findInSlots(db, scope, slots)) {
    const slot = memory.slot ?? "";
    const known = newest.get(slot);
    if (known === undefined || memory.validFrom > known.validFrom) newest.set(slot, memory);
  }
  return memories.filter(({ id, slot }) => slot === null || (newest.get(slot)?.id ?? id) === id);
}
