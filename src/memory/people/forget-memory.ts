import type { Kysely } from "kysely";
import { dropFactSources } from "../../store/queries/fact-sources.ts";
import { findMemories, listPredecessors } from "../../store/queries/memories.ts";
import { appendMemoryEvents } from "../../store/queries/memory-events.ts";
import { eraseMemories } from "../../store/queries/write-memories.ts";
import type { Database } from "../../store/schema/database.ts";
import type { MemoryScope } from "../scope.ts";

/** How much went; the words are gone for good. */
export interface ForgetReceipt {
  readonly id: number;
  /** Its older versions among them. */
  readonly memories: number;
  readonly at: number;
}

/** One of the speaker's own, with what it had taken the place of; undefined = they have none of that id here. */
export async function forgetMemory(
  db: Kysely<Database>,
  scope: MemoryScope,
  id: number,
  now: number,
): Promise<ForgetReceipt | undefined> {
  return db.isTransaction ? forget(db) : db.transaction().execute((tx) => forget(tx));

  async function forget(tx: Kysely<Database>): Promise<ForgetReceipt | undefined> {
    const [memory] = await findMemories(tx, scope, [id]);
    if (memory === undefined || !scope.accounts.includes(memory.person)) return undefined;
    const ids = [id, ...(await listPredecessors(tx, id)).map((older) => older.id)];
    await eraseMemories(tx, ids);
    // Messages that a model has yet to read may say the same.
    await dropFactSources(tx, scope);
    await appendMemoryEvents(
      tx,
      ids.map((one) => ({ memory: one, kind: "forgotten", person: scope.account, other: null, at: now })),
    );
    return { id, memories: ids.length, at: now };
  }
}
