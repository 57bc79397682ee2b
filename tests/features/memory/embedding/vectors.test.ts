import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { toUnit } from "../../../../src/features/memory/embedding/embedder.ts";
import { findSqliteVec } from "../../../../src/store/engines/find-sqlite-vec.ts";
import type { Store } from "../../../../src/store/open-store.ts";
import { addLogChat, appendToLog } from "../../../../src/features/chatlog/queries/append-to-log.ts";
import { insertMemory } from "../../../../src/features/memory/queries/write-memories.ts";
import {
  findNearestInLog,
  findNearestMemories,
  findVectorEngine,
  type VectorEngine,
} from "../../../../src/features/memory/queries/nearest-vectors.ts";
import { findNewestBut, listUnread, saveVectors } from "../../../../src/features/memory/queries/vectors.ts";
import { tellLeftOut } from "../../../support/left-out.ts";
import { listEngines, createStorePlace, type EngineName } from "../../../support/store-engines.ts";
import { createTestStore, openTestStore } from "../../../support/test-store.ts";
import { readPart } from "../../../support/tiers.ts";

const now = Date.UTC(2026, 10, 23);
const model = "test:one";

interface Place {
  readonly engine: EngineName;
  readonly vectors: VectorEngine;
  readonly open: () => Promise<Store>;
}

async function openWithPgvector(): Promise<Store> {
  const store = await createTestStore("postgres");
  await sql`create extension vector`.execute(store.main);
  return store;
}

async function hasPgvector(): Promise<boolean> {
  if (!listEngines().includes("postgres")) return false;
  const { Client } = await import("pg");
  const { inject } = await import("vitest");
  const client = new Client({ connectionString: inject("postgresUrl") });
  await client.connect();
  const { rows } = await client.query("select 1 from pg_available_extensions where name = 'vector'");
  await client.end();
  return rows.length > 0;
}

const places: Place[] = listEngines().map((engine) => ({
  engine,
  vectors: "loop",
  open: () => createTestStore(engine),
}));
if ((await findSqliteVec()) !== undefined)
  places.push({
    engine: "sqlite",
    vectors: "sqlite-vec",
    open: async () => openTestStore({ ...(await createStorePlace("sqlite")), vectors: true }),
  });
else tellLeftOut("vectors compared by sqlite-vec", "it is not installed, run `npm ci`");
if (await hasPgvector()) places.push({ engine: "postgres", vectors: "pgvector", open: openWithPgvector });
else if (readPart() !== "quick")
  tellLeftOut("vectors compared by pgvector", "there is no PostgreSQL with it, apt install postgresql-17-pgvector");

/** The same numbers on every engine. */
function makeVector(seed: number, length = 8): Float32Array {
  return toUnit(Array.from({ length }, (_, at) => Math.sin(seed * 12.9898 + at * 78.233) * 3));
}

async function addMessages(store: Store, texts: readonly string[]): Promise<number> {
  return store.main.transaction().execute(async (tx) => {
    const chat = await addLogChat(tx, { name: "talk", kind: "import", readers: ["owners"], now });
    const entries = texts.map((text, index) => {
      const sender = { person: "", name: "n" };
      return {
        chat,
        sender,
        role: "person" as const,
        text,
        taint: "untrusted" as const,
        key: `${index}`,
        saidAt: now + index,
      };
    });
    await appendToLog(tx, entries);
    return chat;
  });
}

/** Gives each unread message a vector of its number. */
async function readAll(store: Store, by = model): Promise<void> {
  const unread = await listUnread(store.main, "log", by, { after: 0, limit: 2_000 });
  for (let from = 0; from < unread.length; from += 100) {
    const some = unread.slice(from, from + 100);
    await saveVectors(
      store.main,
      "log",
      by,
      some.map((one) => ({ ...one, vector: makeVector(one.item) })),
    );
  }
}

