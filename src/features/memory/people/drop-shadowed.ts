import type { Kysely } from "kysely";
import { findInSlots, type Memory } from "../queries/memories.ts";
import type { Database } from "../../../store/schema/database.ts";
import type { MemoryScope } from "../scope.ts";

/**
 * Without those that a newer one of the same human contradicts. In private that may have been said in another place or on
 * another account; the older stays true where the newer may not be read.
 */
export async function dropShadowed(
  db: Kysely<Database>,
  scope: MemoryScope,
  memories: readonly Memory[],
): Promise<readonly Memory[]> {
  const slots = [...new Set(memories.flatMap(({ slot }) => slot ?? []))];
  if (slots.length === 0) return memories;
  // In private all accounts belong to one human; in a group each person has a home of their own.
  const toKey = ({ person, slot }: Memory) => (scope.place === "" ? slot : `${person} ${slot}`);
  const people = scope.place === "" ? undefined : [...new Set(memories.map(({ person }) => person))];
  const newest = new Map<string | null, Memory>();
  for (const memory of await findInSlots(db, scope, slots, people)) {
    const known = newest.get(toKey(memory));
    if (known === undefined || memory.validFrom > known.validFrom) newest.set(toKey(memory), memory);
  }
  return memories.filter((memory) => {
    const latest = memory.slot === null ? undefined : newest.get(toKey(memory));
    return latest === undefined || latest.id === memory.id || isSameValue(latest, memory);
  });
}

/** Two texts with the same value contradict nothing: each says something that the other does not. */
function isSameValue({ value }: Memory, other: Memory): boolean {
  return value !== null && value === other.value;
}
