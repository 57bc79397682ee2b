import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import type { Store } from "../../src/store/open-store.ts";

/** The places where any of these texts still stands: in the bytes of every file of the data folder, and in every row on Postgres. */
export async function findTraces(
  { engine, main }: Pick<Store, "engine" | "main">,
  home: string,
  markers: readonly string[],
): Promise<readonly string[]> {
  const places: string[] = [];
  const look = (where: string, bytes: Buffer): void => {
    for (const marker of markers) if (bytes.includes(marker)) places.push(`${where}: ${marker}`);
  };
  for (const entry of readdirSync(home, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    look(path.slice(home.length), Buffer.from(entry.name));
    if (entry.isFile()) look(path.slice(home.length), readFileSync(path));
  }
  if (engine === "sqlite") {
    // The row, to mend it by.
    if (places.length > 0)
      for (const { name } of (
        await sql<{ name: string }>`select name from sqlite_master where type = 'table'`.execute(main)
      ).rows) {
        const found = await sql<object>`select * from ${sql.table(name)}`.execute(main).catch(() => ({ rows: [] }));
        for (const row of found.rows) look(name, Buffer.from(JSON.stringify(row)));
      }
    return places;
  }
  const { rows } = await sql<{
    name: string;
  }>`select tablename as name from pg_tables where schemaname = current_schema()`.execute(main);
  for (const { name } of rows) {
    const found = await sql<{ row: string }>`select t::text as row from ${sql.table(name)} t`.execute(main);
    for (const { row } of found.rows) look(name, Buffer.from(row));
  }
  return places;
}
