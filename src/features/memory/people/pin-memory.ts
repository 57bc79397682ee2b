import type { Kysely } from "kysely";
import { findMemories, type Memory } from "../queries/memories.ts";
import { appendMemoryEvents } from "../queries/memory-events.ts";
import { confirmMemory } from "../queries/write-memories.ts";
import type { Database } from "../../../store/schema/database.ts";
import type { MemoryScope } from "../scope.ts";

/**
 * Pins one of the speaker's own memories so that it stays fresh and at hand, or unpins it; undefined if they have no
 * active one of that id here.
 */
export async function pinMemory(
  db: Kysely<Database>,
  scope: MemoryScope,
  { id, now, pinned }: { readonly id: number; readonly pinned: boolean; readonly now: number },
): Promise<Memory | undefined> {
  return db.isTransaction ? pin(db) : db.transaction().execute(pin);

  async function pin(tx: Kysely<Database>): Promise<Memory | undefined> {
    const [memory] = await findMemories(tx, scope, [id]);
    if (memory?.state !== "active" || !scope.accounts.includes(memory.person)) return undefined;
    if (memory.pinned === pinned) return memory;
    await confirmMemory(tx, id, { pinned });
    const kind = pinned ? "pinned" : "unpinned";
    await appendMemoryEvents(tx, [{ memory: id, kind, person: scope.account, other: null, at: now }]);
    return { ...memory, pinned };
  }
}