describe.each(places)("vectors on $engine by $vectors", ({ open, vectors: expected }) => {
  it("the nearest are found, of the chats that are asked and the model that read them, and of no others", async () => {
    const store = await open();
    const db = store.main;
    const engine = await findVectorEngine(db);
    expect(engine).toBe(expected);
    const chat = await addMessages(
      store,
      Array.from({ length: 1_100 }, (_, index) => `message ${index}`),
    );
    const other = await addMessages(store, ["elsewhere 1", "elsewhere 2"]);
    expect(await findNewestBut(db, "log", 100)).toBe(1_002);
    await readAll(store);
    const vector = makeVector(700.25);
    const sought = { model, vector, limit: 7 };
    const truth = Array.from({ length: 1_100 }, (_, index) => index + 1)
      .map((item) => ({ item, nearness: makeVector(item).reduce((sum, one, at) => sum + one * (vector[at] ?? 0), 0) }))
      .toSorted((a, b) => b.nearness - a.nearness)
      .slice(0, 7);
    const found = await findNearestInLog(db, engine, [chat], sought);
    expect(found.map(({ item }) => item)).toEqual(truth.map(({ item }) => item));
    for (const [at, { nearness }] of found.entries()) expect(nearness).toBeCloseTo(truth[at]?.nearness ?? 0, 4);

    expect(
      (await findNearestInLog(db, engine, [other], sought)).map(({ item }) => item).toSorted((a, b) => a - b),
    ).toEqual([1_101, 1_102]);
    expect(await findNearestInLog(db, engine, [], sought)).toEqual([]);
    expect(await findNearestInLog(db, engine, [chat + 999], sought)).toEqual([]);
    // Another model, and the same one with vectors of another length
    expect(await findNearestInLog(db, engine, [chat], { ...sought, model: "test:two" })).toEqual([]);
    expect(await findNearestInLog(db, engine, [chat], { ...sought, vector: makeVector(1, 9) })).toEqual([]);
    // After a change of model every text is unread again, and what was read by the new one is no longer the old one's.
    const unread = await listUnread(db, "log", "test:two", { after: 0, limit: 2 });
    expect(unread.map(({ item }) => item)).toEqual([1_102, 1_101]);
    await saveVectors(
      db,
      "log",
      "test:two",
      unread.map((one) => ({ ...one, vector: makeVector(one.item) })),
    );
    expect(await findNearestInLog(db, engine, [other], sought)).toEqual([]);
    expect(await findNearestInLog(db, engine, [other], { ...sought, model: "test:two" })).toHaveLength(2);
  });

  it("a vector goes with its text: taken back, changed, forgotten, or gone while the model read it", async () => {
    const store = await open();
    const db = store.main;
    const engine = await findVectorEngine(db);
    const chat = await addMessages(store, ["one", "two", "three", "four"]);
    await readAll(store);
    const find = async () =>
      (await findNearestInLog(db, engine, [chat], { model, vector: makeVector(1), limit: 9 }))
        .map(({ item }) => item)
        .toSorted((a, b) => a - b);
    expect(await find()).toEqual([1, 2, 3, 4]);
    await db.deleteFrom("log_messages").where("id", "=", 1).execute();
    await sql`update log_messages set text = 'changed' where id = 2`.execute(db);
    expect(await find()).toEqual([3, 4]);
    const unread = await listUnread(db, "log", model, { after: 0, limit: 9 });
    expect(unread).toEqual([{ item: 2, chat, text: "changed" }]);
    await saveVectors(db, "log", model, [
      { item: 1, chat, text: "one", vector: makeVector(1) },
      { item: 2, chat, text: "two", vector: makeVector(2) },
    ]);
    expect(await find()).toEqual([3, 4]);

    const add = (person: string, place: string, content: string) =>
      insertMemory(db, {
        person,
        name: person,
        place,
        persona: "kurisu",
        category: "fact",
        slot: null,
        value: null,
        content,
        importance: 0.5,
        confidence: 1,
        pinned: false,
        taint: "user",
        sources: [],
        origin: "said",
        sourceLog: null,
        validFrom: now,
        words: ["x"],
        now,
      });
    const ids = [
      await add("telegram:1", "", "mine in private"),
      await add("telegram:1", "group", "mine in the group"),
      await add("telegram:2", "", "another's"),
    ];
    const memories = await listUnread(db, "memory", model, { after: 0, limit: 9 });
    expect(memories.map(({ item }) => item)).toEqual(ids.toReversed());
    await saveVectors(
      db,
      "memory",
      model,
      memories.map((one) => ({ ...one, vector: makeVector(one.item) })),
    );
    const recall = async (accounts: readonly string[], place: string, persona = "kurisu") => {
      const near = await findNearestMemories(
        db,
        engine,
        { accounts, place, persona },
        { model, vector: makeVector(1), limit: 9 },
      );
      return near.map(({ item }) => item).toSorted((a, b) => a - b);
    };
    expect(await recall(["telegram:1"], "")).toEqual([ids[0], ids[1]]);
    expect(await recall(["telegram:2"], "group")).toEqual([ids[1]]);
    expect(await recall(["telegram:1"], "", "other")).toEqual([]);
    expect(await recall([], "")).toEqual([]);
    await sql`update memories set state = 'forgotten' where id = ${ids[0]}`.execute(db);
    await sql`delete from memories where id = ${ids[1]}`.execute(db);
    const left = await db.selectFrom("vectors").select("item").where("kind", "=", "memory").execute();
    expect(left.map(({ item }) => item)).toEqual([ids[2]]);
  });
});

it("no library can be loaded by a statement, with sqlite-vec or without", async () => {
  for (const vectors of [true, false]) {
    const store = await openTestStore({ ...(await createStorePlace("sqlite")), vectors });
    const file = (await findSqliteVec()) ?? "/usr/lib/x.so";
    await expect(sql`select load_extension(${file})`.execute(store.main)).rejects.toThrow(
      /not authorized|no such function/,
    );
    await expect(
      store.main.transaction().execute((tx) => sql`select load_extension(${file})`.execute(tx)),
    ).rejects.toThrow(/not authorized|no such function/);
  }
});
