import type { Kysely } from "kysely";
import type { Clock } from "../../core/clock.ts";
import { consoleOwner } from "../../core/own-platforms.ts";
import { appendAudit } from "../../store/queries/audit.ts";
import type { Store } from "../../store/open-store.ts";
import type { Database } from "../../store/schema/database.ts";
import { forgetAudited } from "./forget-as-operator.ts";
import { findSources } from "./people/find-sources.ts";
import type { ForgetReceipt } from "./people/forget-memory.ts";
import { keepWords } from "./people/keep-words.ts";
import { findHistory, type MemoryHistory } from "./people/list-memories.ts";
import { pinMemory } from "./people/pin-memory.ts";
import { recallMemories } from "./people/recall-memories.ts";
import type { Remembered } from "./people/remember.ts";
import {
  findMemoryById,
  listMemoriesOf,
  listPersonasOf,
  listRememberedPeople,
  listReplaced,
  type RememberedPerson,
} from "./queries/listed-memories.ts";
import { appendMemoryEvents } from "./queries/memory-events.ts";
import type { MemorySource } from "./queries/memory-sources.ts";
import type { Memory } from "./queries/memories.ts";
import { supersedeMemory } from "./queries/write-memories.ts";
import { findMemoryScope, type MemoryScope } from "./scope.ts";

/** A memory with those that it took the place of, the newest first. */
export interface ListedMemory {
  readonly memory: Memory;
  readonly replaced: readonly Memory[];
}

export interface MemoryTrace extends MemoryHistory {
  /** Undefined when the message is not kept. */
  readonly source: MemorySource | undefined;
}

type Corrected =
  | { readonly kind: "corrected"; readonly id: number }
  | Extract<Remembered, { kind: "refused" }>
  | { readonly kind: "unknown" };

/** The one who acts on memories in the web console. */
export interface MemoryActor {
  /** The session of the browser. */
  readonly login: string;
  /** Undefined for an owner, who may act on all of them; else the account of a person, and all accounts of theirs. */
  readonly own?: { readonly account: string; readonly accounts: readonly string[] } | undefined;
}

/** The actions of the web console on memories: those of all people for an owner, their own for a member. */
export interface OwnerMemories {
  /** At most `max` of them, or the one of this account. */
  listPeople(asked: {
    readonly max: number;
    readonly person?: string | undefined;
  }): Promise<readonly RememberedPerson[]>;
  list(
    person: string,
    page: { readonly before?: number | undefined; readonly limit: number },
  ): Promise<readonly ListedMemory[]>;
  /** The best first. */
  search(person: string, words: string, limit: number): Promise<readonly ListedMemory[]>;
  /** Where it comes from, and what became of it. Undefined for a forgotten one, too. */
  trace(id: number, by: MemoryActor): Promise<MemoryTrace | undefined>;
  pin(id: number, pinned: boolean, by: MemoryActor): Promise<Memory | undefined>;
  /** The new words take the place of the old ones, which stay in the history. */
  correct(id: number, text: string, by: MemoryActor): Promise<Corrected>;
  /** As /forget NUMBER; its words leave the files of the database, too. */
  forget(id: number, by: MemoryActor): Promise<ForgetReceipt | undefined>;
}

