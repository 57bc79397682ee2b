import type { Kysely } from "kysely";
import { dropFactSources } from "../queries/fact-sources.ts";
import { findByWords, findMemories, listPredecessors, type Memory } from "../queries/memories.ts";
import { appendMemoryEvents } from "../queries/memory-events.ts";
import { eraseMemories } from "../queries/write-memories.ts";
import type { Database } from "../../../store/schema/database.ts";
import type { MemoryScope } from "../scope.ts";
import { listMemoryWords } from "../../../store/search/find-words.ts";

/** The number of rows erased; the words are gone for good. */
export interface ForgetReceipt {
  readonly id: number;
  /** Its older versions among them. */
  readonly memories: number;
  readonly at: number;
  /** Memories that stay, though their words are a part of the forgotten ones, or the other way round. */
  readonly stay: readonly Pick<Memory, "id" | "content">[];
}

/** The memories that go with one: itself first, then its older versions; undefined = the speaker has none of that id here. */
export async function listForgotten(
  db: Kysely<Database>,
  scope: MemoryScope,
  id: number,
): Promise<readonly [Memory, ...Memory[]] | undefined> {
  const [memory] = await findMemories(db, scope, [id]);
  if (memory === undefined || !scope.accounts.includes(memory.person)) return undefined;
  return [memory, ...(await listPredecessors(db, id))];
}

const maxCompared = 50;

/** Erases one of the speaker's own memories and those it had replaced; undefined if they have none of that id here. */
export async function forgetMemory(
  db: Kysely<Database>,
  scope: MemoryScope,
  id: number,
  now: number,
): Promise<ForgetReceipt | undefined> {
  return db.isTransaction ? forget(db) : db.transaction().execute((tx) => forget(tx));

  async function forget(tx: Kysely<Database>): Promise<ForgetReceipt | undefined> {
    const gone = await listForgotten(tx, scope, id);
    if (gone === undefined) return undefined;
    const ids = gone.map((one) => one.id);
    const stay = (await listSharing(tx, gone[0])).filter((one) => !ids.includes(one.id));
    await eraseMemories(tx, ids);
    // Messages that a model has yet to read may say the same.
    await dropFactSources(tx, scope);
    await appendMemoryEvents(
      tx,
      ids.map((one) => ({ memory: one, kind: "forgotten", person: scope.account, other: null, at: now })),
    );
    return { id, memories: ids.length, at: now, stay };
  }

  async function listSharing(tx: Kysely<Database>, { content, value }: Memory): Promise<readonly Memory[]> {
    const hits = await findByWords(tx, scope, listMemoryWords({ content, value: value ?? undefined }));
    const ids = [...new Set(hits.map(({ memory }) => memory))].slice(0, maxCompared);
    return (await findMemories(tx, scope, ids)).filter(
      (one) =>
        one.state === "active" &&
        scope.accounts.includes(one.person) &&
        (content.includes(one.content) || one.content.includes(content)),
    );
  }
}
