import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Kysely } from "kysely";
import type { Logger } from "pino";
import { AppError, describeError } from "../core/errors.ts";
import type { KnownSecrets } from "../core/known-secrets.ts";
import { createScrubber } from "../core/scrub-secrets.ts";
import { followTables } from "./migrations/change-triggers.ts";
import { hashAuditColumns } from "./migrations/audit-hash.ts";
import { sqliteEngine, type Engine } from "./migrations/engine.ts";
import { checkpointMigrations, migrate } from "./migrations/migrate.ts";
import { refuseMoved } from "./moved-note.ts";
import type { CheckpointWriter } from "./queries/checkpoint-writer.ts";
import { createSqliteCheckpointWriter } from "./queries/sqlite-checkpoint-writer.ts";
import type { CheckpointDatabase, Database } from "./schema/database.ts";
import { createAuditScrubber } from "./scrub-audit.ts";
import { findSqliteVec } from "./engines/find-sqlite-vec.ts";
import { openSqlite } from "./engines/sqlite.ts";
import { openWriteAheadLog } from "./engines/write-ahead-log.ts";
import { isWipeDue, wipeSqlite } from "./engines/wipe-sqlite.ts";
import type { AllTables } from "./tables/tables.ts";
import { createUsageBook, type UsageBook } from "./usage-book.ts";
import { createTurnCheckpoints, type TurnCheckpoints } from "./turn-checkpoints.ts";

/**
 * The open database. Inside `main.transaction()` use only the transaction: a write on `main` itself would wait for the
 * transaction that waits for it, and a query would not see what the transaction wrote.
 */
export interface Store {
  readonly engine: Engine["name"];
  readonly main: Kysely<Database>;
  /**
   * LangGraph's checkpoints, which need not survive a power cut, since the main tables decide what is true: a file of
   * their own whose commits wait for no disk, or connections of their own with synchronous_commit=off.
   */
  readonly checkpoints: Kysely<CheckpointDatabase>;
  readonly checkpointWriter: CheckpointWriter;
  readonly turnCheckpoints: TurnCheckpoints;
  readonly usage: UsageBook;
  /** For each table, how one human's rows are found, and what happens to them when that human wants to be forgotten. */
  readonly personTables: AllTables["people"];
  /** Removes what was finished before then and is needed for nothing any more. */
  prune(before: number): Promise<void>;
  /** The ids from which the tags of names are made: all people who wrote where the bot reads. */
  listTaggedIds(): Promise<readonly string[]>;
  /** Deleted words leave the files, too, as far as the engine can: engines/wipe-sqlite.ts. */
  wipe(): Promise<void>;
  close(): Promise<void>;
}

/** Where the store is: a Postgres server's address, or else files in the data folder. */
export interface StorePlace {
  readonly home: string;
  readonly url?: string;
  /** Secrets that must not come into the audit, besides what looks like one. */
  readonly secrets?: readonly string[] | KnownSecrets;
  /** Meanings are compared: the library for it is loaded, where there is one. */
  readonly vectors?: boolean;
  /** This process among those of the database, which end its open transactions once it is silent. */
  readonly node?: string;
  /** Hears of usage that could not be written. */
  readonly log?: Pick<Logger, "error">;
}

/** Opens the store and brings its tables up to date. The driver of Postgres is loaded only where a server is named. */
export async function openStore(place: StorePlace, tables: AllTables): Promise<Store> {
  const store = await openEngine(place, tables);
  const turnCheckpoints = createTurnCheckpoints(store.checkpoints, store.checkpointWriter);
  const { secrets = [] } = place;
  await tables.renew(store.main);
  const scrubber = createAuditScrubber("scrub" in secrets ? secrets.scrub : createScrubber(secrets));
  const main = store.main.withPlugin(scrubber);
  const usage = createUsageBook(main, place.log);
  const close = async (): Promise<void> => {
    try {
      await usage.flush();
    } finally {
      await store.close();
    }
  };
  const prune = (before: number) => tables.prune(main, before);
  const listTaggedIds = () => tables.listTaggedIds(main);
  return { ...store, main, turnCheckpoints, usage, personTables: tables.people, prune, listTaggedIds, close };
}

type OpenEngine = Omit<Store, "turnCheckpoints" | "usage" | "personTables" | "prune" | "listTaggedIds">;

async function openEngine({ home, node, url, vectors = false }: StorePlace, tables: AllTables): Promise<OpenEngine> {
  if (url === undefined) {
    refuseMoved(home);
    return openSqliteStore(home, tables, vectors ? await findSqliteVec() : undefined);
  }
  const { openPostgresStore } = await import("./engines/open-postgres-store.ts");
  return openPostgresStore(url, { ...tables, node });
}

async function openSqliteStore(
  home: string,
  tables: Pick<AllTables, "followed" | "functions" | "migrations">,
  extension: string | undefined,
): Promise<OpenEngine> {
  try {
    mkdirSync(home, { recursive: true, mode: 0o700 });
    const [mainFile, checkpointFile] = [join(home, "kurisu.db"), join(home, "checkpoints.db")];
    const files = [mainFile, checkpointFile];
    const functions = { ...tables.functions, kurisu_audit_hash: hashAuditColumns };
    const main = openSqlite<Database>(mainFile, { openLog: openWriteAheadLog, functions, extension });
    const checkpoints = openSqlite<CheckpointDatabase>(checkpointFile);
    await migrate(main as Kysely<unknown>, sqliteEngine, tables.migrations, "kurisu.db");
    await followTables(main as Kysely<unknown>, sqliteEngine, tables.followed);
    await migrate(checkpoints as Kysely<unknown>, sqliteEngine, checkpointMigrations, "checkpoints.db");
    return {
      engine: "sqlite",
      main,
      checkpoints,
      checkpointWriter: createSqliteCheckpointWriter(checkpoints),
      wipe: async () => {
        for (const file of files) wipeSqlite(file);
      },
      close: async () => {
        await main.destroy();
        await checkpoints.destroy();
        for (const file of files) if (isWipeDue(file)) wipeSqlite(file, Infinity);
      },
    };
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError("DATA_FOLDER_UNUSABLE", `Cannot open the database in ${home}: ${describeError(error)}`, {
      cause: error,
    });
  }
}
