// full: needs PostgreSQL
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { openPostgresPool } from "../../src/store/engines/connect-postgres.ts";
import { postgresIsThere } from "../support/postgres.ts";
import { createStorePlace } from "../support/store-engines.ts";

describe.runIf(postgresIsThere())("the pool of connections", () => {
  it("loses no place to a connection that breaks before it was ready", async () => {
    const { url = "" } = await createStorePlace("postgres");
    const pool = openPostgresPool<object>(url, { name: "test", size: 2, setting: "select 1 / 0" });
    for (let time = 0; time < 5; time += 1)
      await expect(sql`select 1`.execute(pool.db)).rejects.toThrow("division by zero");
    await pool.close();
  });

  it("a connection parses a statement once and keeps a bounded number of them", async () => {
    const { url = "" } = await createStorePlace("postgres");
    const pool = openPostgresPool<object>(url, { name: "test", size: 1, setting: "select 1" });
    const sums: number[] = [];
    for (const value of [1, 2, 3]) {
      const { rows } = await sql<{ sum: number }>`select ${value}::integer + 1 as sum`.execute(pool.db);
      sums.push(...rows.map(({ sum }) => sum));
    }
    expect(sums).toEqual([2, 3, 4]);
    const known = sql<{ statement: string }>`select statement from pg_prepared_statements`;
    const sameText = (await known.execute(pool.db)).rows.filter(({ statement }) => statement.endsWith("as sum"));
    expect(sameText).toEqual([{ statement: "select $1::integer + 1 as sum" }]);
    for (let count = 0; count < 300; count += 1) {
      await sql`select ${sql.lit(count)}::integer, ${count}::integer`.execute(pool.db);
    }
    const { rows } = await known.execute(pool.db);
    expect(rows.length).toBeGreaterThan(1);
    expect(rows.length).toBeLessThanOrEqual(200);
    await pool.close();
  });

  it("runs a statement whose first run failed", async () => {
    const { url = "" } = await createStorePlace("postgres");
    const pool = openPostgresPool<object>(url, { name: "test", size: 1, setting: "select 1" });
    const divide = (by: number) => sql<{ part: number }>`select 6 / ${by}::integer as part`.execute(pool.db);
    await expect(divide(0)).rejects.toThrow("division by zero");
    expect((await divide(2)).rows).toEqual([{ part: 3 }]);
    await pool.close();
  });

  it("runs no statement whose BEGIN failed", async () => {
    const { url = "" } = await createStorePlace("postgres");
    const pool = openPostgresPool<object>(url, { name: "test", size: 1, setting: "select 1" });
    await sql`create table marks (mark integer)`.execute(pool.db);
    const mark = (value: number) =>
      pool.db.transaction().execute((tx) => sql`insert into marks values (${value}::integer)`.execute(tx));
    await mark(1);
    await sql`deallocate kurisu_begin`.execute(pool.db);
    await expect(mark(2)).rejects.toThrow('prepared statement "kurisu_begin" does not exist');
    expect((await sql`select mark from marks`.execute(pool.db)).rows).toEqual([{ mark: 1 }]);
    await pool.close();
  });

  it("gives the first statement of a transaction its own result and its own error, and leaves nothing open", async () => {
    const { url = "" } = await createStorePlace("postgres");
    const pool = openPostgresPool<object>(url, { name: "test", size: 1, setting: "select 1" });
    const divide = (by: number) =>
      pool.db.transaction().execute((tx) => sql<{ part: number }>`select 6 / ${by}::integer as part`.execute(tx));
    await expect(divide(0)).rejects.toThrow("division by zero");
    expect((await divide(2)).rows).toEqual([{ part: 3 }]);
    await expect(pool.db.transaction().execute(() => Promise.resolve("nothing"))).resolves.toBe("nothing");
    const several = sql.raw("create table marks (mark integer); insert into marks values (1)");
    await expect(
      pool.db.transaction().execute(async (tx) => {
        await several.execute(tx);
        throw new Error("undone");
      }),
    ).rejects.toThrow("undone");
    const { rows } = await sql`select to_regclass('marks') as marks`.execute(pool.db);
    expect(rows).toEqual([{ marks: null }]);
    await pool.close();
  });
});
