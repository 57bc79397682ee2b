import { sql, type Kysely } from "kysely";
import { AppError } from "../../core/errors.ts";
import { openPostgresPool } from "../engines/connect-postgres.ts";
import { describeConnectionFault, describeDatabase } from "../engines/describe-connection-fault.ts";
import { checkServer } from "../engines/open-postgres-store.ts";
import type { AllTables } from "../tables/tables.ts";
import { readTargetShape } from "./table-shape.ts";

/** Whether a move into this database would be refused, without a table being made there. */
export async function lookAtTarget(url: string, { moves, people }: AllTables): Promise<void> {
  const setting = "set default_transaction_read_only = on";
  const pool = openPostgresPool<unknown>(url, { name: "kurisu migrate-store", size: 1, setting });
  try {
    await checkServer(pool.db, describeDatabase(url));
    const names: string[] = [];
    for (const name of Object.keys(people))
      if (Object.keys((await readTargetShape(pool.db, name)).types).length > 0) names.push(name);
    await refuseFilledTables(pool.db, { names, moves, url });
  } catch (error) {
    throw describeConnectionFault(url, error);
  } finally {
    await pool.close();
  }
}

/** Throws when a table has a row that no migration put there. */
export async function refuseFilledTables(
  db: Kysely<unknown>,
  { moves, names, url }: { readonly names: readonly string[]; readonly moves: AllTables["moves"]; readonly url: string },
): Promise<void> {
  const filled: string[] = [];
  for (const name of names) {
    if (moves[name as keyof typeof moves]?.seeded) continue;
    const { rows } = await sql`select 1 from ${sql.table(name)} limit 1`.execute(db);
    if (rows.length > 0) filled.push(name);
  }
  if (filled.length === 0) return;
  throw new AppError(
    "MOVE_REFUSED",
    `${describeDatabase(url)} is not empty: there are rows in ${filled.join(", ")}. Nothing was written. Name an empty database in DATABASE_URL: createdb --owner USER --encoding UTF8 NAME.`,
  );
}
