import type { Kysely } from "kysely";
import type { Memory } from "../queries/memories.ts";
import { readSources, type MemorySource } from "../queries/memory-sources.ts";
import type { Database } from "../../../store/schema/database.ts";
import type { MemoryScope } from "../scope.ts";

/** The messages that these memories are from, by the id of the memory: of each its speaker's own, and in a group only from there. */
export async function findSources(
  db: Kysely<Database>,
  { place }: MemoryScope,
  memories: readonly Memory[],
): Promise<ReadonlyMap<number, MemorySource>> {
  const found = await readSources(
    db,
    memories.flatMap(({ sourceLog }) => sourceLog ?? []),
  );
  return new Map(
    memories.flatMap(({ id, person, sourceLog }): [number, MemorySource][] => {
      const source = found.get(sourceLog ?? -1);
      if (source === undefined || source.person !== person) return [];
      return place === "" || source.session === place ? [[id, source]] : [];
    }),
  );
}
