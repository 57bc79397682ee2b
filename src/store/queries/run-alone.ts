import { type Kysely, sql } from "kysely";
import { isPostgres } from "../statements/is-postgres.ts";

/**
 * Runs the work unless another process of the database is running the work of that name; resolves to undefined then. It
 * takes a connection of the pool for as long as the work lasts. A process that ends gives the name free.
 */
export async function runAlone<Tables, Answer>(
  db: Kysely<Tables>,
  name: string,
  work: () => Promise<Answer>,
): Promise<Answer | undefined> {
  // On SQLite there is no other process.
  if (!isPostgres(db)) return work();
  const key = sql`hashtextextended(${name}, 0)`;
  return db.connection().execute(async (connection) => {
    const { rows } = await sql<{ readonly taken: boolean }>`select pg_try_advisory_lock(${key}) as taken`.execute(
      connection,
    );
    if (rows[0]?.taken !== true) return undefined;
    try {
      return await work();
    } finally {
      await sql`select pg_advisory_unlock(${key})`.execute(connection);
    }
  });
}
