import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { openStore } from "../../src/store/open-store.ts";
import { mainMigrations, migrate } from "../../src/store/migrate.ts";
import { sqliteEngine } from "../../src/store/migrations/engine.ts";
import { findSession } from "../../src/store/queries/sessions.ts";
import { openSqlite } from "../../src/store/sqlite.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";
import { addSession, createTestStore } from "../support/test-store.ts";

describe("openStore", () => {
  it("makes the tables once, and finds what was written when it is opened again", async () => {
    const home = await createTemporaryFolder();
    const first = await openStore(home);
    await addSession(first, "s");
    await first.close();
    const second = await createTestStore(home);
    expect(await findSession(second.main, "s")).toMatchObject({ id: "s", last_position: 0 });
    expect(statSync(join(home, "kurisu.db")).isFile()).toBe(true);
  });

  it("writes so that nothing is lost: a log, flushed at each commit, for the main tables", async () => {
    const { main, checkpoints } = await createTestStore();
    const read = async (db: typeof main | typeof checkpoints, name: string) => {
      const { rows } = await sql<Record<string, unknown>>`PRAGMA ${sql.raw(name)}`.execute(db);
      return Object.values(rows[0] ?? {})[0];
    };
    expect([
      await read(main, "journal_mode"),
      await read(main, "synchronous"),
      await read(main, "foreign_keys"),
    ]).toEqual(["wal", 2, 1]);
    expect([await read(checkpoints, "journal_mode"), await read(checkpoints, "synchronous")]).toEqual(["wal", 1]);
  });

  it("refuses a database of a newer program and leaves it as it is", async () => {
    const home = await createTemporaryFolder();
    await (await openStore(home)).close();
    const database = new DatabaseSync(join(home, "kurisu.db"));
    database.exec(
      "INSERT INTO migrations (name, timestamp) VALUES ('9999-from-the-future', '2030-01-01T00:00:00.000Z')",
    );
    database.exec("CREATE TABLE future (a)");
    database.close();
    await expect(openStore(home)).rejects.toMatchObject({ code: "STORE_NEWER", exitCode: 69 });
    const after = new DatabaseSync(join(home, "kurisu.db"));
    expect(after.prepare("SELECT count(*) AS n FROM migrations").get()).toEqual({
      n: Object.keys(mainMigrations).length + 1,
    });
    after.close();
  });

  it("says what is wrong with a file that is no database", async () => {
    const home = await createTemporaryFolder();
    writeFileSync(
      join(home, "kurisu.db"),
      "this is no database, but long enough to look like a file of one".repeat(50),
    );
    await expect(openStore(home)).rejects.toMatchObject({ code: "DATA_FOLDER_UNUSABLE" });
  });
});

describe("migrate", () => {
  it("takes back all of a migration that fails, and says which", async () => {
    const database = openSqlite<Record<string, never>>(join(await createTemporaryFolder(), "x.db"), "NORMAL");
    const steps = {
      "0001-good": async (schema: Parameters<(typeof mainMigrations)[string]>[0]) => {
        await schema.createTable("one").addColumn("a", "text").execute();
      },
      "0002-bad": async (schema: Parameters<(typeof mainMigrations)[string]>[0]) => {
        await schema.createTable("two").addColumn("a", "text").execute();
        throw new Error("the disk is full");
      },
    };
    const failing = migrate(database as never, sqliteEngine, steps, "x.db");
    await expect(failing).rejects.toMatchObject({
      code: "STORE_FAILED",
      message: expect.stringContaining("0002-bad") as string,
    });
    const { rows } = await sql<{ name: string }>`SELECT name FROM sqlite_master WHERE name IN ('one', 'two')`.execute(
      database,
    );
    expect(rows).toEqual([]);
    await database.destroy();
  });
});
