// full: compares whole worlds with one another
import type { Kysely } from "kysely";
import { describe, expect, it } from "vitest";
import { createRecollect } from "../../../src/features/memory/recollect.ts";
import type { TurnInput } from "../../../src/kernel/agent/types.ts";
import { findReadableChats } from "../../../src/features/chatlog/log-scope.ts";
import { listTopics } from "../../../src/features/chatlog/list-topics.ts";
import { rankLog } from "../../../src/features/chatlog/rank-log.ts";
import { listMemories } from "../../../src/features/memory/people/list-memories.ts";
import { readProfile } from "../../../src/features/memory/people/read-profile.ts";
import { recallMemories } from "../../../src/features/memory/people/recall-memories.ts";
import { findMemoryScope, type MemoryScope } from "../../../src/features/memory/scope.ts";
import { findPerson } from "../../../src/kernel/gate/find-person.ts";
import { readLogMessages } from "../../../src/features/chatlog/queries/chat-log.ts";
import { listMessagesOf, listLogSenders, measureLog } from "../../../src/features/chatlog/queries/chat-log-people.ts";
import { countLog, searchLog } from "../../../src/features/chatlog/queries/chat-log-search.ts";
import type { Database } from "../../../src/store/schema/database.ts";
import { createDice, createLeakWorld, type Asking, type LeakWorld, type Secret } from "../../support/leak-world.ts";
import { listEngines } from "../../support/store-engines.ts";
import { createTestStore } from "../../support/test-store.ts";

/** The source of the two scopes; a broken one shows that the worlds find it. */
interface Scopes {
  readonly memory: (db: Kysely<Database>, asking: Asking) => Promise<MemoryScope>;
  readonly log: (db: Kysely<Database>, asking: Asking) => Promise<readonly number[]>;
}

const real: Scopes = {
  memory: (db, { account: id, chatKind, persona, session }) =>
    findMemoryScope(db, { person: { id, name: id }, session, chatKind, persona }),
  async log(db, { account, chatKind, role, session }) {
    const { acting } = await findPerson(db, account);
    return findReadableChats(db, { person: account, accounts: acting, role, session, chatKind, spokenSince: 0 });
  },
};

const listAllChats = async (db: Kysely<Database>): Promise<readonly number[]> =>
  (await db.selectFrom("log_chats").select("id").execute()).map(({ id }) => id);

/** Each of these makes one mistake that somebody could make. */
const mutations: readonly { readonly name: string; readonly scopes: (world: LeakWorld) => Scopes }[] = [
  {
    name: "a group is asked as if it were private",
    scopes: () => ({ ...real, memory: (db, asking) => real.memory(db, { ...asking, chatKind: "private" }) }),
  },
  {
    name: "everybody's accounts are the asker's",
    scopes: ({ humans }) => ({
      ...real,
      memory: async (db, asking) => ({ ...(await real.memory(db, asking)), accounts: humans.flat() }),
    }),
  },
  {
    name: "the other persona answers",
    scopes: () => ({
      ...real,
      memory: async (db, asking) => ({ ...(await real.memory(db, asking)), persona: "amadeus" }),
    }),
  },
  {
    name: "what one group said is read in every group",
    scopes: () => ({
      ...real,
      memory: (db, asking) =>
        real.memory(db, { ...asking, session: asking.chatKind === "group" ? "fake:bot:lab" : asking.session }),
    }),
  },
  { name: "the log has no scope", scopes: () => ({ ...real, log: (db) => listAllChats(db) }) },
  {
    name: "a group reads what the asker may read in private",
    scopes: () => ({ ...real, log: (db, asking) => real.log(db, { ...asking, chatKind: "private" }) }),
  },
  {
    name: "guests read along",
    scopes: () => ({ ...real, log: (db, asking) => real.log(db, { ...asking, role: "member" }) }),
  },
];

const asked = ["咖啡", "我住在哪", "猫", "lab work", "过敏", "搬家", "旅行", "喜欢 喝"] as const;
const full = process.env["KURISU_TEST_FULL"] === "1";
const now = 10_000_000_000;

