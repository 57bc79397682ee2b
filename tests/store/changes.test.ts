import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { tables } from "../../src/assembly/features.ts";
import type { Store } from "../../src/store/open-store.ts";
import { findNewestPlace, isKeptPlace, readChanges, type ChangePlace } from "../../src/store/queries/changes.ts";
import { deleteLogin, insertLogin, noteLoginUse } from "../../src/store/queries/console-sessions.ts";
import { deletePause, insertPause } from "../../src/store/queries/pause.ts";
import { pruneChanges } from "../../src/store/tables/change-tables.ts";
import { createStorePlace, listEngines } from "../support/store-engines.ts";
import { addSession, createTestStore, openTestStore } from "../support/test-store.ts";

const start: ChangePlace = { tx: "0", seq: 0 };
const login = { token: "t", person: "console:owner", role: "owner", browser: "b", createdAt: 0, seenAt: 0 } as const;

async function readAll({ main }: Pick<Store, "main">, after = start): Promise<readonly object[]> {
  return (await readChanges(main, after, 5_000)).map(({ id, session, topic }) => ({ topic, id, session }));
}

const note = (topic: string) => sql`insert into changes (topic) values (${topic})`;

describe.each(listEngines())("the changes that the console follows, on %s", (engine) => {
  it("a row that is added, changed or deleted leaves a change with its key, and none when its transaction is undone", async () => {
    const store = await createTestStore(engine);
    await insertLogin(store.main, { ...login, id: "login_1" });
    await noteLoginUse(store.main, "login_1", 5);
    await addSession(store, "s");
    await insertPause(store.main, { since: 1, person: "telegram:1", name: "N" });
    const undone = store.main.transaction().execute(async (tx) => {
      await deletePause(tx);
      await deleteLogin(tx, "login_1");
      throw new Error("on purpose");
    });
    await expect(undone).rejects.toThrow("on purpose");
    await deleteLogin(store.main, "login_1");
    expect(await readAll(store)).toEqual([
      { topic: "logins", id: "login_1", session: null },
      { topic: "sessions", id: "s", session: "s" },
      { topic: "pause", id: null, session: null },
      { topic: "logins", id: "login_1", session: null },
    ]);
  });

  it("a column that is set to what it was, and one that no page shows, leave no change", async () => {
    const store = await createTestStore(engine);
    await addSession(store, "s");
    const after = await findNewestPlace(store.main);
    await store.main.updateTable("sessions").set({ last_position: 7, language: "zh" }).execute();
    expect(await readAll(store, after)).toEqual([]);
    await store.main.updateTable("sessions").set({ language: "en" }).execute();
    expect(await readAll(store, after)).toEqual([{ topic: "sessions", id: "s", session: "s" }]);
  });

  it("every table that says so is followed, also in a database that an older or a newer Kurisu has written to", async () => {
    const place = await createStorePlace(engine);
    const older = await openTestStore(place);
    await dropTriggers(older);
    await sql
      .raw(
        engine === "sqlite"
          ? `create trigger follow_people_insert_00000000 after insert on people begin delete from sessions; end`
          : `create function kurisu_follow_people_insert_00000000() returns trigger language plpgsql as
            'begin delete from sessions; return null; end'`,
      )
      .execute(older.main);
    if (engine === "postgres")
      await sql`create trigger follow_people_insert_00000000 after insert on people
        for each row execute function kurisu_follow_people_insert_00000000()`.execute(older.main);
    await older.close();
    const store = await openTestStore(place);
    await addSession(store, "s");
    await store.main
      .insertInto("people")
      .values({ id: "telegram:1", name: "N", role: "owner", created_at: 0 })
      .execute();
    expect(await readAll(store)).toEqual([
      { topic: "sessions", id: "s", session: "s" },
      { topic: "people", id: null, session: null },
    ]);
    const followed = new Set((await listTriggers(store)).map(({ table }) => table));
    expect([...followed].toSorted()).toEqual(Object.keys(tables.followed).toSorted());
  });

  it("reading goes on from every place, in order, each change once", async () => {
    const { main } = await createTestStore(engine);
    const topics = Array.from({ length: 50 }, (_, at) => `t${at}`);
    for (const topic of topics) await note(topic).execute(main);
    const seen: string[] = [];
    for (let at = start; ;) {
      const read = await readChanges(main, at, 7);
      seen.push(...read.map(({ topic }) => topic));
      const last = read.at(-1);
      if (!last) break;
      at = last.place;
    }
    expect(seen).toEqual(topics);
  });

  it("the newest are kept, and a place is known as long as everything behind it is", async () => {
    const { main } = await createTestStore(engine);
    for (let at = 0; at < 10; at += 1) await note(`t${at}`).execute(main);
    const all = await readChanges(main, start, 100);
    await pruneChanges(main, 4);
    expect((await readChanges(main, start, 100)).map(({ topic }) => topic)).toEqual(["t6", "t7", "t8", "t9"]);
    const kept = await Promise.all(all.map(({ place }) => isKeptPlace(main, place)));
    expect(kept).toEqual([false, false, false, false, false, false, true, true, true, true]);
    expect(await findNewestPlace(main)).toEqual(all.at(-1)?.place);
  });
});

describe.runIf(listEngines().includes("postgres"))("the order of changes on Postgres", () => {
  it("a transaction that got its number first and commits last is not passed over", async () => {
    const { main } = await createTestStore("postgres");
    const [early, late] = [await main.startTransaction().execute(), await main.startTransaction().execute()];
    await note("early").execute(early);
    await note("late").execute(late);
    await late.commit().execute();
    expect(await readAll({ main })).toEqual([]);
    await early.commit().execute();
    expect((await readChanges(main, start, 9)).map(({ topic }) => topic)).toEqual(["early", "late"]);
  });

  it("a row with a smaller number that an older reader could not see yet stands behind what was read", async () => {
    const { main } = await createTestStore("postgres");
    const [first, second] = [await main.startTransaction().execute(), await main.startTransaction().execute()];
    await sql`select pg_current_xact_id()`.execute(first);
    await note("of the second").execute(second);
    await note("of the first").execute(first);
    await first.commit().execute();
    const read = await readChanges(main, start, 9);
    expect(read.map(({ topic }) => topic)).toEqual(["of the first"]);
    await second.commit().execute();
    const rest = await readChanges(main, read[0]?.place ?? start, 9);
    expect(rest.map(({ topic }) => topic)).toEqual(["of the second"]);
  });
});

interface Trigger {
  readonly name: string;
  readonly table: string;
}

async function listTriggers({ engine, main }: Pick<Store, "engine" | "main">): Promise<readonly Trigger[]> {
  const { rows } = await (
    engine === "sqlite"
      ? sql<Trigger>`select name, tbl_name as "table" from sqlite_schema where type = 'trigger' and name like 'follow%'`
      : sql<Trigger>`select tgname as name, relname as "table" from pg_trigger
        join pg_class on pg_class.oid = tgrelid where tgname like 'follow%'`
  ).execute(main);
  return rows;
}

async function dropTriggers(store: Pick<Store, "engine" | "main">): Promise<void> {
  for (const { name, table } of await listTriggers(store))
    await sql.raw(`drop trigger ${name} ${store.engine === "postgres" ? `on ${table}` : ""}`).execute(store.main);
}
