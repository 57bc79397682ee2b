import { setImmediate } from "node:timers/promises";
import type { Kysely } from "kysely";
import type { Store } from "../../store/open-store.ts";
import {
  emptyInbox,
  eraseAuditTexts,
  erasePassiveReplies,
  eraseRepliesInLog,
  forgetUsage,
  resetChats,
} from "./queries/erase-rows.ts";
import {
  emptyMessages,
  emptyOutcomes,
  emptyTurns,
  eraseRemarks,
  eraseSummaries,
  findLastId,
  findLongResults,
  findTurns,
} from "./queries/erase-talk.ts";
import { deleteRows, emptyRows, type PersonKeys } from "./queries/find-rows.ts";
import type { ErasedKind, TableName } from "../../store/tables/person-table.ts";
import { listTags, type NamedHuman } from "./queries/read-texts.ts";
import type { Database } from "../../store/schema/database.ts";

/** The forgotten person, as it was when they asked: links go in the end, and another try must know them. */
export interface ErasedPerson extends NamedHuman {
  /** Private chats that are theirs alone, and imports that only they may read. */
  readonly chats: readonly string[];
  readonly imports: readonly number[];
  /** Milliseconds since 1970: turns that began later are no part of it. */
  readonly before: number;
}

export type ErasedCounts = Readonly<Partial<Record<ErasedKind, number>>>;

/** Rows of one transaction: enough to be worth its commit, few enough not to delay other writers. */
const slice = 200;
const looked = 2_000;

/**
 * Erases a human in slices. Each may be repeated: after a crash the same call continues, and finds what is left. `note`
 * is called in the transaction of a slice, so that each row is counted once.
 */
export async function erasePerson(
  store: Pick<Store, "engine" | "main" | "personTables" | "turnCheckpoints">,
  person: ErasedPerson,
  parts: {
    readonly note: (tx: Kysely<Database>, kind: ErasedKind, count: number) => Promise<void>;
    /** The day whose usage still counts for limits, `2026-11-23`. */
    readonly today: string;
    readonly now: () => number;
    readonly signal: AbortSignal;
    /** Files with the long part of a result, in the workspaces of others too: whether one holds a text, and without its words. */
    readonly results: {
      holds(session: string, path: string, texts: readonly string[]): Promise<boolean>;
      empty(session: string, path: string): Promise<void>;
    };
  },
): Promise<void> {
  const { accounts, before, chats, humans, imports } = person;
  const human: NamedHuman = person;

  async function inSlice(kind: ErasedKind, work: (tx: Kysely<Database>) => Promise<number>): Promise<number> {
    parts.signal.throwIfAborted();
    const count = await store.main.transaction().execute(async (tx) => {
      const done = await work(tx);
      if (done > 0) await parts.note(tx, kind, done);
      return done;
    });
    // Others have their turn between two slices.
    await setImmediate();
    return count;
  }

  async function untilNone(kind: ErasedKind, work: (tx: Kysely<Database>) => Promise<number>): Promise<void> {
    while ((await inSlice(kind, work)) > 0);
  }

  async function eraseTables(keys: PersonKeys, only?: readonly TableName[]): Promise<void> {
    for (const table of only ?? (Object.keys(store.personTables) as TableName[])) {
      const { erased } = store.personTables[table];
      if (erased.how === "deleted")
        await untilNone(erased.kind, (tx) => deleteRows(tx, store, { table, keys, most: slice }));
      else if (erased.how === "emptied")
        await inSlice(erased.kind, (tx) => emptyRows(tx, store, { table, keys, set: erased.set }));
    }
  }

  async function eraseTurns(turns: readonly string[]): Promise<void> {
    const questions = await store.main.selectFrom("questions").select("id").where("turn", "in", turns).execute();
    const keys = { turns, questions: questions.map(({ id }) => id) };
    for (const turn of turns) await store.turnCheckpoints.remove(turn);
    await eraseTables(keys);
    await untilNone("traces", (tx) => eraseAuditTexts(tx, { turns }, { most: slice, now: parts.now() }));
    await inSlice("talk", (tx) => eraseRepliesInLog(tx, turns));
    // Before the messages: they name the files.
    for (const { paths, session } of await findLongResults(store.main, { turns }))
      for (const path of paths) await parts.results.empty(session, path);
    await inSlice("talk", (tx) => emptyTurns(tx, human, turns, chats));
    await inSlice("talk", async (tx) => {
      const { numDeletedRows } = await tx.deleteFrom("turns").where("id", "in", turns).executeTakeFirst();
      return Number(numDeletedRows);
    });
  }

  async function findResults(range: { readonly after: number; readonly upTo: number }) {
    const tags = listTags(human);
    const found = [];
    for (const result of await findLongResults(store.main, range))
      for (const path of result.paths)
        if (await parts.results.holds(result.session, path, tags)) found.push({ ...result, paths: [path] });
    return found;
  }

  for (let after: string | undefined = ""; after !== undefined;) {
    const found = await findTurns(store.main, human, { after, before, most: slice });
    if (found.turns.length > 0) await eraseTurns(found.turns);
    after = found.next;
    await setImmediate();
    parts.signal.throwIfAborted();
  }
  for (const [table, kind, work] of [
    ["messages", "talk", emptyMessages],
    ["remarks", "summaries", eraseRemarks],
  ] as const) {
    const last = await findLastId(store.main, table);
    for (let after = 0; after < last; after += looked) {
      const range = { after, upTo: after + looked };
      const results = table === "messages" ? await findResults(range) : [];
      await inSlice(kind, (tx) => work(tx, human, { ...range, results: results.map(({ id }) => id) }));
      for (const { paths, session } of results) for (const path of paths) await parts.results.empty(session, path);
    }
  }
  await inSlice("traces", (tx) => emptyOutcomes(tx, human));
  await untilNone("summaries", (tx) => eraseSummaries(tx, human, slice));
  for (const table of ["remark_terms", "remarks", "summaries", "log_messages", "messages"] as const)
    await untilNone(table === "messages" || table === "log_messages" ? "talk" : "summaries", (tx) =>
      deleteRows(tx, store, { table, keys: { chats, imports }, most: slice }),
    );
  // By the rows of the inbox that they answer, which know whose they are until they are emptied.
  await eraseTables({ accounts, humans, chats }, ["outbox", "steered_messages"]);
  for (let after: number | undefined = 0; after !== undefined;) {
    const seen: number = after;
    let next: number | undefined;
    await inSlice("talk", async (tx) => {
      const done = await emptyInbox(tx, human, { after: seen, chats, most: slice });
      next = done.next;
      return done.count;
    });
    after = next;
  }
  await untilNone("traces", (tx) => eraseAuditTexts(tx, { accounts, chats }, { most: slice, now: parts.now() }));
  await inSlice("traces", (tx) => erasePassiveReplies(tx, chats));
  await inSlice("traces", (tx) => forgetUsage(tx, accounts, chats, parts.today));
  await inSlice("settings", async (tx) => {
    await resetChats(tx, chats);
    return 0;
  });
  await eraseTables({ accounts, humans, chats, imports });
}
