import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Kysely } from "kysely";
import { AppError, describeError } from "../core/errors.ts";
import { sqliteEngine } from "./migrations/engine.ts";
import { checkpointMigrations, mainMigrations, migrate } from "./migrate.ts";
import type { CheckpointDatabase, Database } from "./schema.ts";
import { openSqlite } from "./sqlite.ts";

/**
 * The open database. Inside `main.transaction()` use only the transaction: SQLite has one connection, and a
 * query on `main` itself would wait for the transaction that waits for it.
 */
export interface Store {
  readonly main: Kysely<Database>;
  /** LangGraph's checkpoints: a file of their own with synchronous=NORMAL, since the main tables decide what is true. */
  readonly checkpoints: Kysely<CheckpointDatabase>;
  close(): Promise<void>;
}

/** Opens (and creates) the SQLite store in a folder. */
export async function openStore(home: string): Promise<Store> {
  try {
    mkdirSync(home, { recursive: true, mode: 0o700 });
    const main = openSqlite<Database>(join(home, "kurisu.db"), "FULL");
    const checkpoints = openSqlite<CheckpointDatabase>(join(home, "checkpoints.db"), "NORMAL");
    await migrate(main as Kysely<unknown>, sqliteEngine, mainMigrations, "kurisu.db");
    await migrate(checkpoints as Kysely<unknown>, sqliteEngine, checkpointMigrations, "checkpoints.db");
    return {
      main,
      checkpoints,
      close: async () => {
        await main.destroy();
        await checkpoints.destroy();
      },
    };
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError("DATA_FOLDER_UNUSABLE", `Cannot open the database in ${home}: ${describeError(error)}`, {
      cause: error,
    });
  }
}
