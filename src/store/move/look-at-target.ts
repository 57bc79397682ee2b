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
  const pool = openPostgresPool<unknown>(url, { name: "migrate-store", size: 1, setting });
  try {
    await checkServer(pool.db, describeDatabase(url));
    const names: string[] = [];
    for (const name of Object.keys(people))
      if (Object.keys((await readTargetShape(pool.db, name)).types).length > 0) names.push(name);
    const filled = await findFilledTables(pool.db, names, moves);
    if (filled.length > 0) throw refuseFilled(url, filled);
  } catch (error) {
    throw describeConnectionFault(url, error);
  } finally {
    await pool.close();
  }
}

/** The tables with a row that no migration put there. */
export async function findFilledTables(
  db: Kysely<unknown>,
  names: readonly string[],
  moves: AllTables["moves"],
): Promise<readonly string[]> {
  const filled: string[] = [];
  for (const name of names) {
    if (moves[name as keyof typeof moves]?.seeded) continue;
    const { rows } = await sql`select 1 from ${sql.table(name)} limit 1`.execute(db);
    if (rows.length > 0) filled.push(name);
  }
  return filled;
}

export function refuseFilled(url: string, filled: readonly string[]): AppError {
  const remedy = "Name an empty database in DATABASE_URL: createdb --owner USER --encoding UTF8 NAME.";
  const where = `${describeDatabase(url)} is not empty: there are rows in ${filled.join(", ")}`;
  return new AppError("MOVE_REFUSED", `${where}. Nothing was written. ${remedy}`);
}
