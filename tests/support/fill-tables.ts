import { sql, type Kysely } from "kysely";
import type { Store } from "../../src/store/open-store.ts";

/** Rows that no front door makes within a test, by their columns' types: three in every table that is empty. */
export async function fillEmptyTables(store: Pick<Store, "checkpoints" | "main" | "personTables">): Promise<void> {
  for (const [name, file] of await listTables(store)) {
    const { rows: some } = await sql`select 1 from ${sql.table(name)} limit 1`.execute(file);
    if (some.length > 0) continue;
    const { rows: columns } = await sql<{ name: string; type: string }>`
      select name, type from pragma_table_info(${name})`.execute(file);
    for (const number of [1, 2, 3]) {
      const values = columns.map(({ name: column, type }) => makeValue(column, type.toLowerCase(), number));
      await sql`insert into ${sql.table(name)} (${sql.join(columns.map((column) => sql.ref(column.name)))})
        values (${sql.join(values)})`.execute(file);
    }
  }
}

/** Every table of ours, with the database that has it. */
export async function listTables(
  store: Pick<Store, "checkpoints" | "main" | "personTables">,
): Promise<readonly (readonly [string, Kysely<unknown>])[]> {
  return Object.keys(store.personTables)
    .toSorted()
    .map((name) => [name, (name.startsWith("checkpoint") ? store.checkpoints : store.main) as Kysely<unknown>]);
}

const strange = `"'\\{},\r\n\t\u0001é😀 NULL`;

function makeValue(column: string, type: string, number: number): unknown {
  if (type === "blob") return new Uint8Array(new Float32Array([0.1 * number, -1e-9, 3]).buffer);
  if (type === "double precision") return number / 7;
  if (type !== "text") return column === "chat" ? number : 1_700_000_000_000 * (type === "bigint" ? 1 : 0) + number;
  return `${column} ${number} ${number === 2 ? strange : ""}`;
}