/** One question by one of the product's own ways. Answers all that came back. */
async function answer(
  db: Kysely<Database>,
  { log, memory }: Scopes,
  asking: Asking,
  dice: (most: number) => number,
  words: readonly string[],
) {
  const words2 = [asked[dice(asked.length)] ?? "", words[dice(words.length)] ?? ""];
  const text = words2.join(" ");
  const way = dice(100);
  if (way < 22) return recallMemories(db, await memory(db, asking), text, { limit: 20, now });
  if (way < 40)
    return listMemories(db, await memory(db, asking), { limit: 50, ...(dice(3) === 0 && { at: dice(2_000) }) });
  if (way < 45) return readProfile(db, await memory(db, asking));
  const chats = await log(db, asking);
  if (way < 65) return searchLog(db, { chats, any: words2, limit: 20 });
  if (way < 72) return searchLog(db, { chats, all: [asked[dice(asked.length)] ?? ""], limit: 20 });
  if (way < 88)
    return readLogMessages(db, chats, [1 + dice(2_000), 1 + dice(2_000)], { before: dice(4), after: dice(4) });
  if (way < 92) return countLog(db, { chats, any: [words2[1] ?? ""] });
  if (way < 96) {
    const senders = (await listLogSenders(db, chats)).map(({ id }) => id);
    return [await measureLog(db, { chats, senders }), await listMessagesOf(db, { chats, senders, limit: 10, to: now })];
  }
  if (way < 97) return listTopics({ db, chats }, 10);
  return rankLog(db, chats, text, { limit: 10, now, zone: "UTC" });
}

async function findLeaks(
  db: Kysely<Database>,
  world: LeakWorld,
  scopes: Scopes,
  { count, seed }: { readonly count: number; readonly seed: number },
) {
  const dice = createDice(seed);
  const words = [...world.secrets.keys()];
  const leaks: string[] = [];
  let told = 0;
  for (let at = 0; at < count; at += 1) {
    const asking = world.ask(dice);
    const found = await answer(db, scopes, asking, dice, words);
    // A number is no word, but a word that is counted where it may not be known is one.
    if (typeof found === "number") continue;
    for (const [word] of JSON.stringify(found).matchAll(/zq\d+x\d+/g)) {
      const secret = world.secrets.get(word);
      told += 1;
      if (secret && !world.mayKnow(asking, secret)) leaks.push(`${JSON.stringify(asking)} ${JSON.stringify(secret)}`);
    }
  }
  return { leaks, told };
}

describe.each(listEngines())("generated worlds of people on %s", (engine) => {
  const isSqlite = engine === "sqlite";
  const size = isSqlite ? 320 : 200;
  const count = isSqlite ? (full ? 10_000 : 2_500) : 600;

  it(`leak nothing in ${count} questions, and the unasked block nothing either`, async () => {
    const { main } = await createTestStore(engine);
    const world = await createLeakWorld(main, 7, size);
    const { leaks, told } = await findLeaks(main, world, real, { count, seed: 11 });
    expect(leaks).toEqual([]);
    expect(told).toBeGreaterThan(1.5 * count);

    const dice = createDice(5);
    let isAnything = 0;
    for (let at = 0; at < 200; at += 1) {
      const { account: id, persona, ...asking } = world.ask(dice);
      const recollect = createRecollect({ db: main, personaOf: () => persona, budget: () => 2_000, now: () => now });
      const person = { id, name: id, role: asking.role } as const;
      const input = {
        ...asking,
        person,
        text: asked[dice(asked.length)] ?? "",
        language: "zh",
      } as unknown as TurnInput;
      const block = await recollect(input, "untrusted");
      for (const [word] of block.matchAll(/zq\d+x\d+/g)) {
        const secret = world.secrets.get(word);
        isAnything += 1;
        expect(secret && world.mayKnow({ ...asking, account: id, persona }, secret), `in ${block}`).toBe(true);
      }
    }
    expect(isAnything).toBeGreaterThan(50);
  });
});

describe("a generated world of people", () => {
  it("finds each broken scope", async () => {
    const { main } = await createTestStore("sqlite");
    const world = await createLeakWorld(main, 8, 200);
    for (const { name, scopes } of mutations) {
      const { leaks } = await findLeaks(main, world, scopes(world), { count: 150, seed: 12 });
      expect(leaks.length, `broken: ${name}`).toBeGreaterThan(0);
    }
    // One that was forgotten, and came back.
    const [word, { account, group, persona }] = [...world.secrets].find(([, secret]) => secret.isForgotten) as [
      string,
      Secret,
    ];
    await main
      .updateTable("memories")
      .set({ state: "active", content: `我喜欢喝咖啡 ${word}` })
      .where("state", "=", "forgotten")
      .where("person", "=", account)
      .where("place", "=", group)
      .where("persona", "=", persona)
      .execute();
    expect((await findLeaks(main, world, real, { count: 600, seed: 13 })).leaks.length).toBeGreaterThan(0);
  });
});
