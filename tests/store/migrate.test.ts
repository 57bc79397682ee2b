import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { createTables } from "../../src/store/migrations/0001-first-light.ts";
import { mainMigrations, migrate, unreleased } from "../../src/store/migrations/migrate.ts";
import { postgresEngine, sqliteEngine } from "../../src/store/migrations/engine.ts";
import { openStore } from "../../src/store/open-store.ts";
import { findSession } from "../../src/store/queries/sessions.ts";
import { createBarePlace, listEngines } from "../support/store-engines.ts";
import { addSession, createTestStore, openTestStore } from "../support/test-store.ts";

describe.each(listEngines())("on %s:", (engine) => {
  const ledger = engine === "sqlite" ? "migrations" : "kurisu_migrations";

  it("openStore makes the tables once, and finds what was written when it is opened again", async () => {
    const place = await createBarePlace(engine);
    const first = await openStore(place);
    await addSession(first, "s");
    await first.close();
    const second = await openTestStore(place);
    expect(second.engine).toBe(engine);
    expect(await findSession(second.main, "s")).toMatchObject({ id: "s", last_position: 0 });
  });

  it("openStore twice at the same moment makes the tables once", async () => {
    const place = await createBarePlace(engine);
    const stores =
      engine === "sqlite" ? [await openTestStore(place)] : await Promise.all([0, 1, 2].map(() => openTestStore(place)));
    for (const store of stores) expect(await findSession(store.main, "nobody")).toBeUndefined();
  });

  it("refuses a database of a newer program and leaves it as it is", async () => {
    const place = await createBarePlace(engine);
    const first = await openStore(place);
    await sql`insert into ${sql.table(ledger)} (name, timestamp) values ('9999-from-the-future', '2030-01-01T00:00:00.000Z')`.execute(
      first.main,
    );
    await sql`create table future (a text)`.execute(first.main);
    await expect(openStore(place)).rejects.toMatchObject({ code: "STORE_NEWER", exitCode: 69 });
    const { rows } = await sql<{ n: number }>`select count(*) as n from ${sql.table(ledger)}`.execute(first.main);
    expect(rows).toEqual([{ n: Object.keys(mainMigrations).length + 1 }]);
    await first.close();
  });

  describe("a database from before the first release", () => {
    async function writeFormerChain(names: readonly string[]) {
      const place = await createBarePlace(engine);
      const store = await openStore(place);
      await addSession(store, "s");
      for (const later of [
        "passive_replies",
        "gateway_sessions",
        "account_links",
        "link_codes",
        "chat_moves",
        "overheard",
        "contact_requests",
        "reactions",
        "summaries",
        "remarks",
        "remark_terms",
        "reminders",
        "person_settings",
        "steered_messages",
        "outages",
        "vectors",
        "memories",
        "memory_events",
        "memory_terms",
        "acquaintances",
        "fact_sources",
        "audit_texts",
        "log_chats",
        "log_readers",
        "log_senders",
        "log_messages",
        "log_state",
        ...(engine === "sqlite" ? ["log_search"] : []),
      ])
        await sql`drop table ${sql.table(later)}`.execute(store.main);
      await sql`drop table usage`.execute(store.main);
      const usage = createTables(engine === "sqlite" ? sqliteEngine : postgresEngine).find((one) =>
        /create table usage/.test(one),
      );
      await sql.raw(usage ?? "").execute(store.main);
      await sql`insert into usage values ('2026-11-22', 'alice', 'openai:one', 1, 0, 10, 5, 0, 0)`.execute(store.main);
      await sql`drop index audit_erased`.execute(store.main);
      await sql`drop index inbox_answerable`.execute(store.main);
      await sql`drop index inbox_api`.execute(store.main);
      await sql`drop index inbox_reminders`.execute(store.main);
      await sql`delete from ${sql.table(ledger)} where name > '0001-first-light'`.execute(store.main);
      await sql`alter table sessions drop column persona`.execute(store.main);
      await sql`alter table sessions drop column gone_at`.execute(store.main);
      await sql`alter table messages drop column tokens`.execute(store.main);
      await sql`alter table messages drop column short`.execute(store.main);
      await sql`alter table sessions drop column voice`.execute(store.main);
      await sql`alter table sessions drop column busy`.execute(store.main);
      await sql`alter table sessions drop column model`.execute(store.main);
      await sql`alter table sessions drop column chosen_language`.execute(store.main);
      await sql`alter table inbox drop column requester`.execute(store.main);
      await sql`alter table question_calls rename column scope to standing`.execute(store.main);
      for (const name of names) {
        await sql`insert into ${sql.table(ledger)} (name, timestamp) values (${name}, '2026-11-22T00:00:00.000Z')`.execute(
          store.main,
        );
      }
      return { place, store };
    }

    it("is taken over with all it holds", async () => {
      const { place, store } = await writeFormerChain(unreleased);
      await store.close();
      const opened =
        engine === "sqlite" ? [await openTestStore(place)] : await Promise.all([0, 1].map(() => openTestStore(place)));
      for (const { main } of opened) {
        expect(await findSession(main, "s")).toMatchObject({ id: "s" });
        expect((await sql`select requester from inbox`.execute(main)).rows).toEqual([]);
        expect((await sql`select person, session, input from usage`.execute(main)).rows).toEqual([
          { person: "alice", session: "", input: 10 },
        ]);
        expect((await sql`select scope from question_calls`.execute(main)).rows).toEqual([]);
        expect((await sql`select name from ${sql.table(ledger)}`.execute(main)).rows).toEqual(
          Object.keys(mainMigrations).map((name) => ({ name })),
        );
      }
    });

    it("is refused and left as it is when a newer program has written to it", async () => {
      const { place, store } = await writeFormerChain([...unreleased, "0020-from-tomorrow"]);
      const names = async () =>
        (await sql`select name from ${sql.table(ledger)} order by name`.execute(store.main)).rows;
      const before = await names();
      await expect(openStore(place)).rejects.toMatchObject({ code: "STORE_NEWER" });
      expect(await names()).toEqual(before);
      await store.close();
    });

    it("is refused and left as it is when its last steps are missing", async () => {
      const { place, store } = await writeFormerChain(unreleased.slice(0, 5));
      await expect(openStore(place)).rejects.toMatchObject({
        code: "STORE_FAILED",
        message: expect.stringContaining("Start the program that wrote it last once more") as string,
      });
      const { rows } = await sql`select name from ${sql.table(ledger)}`.execute(store.main);
      expect(rows).toHaveLength(6);
      await store.close();
    });
  });

  it("takes back all of a migration that fails, and says which", async () => {
    const store = await createTestStore(engine);
    const steps = {
      "0001-good": () => ["create table one (a text)"],
      "0002-bad": () => ["create table two (a text)", "create table two (b text)"],
    };
    const used = engine === "sqlite" ? sqliteEngine : postgresEngine;
    await expect(migrate(store.main as never, used, steps, "x", "other_migrations")).rejects.toMatchObject({
      code: "STORE_FAILED",
      message: expect.stringContaining("0002-bad") as string,
    });
    for (const table of ["one", "two"]) {
      await expect(sql`select * from ${sql.table(table)}`.execute(store.main)).rejects.toThrow(
        /no such table|does not exist/,
      );
    }
  });
});