export function createOwnerMemories({
  clock,
  scrub,
  store: { main, wipe },
}: {
  readonly store: Pick<Store, "main" | "wipe">;
  /** Takes known secrets out of a text. */
  readonly scrub: (text: string) => string;
  readonly clock: Clock;
}): OwnerMemories {
  const audit = (
    tx: Kysely<Database>,
    action: string,
    { id, person }: Pick<Memory, "id" | "person">,
    { login, own }: MemoryActor,
    detail: { readonly by?: number } = {},
  ) =>
    appendAudit(tx, {
      actor: own?.account ?? consoleOwner,
      action,
      detail: { person, memory: id, login, ...detail },
      now: clock.now(),
    });

  /** Undefined for a memory of another person, as for one that is not there. */
  async function find(db: Kysely<Database>, id: number, { own }: MemoryActor): Promise<Memory | undefined> {
    const memory = await findMemoryById(db, id);
    return memory === undefined || own === undefined || own.accounts.includes(memory.person) ? memory : undefined;
  }

  async function withReplaced(memories: readonly Memory[]): Promise<readonly ListedMemory[]> {
    const replaced = Map.groupBy(
      await listReplaced(
        main,
        memories.map(({ id }) => id),
      ),
      ({ supersededBy }) => supersededBy,
    );
    return memories.map((memory) => ({ memory, replaced: replaced.get(memory.id) ?? [] }));
  }

  return {
    listPeople: (asked) => listRememberedPeople(main, asked),
    list: async (person, page) => withReplaced(await listMemoriesOf(main, person, page)),
    async search(person, words, limit) {
      const found = [];
      for (const persona of await listPersonasOf(main, person)) {
        const scope = await findOwnScope(main, { person, name: "", persona });
        found.push(...(await recallMemories(main, scope, words, { limit, now: clock.now(), past: false })));
      }
      return withReplaced(found.toSorted((a, b) => b.score - a.score).slice(0, limit));
    },
    async trace(id, by) {
      const memory = await find(main, id, by);
      if (memory === undefined) return undefined;
      const scope = await findOwnScope(main, memory);
      const history = await findHistory(main, scope, id);
      return history && { ...history, source: (await findSources(main, scope, [memory])).get(id) };
    },
    pin: (id, pinned, by) =>
      main.transaction().execute(async (tx) => {
        const memory = await find(tx, id, by);
        if (memory === undefined) return undefined;
        const done = await pinMemory(tx, await findOwnScope(tx, memory), { id, pinned, now: clock.now() });
        if (done && memory.pinned !== pinned) await audit(tx, pinned ? "memory.pinned" : "memory.unpinned", memory, by);
        return done;
      }),
    correct: (id, text, by) =>
      main.transaction().execute(async (tx): Promise<Corrected> => {
        const memory = await find(tx, id, by);
        if (memory?.state !== "active") return { kind: "unknown" };
        const { category, pinned, place } = memory;
        // Only what was said in the same place is corrected there.
        const scope = place === "" ? await findOwnScope(tx, memory) : await findPlaceScope(tx, memory);
        const taint = by.own === undefined ? "owner" : "user";
        const fact = { category, content: text, pinned, taint, origin: "command", ends: [id] } as const;
        const kept = await keepWords(tx, scope, { ...fact, now: clock.now() }, scrub);
        if (kept.kind === "refused") return kept;
        // Another one says so already: it takes the place.
        if (kept.kind === "known" && kept.id !== id) {
          const now = clock.now();
          await supersedeMemory(tx, id, { id: kept.id, at: now });
          await appendMemoryEvents(tx, [
            { memory: id, kind: "superseded", person: memory.person, other: kept.id, at: now },
          ]);
        }
        await audit(tx, "memory.corrected", memory, by, { by: kept.id });
        return { kind: "corrected", id: kept.id };
      }),
    async forget(id, by) {
      const receipt = await main.transaction().execute(async (tx) => {
        const memory = await find(tx, id, by);
        if (memory === undefined) return undefined;
        const scope = await findOwnScope(tx, memory);
        const actor = by.own?.account ?? consoleOwner;
        return forgetAudited(tx, scope, id, { by: actor, login: by.login, now: clock.now() });
      });
      if (receipt) await wipe();
      return receipt;
    },
  };
}

type Told = Pick<Memory, "name" | "person" | "persona">;

/** All that this one account has told one persona. */
const findOwnScope = (db: Kysely<Database>, { name, person, persona }: Told): Promise<MemoryScope> =>
  findMemoryScope(db, { person: { id: person, name }, session: "", chatKind: "private", alone: true, persona });

const findPlaceScope = (db: Kysely<Database>, { name, person, persona, place }: Told & Pick<Memory, "place">) =>
  findMemoryScope(db, { person: { id: person, name }, session: place, chatKind: "group", persona });
