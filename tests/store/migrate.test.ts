import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { tables } from "../../src/assembly/features.ts";
import { formerSteps, migrate } from "../../src/store/migrations/migrate.ts";
import { postgresEngine, sqliteEngine } from "../../src/store/migrations/engine.ts";
import type { Store } from "../../src/store/open-store.ts";
import { openStore } from "../support/open-store.ts";
import { findWholeSession } from "../../src/store/queries/sessions.ts";
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
    expect(await findWholeSession(second.main, "s")).toMatchObject({ id: "s", last_position: 0 });
  });

  it("openStore twice at the same moment makes the tables once", async () => {
    const place = await createBarePlace(engine);
    const stores =
      engine === "sqlite" ? [await openTestStore(place)] : await Promise.all([0, 1, 2].map(() => openTestStore(place)));
    for (const store of stores) expect(await findWholeSession(store.main, "nobody")).toBeUndefined();
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
    expect(rows).toEqual([{ n: Object.keys(tables.migrations).length + 1 }]);
    await first.close();
  });

  describe("a database that the steps before the first release made", () => {
    /** They created the same tables as 0001-tables; only the ledger differs. Later migrations had not run yet. */
    async function writeFormerLedger(names: readonly string[]) {
      const place = await createBarePlace(engine);
      const store = await openStore(place);
      await addSession(store, "s");
      await sql`delete from ${sql.table(ledger)}`.execute(store.main);
      await sql`drop table console_sessions`.execute(store.main);
      for (const table of [
        "model_calls",
        "changes",
        "owner_code",
        "wrong_codes",
        "nodes",
        "cluster_key",
        "mcp_logins",
        "mcp_version",
        "blobs",
        "session_files",
        "session_snapshots",
        "outgoing_files",
        "releases",
        "console_codes",
      ])
        await sql`drop table ${sql.table(table)}`.execute(store.main);
      for (const index of [
        "turns_day",
        "audit_day",
        "questions_closed",
        "sessions_activity",
        "tool_ledger_week",
        "turns_task",
      ])
        await sql`drop index ${sql.table(index)}`.execute(store.main);
      for (const name of names) {
        await sql`insert into ${sql.table(ledger)} (name, timestamp) values (${name}, '2026-11-22T00:00:00.000Z')`.execute(
          store.main,
        );
      }
      return { place, store };
    }

    async function readLedger({ main }: Pick<Store, "main">): Promise<readonly string[]> {
      const { rows } = await sql<{ name: string }>`select name from ${sql.table(ledger)} order by name`.execute(main);
      return rows.map(({ name }) => name);
    }

    it("the program takes the database over with all it holds, by its ledger alone", async () => {
      const { place, store: former } = await writeFormerLedger(formerSteps);
      await former.close();
      const opened =
        engine === "sqlite" ? [await openTestStore(place)] : await Promise.all([0, 1].map(() => openTestStore(place)));
      for (const store of opened) {
        expect(await findWholeSession(store.main, "s")).toMatchObject({ id: "s" });
        expect(await readLedger(store)).toEqual([
          "0001-tables",
          "0002-console",
          "0003-changes",
          "0004-questions-closed",
          "0005-sessions-activity",
          "0006-days",
          "0007-model-calls",
          "0008-abilities",
          "0009-codes",
          "0010-session-files",
          "0011-nodes",
          "0012-cluster-key",
          "0013-mcp-logins",
          "0014-releases",
          "0015-console-codes",
        ]);
      }
    });

    it("the program refuses a database that a newer program has written to, and leaves it as it is", async () => {
      const names = [...formerSteps, "0028-from-tomorrow"];
      const { place, store } = await writeFormerLedger(names);
      await expect(openStore(place)).rejects.toMatchObject({ code: "STORE_NEWER" });
      expect(await readLedger(store)).toEqual(names);
      await store.close();
    });

    it.each([
      ["only its first step was made", formerSteps.slice(0, 1)],
      ["its last step is missing", formerSteps.slice(0, -1)],
    ])("the program refuses a database and leaves it as it is when %s", async (_, names) => {
      const { place, store } = await writeFormerLedger(names);
      await expect(openStore(place)).rejects.toMatchObject({
        code: "STORE_FAILED",
        message: expect.stringContaining("Start the previous version once, then this one") as string,
      });
      expect(await readLedger(store)).toEqual(names);
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
