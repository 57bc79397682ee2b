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
  }, 30_000);
});
