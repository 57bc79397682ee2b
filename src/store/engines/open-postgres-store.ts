import { sql, type Kysely } from "kysely";
import { AppError } from "../../core/errors.ts";
import { followTables } from "../migrations/change-triggers.ts";
import { postgresEngine } from "../migrations/engine.ts";
import { checkpointMigrations, migrate } from "../migrations/migrate.ts";
import { createPostgresCheckpointWriter } from "../queries/postgres-checkpoint-writer.ts";
import type { CheckpointDatabase, Database } from "../schema/database.ts";
import type { AllTables } from "../tables/tables.ts";
import { openPostgresPool } from "./connect-postgres.ts";
import { describeConnectionFault, describeDatabase } from "./describe-connection-fault.ts";

const oldestServer = 130_000;

/** Opens the store in a Postgres database, which should hold nothing else. */
export async function openPostgresStore(
  url: string,
  { followed, migrations, node }: Pick<AllTables, "followed" | "migrations"> & { readonly node?: string | undefined },
) {
  // A transaction that a dead process left open must not keep its rows for itself. Where others know this process, they
  // end it earlier.
  const setting = "set idle_in_transaction_session_timeout = '60s'";
  const main = openPostgresPool<Database>(url, { name: nameConnections("kurisu", node), size: 10, setting });
  /**
   * The same promise as SQLite's synchronous=NORMAL: a crash of the server may take the newest checkpoints along, never
   * damage the rest, and a turn goes on from an earlier step
   * (docs/decisions/store-and-crashes.md#checkpoints-are-in-their-own-file-and-do-not-wait-for-the-disk).
   */
  const checkpoints = openPostgresPool<CheckpointDatabase>(url, {
    name: nameConnections("kurisu checkpoints", node),
    size: 4,
    setting: "set synchronous_commit = off",
  });
  const close = async (): Promise<void> => {
    await Promise.all([main.close(), checkpoints.close()]);
  };
  try {
    const where = describeDatabase(url);
    const schema = await checkServer(main.db as Kysely<unknown>, where);
    await migrate(main.db as Kysely<unknown>, postgresEngine, migrations, where, "kurisu_migrations", schema);
    await followTables(main.db as Kysely<unknown>, postgresEngine, followed);
    const ledger = "kurisu_checkpoint_migrations";
    await migrate(checkpoints.db as Kysely<unknown>, postgresEngine, checkpointMigrations, where, ledger, schema);
  } catch (error) {
    await close();
    throw describeConnectionFault(url, error);
  }
  return {
    engine: "postgres" as const,
    main: main.db,
    checkpoints: checkpoints.db,
    checkpointWriter: createPostgresCheckpointWriter(checkpoints.db),
    /** Space of deleted rows is free to be written over; the server's own archives and copies are the operator's. */
    wipe: async () => {
      await sql`vacuum`.execute(main.db);
    },
    close,
  };
}

/** The names by which `endTransactionsOfFrozen` in store/queries/nodes.ts finds them. */
function nameConnections(name: string, node: string | undefined): string {
  return node === undefined ? name : `${name} ${node}`;
}

/** Answers the schema that new tables go to. */
export async function checkServer(db: Kysely<unknown>, where: string): Promise<string> {
  const { rows } = await sql<{ version: string; number: string; encoding: string; schema: string | null }>`
    select current_setting('server_version') as version, current_setting('server_version_num') as number,
      current_setting('server_encoding') as encoding, current_schema() as schema`.execute(db);
  const [server] = rows;
  if (Number(server?.number) < oldestServer) {
    throw new AppError("DATABASE_REFUSED", `${where} is PostgreSQL ${server?.version}; Kurisu needs 13 or newer.`);
  }
  if (server?.encoding !== "UTF8") {
    const remedy = "Make one with createdb --encoding UTF8 --template template0.";
    throw new AppError("DATABASE_REFUSED", `${where} stores text as ${server?.encoding}, not UTF8. ${remedy}`);
  }
  if (server.schema !== null) return server.schema;
  const remedy = "Make the one that search_path names: CREATE SCHEMA NAME, or leave search_path out of DATABASE_URL.";
  throw new AppError("DATABASE_REFUSED", `${where} has no schema for the tables. ${remedy}`);
}
