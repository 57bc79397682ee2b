import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { mainMigrations, migrate } from "../../src/store/migrate.ts";
import { postgresEngine, sqliteEngine } from "../../src/store/migrations/engine.ts";
import { openStore } from "../../src/store/open-store.ts";
import { findSession } from "../../src/store/queries/sessions.ts";
import { verifyAudit } from "../../src/store/verify-audit.ts";
import { createBarePlace, engines } from "../support/store-engines.ts";
import { addSession, createTestStore, openTestStore } from "../support/test-store.ts";

describe.each(engines)("on %s:", (engine) => {
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

  it("chains the rows of the audit that are there already, in their order", async () => {
    const store = await createTestStore(engine);
    const used = engine === "sqlite" ? sqliteEngine : postgresEngine;
    for (const table of ["audit_chain", "audit"]) await sql`drop table ${sql.table(table)}`.execute(store.main);
    if (engine === "postgres") {
      for (const name of ["kurisu_audit_link", "kurisu_audit_refuse"])
        await sql`drop function ${sql.ref(name)}`.execute(store.main);
    }
    await sql`create table audit (seq integer primary key, at bigint, actor text, action text, session text, turn text,
      call text, detail text)`.execute(store.main);
    const rows = Array.from({ length: 1_203 }, (_, index) => sql`(${index * 2 + 1}, 1, ${`a"${index}`}, 'x', '{}')`);
    await sql`insert into audit (seq, at, actor, action, detail) values ${sql.join(rows)}`.execute(store.main);
    const step = mainMigrations["0011-audit-chain"];
    if (!step) throw new Error("there is no such migration");
    await migrate(store.main as never, used, { "0011-audit-chain": step }, "x", "other_migrations");
    await sql`insert into audit (seq, at, actor, action, detail) values (9000, 1, 'a', 'x', '{}')`.execute(store.main);
    expect(await verifyAudit(store, [])).toMatchObject({ kind: "intact", rows: 1_204 });
  });

  it("takes back all of a migration that fails, and says which", async () => {
    const store = await createTestStore(engine);
    const steps = {
      "0001-good": async (schema: Parameters<(typeof mainMigrations)[string]>[0]) => {
        await schema.createTable("one").addColumn("a", "text").execute();
      },
      "0002-bad": async (schema: Parameters<(typeof mainMigrations)[string]>[0]) => {
        await schema.createTable("two").addColumn("a", "text").execute();
        throw new Error("the disk is full");
      },
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
