import type { Kysely } from "kysely";
import { Migrator, type Migration } from "kysely/migration";
import { AppError, describeError } from "../core/errors.ts";
import { createCheckpointTables, createTables } from "./migrations/0001-first-light.ts";
import { createPreviewTable } from "./migrations/0002-preview.ts";
import { addShownAt } from "./migrations/0003-shown-at.ts";
import { addPlace } from "./migrations/0004-files.ts";
import { createWorldlines } from "./migrations/0005-worldlines.ts";
import { addSubAgents } from "./migrations/0006-sub-agents.ts";
import { addMode } from "./migrations/0007-plan-mode.ts";
import { addCallNetwork } from "./migrations/0008-call-network.ts";
import { createKnownContents } from "./migrations/0015-known-contents.ts";
import { addGrantsAndVotes } from "./migrations/0010-grants-and-votes.ts";
import { createDecisionTable } from "./migrations/0009-decisions.ts";
import { createAuditChain } from "./migrations/0011-audit-chain.ts";
import { createUsage } from "./migrations/0012-usage.ts";
import { createSkillTables } from "./migrations/0016-skills.ts";
import { createPause } from "./migrations/0013-paused.ts";
import { createPreferenceTables } from "./migrations/0017-preferences.ts";
import { createAuditHighWater } from "./migrations/0018-audit-high-water.ts";
import { createSuspects } from "./migrations/0019-suspects.ts";
import { createMcpPins } from "./migrations/0014-mcp-pins.ts";
import type { Engine } from "./migrations/engine.ts";

type Step = (schema: Kysely<unknown>["schema"], engine: Engine, db: Kysely<unknown>) => Promise<void>;

/** Every migration of the main tables, by its number and name. Never change one that was released. */
export const mainMigrations: Record<string, Step> = {
  "0001-first-light": createTables,
  "0002-preview": createPreviewTable,
  "0003-shown-at": addShownAt,
  "0004-files": addPlace,
  "0005-worldlines": createWorldlines,
  "0006-sub-agents": addSubAgents,
  "0007-plan-mode": addMode,
  "0008-call-network": addCallNetwork,
  "0015-known-contents": createKnownContents,
  "0009-decisions": createDecisionTable,
  "0010-grants-and-votes": addGrantsAndVotes,
  "0011-audit-chain": createAuditChain,
  "0012-usage": createUsage,
  "0016-skills": createSkillTables,
  "0013-paused": createPause,
  "0017-preferences": createPreferenceTables,
  "0014-mcp-pins": createMcpPins,
  "0018-audit-high-water": createAuditHighWater,
  "0019-suspects": createSuspects,
};
export const checkpointMigrations: Record<string, Step> = { "0001-first-light": createCheckpointTables };

/** Brings a database to the newest schema. A database from a newer program is refused, not touched. */
export async function migrate(
  database: Kysely<unknown>,
  engine: Engine,
  steps: Record<string, Step>,
  where: string,
  ledger = "migrations",
  schema?: string,
): Promise<void> {
  const migrations = Object.fromEntries(
    Object.entries(steps).map(([name, step]): [string, Migration] => [
      name,
      { up: (db: Kysely<unknown>) => step(db.schema, engine, db) },
    ]),
  );
  const migrator = new Migrator({
    db: database,
    provider: { getMigrations: () => Promise.resolve(migrations) },
    migrationTableName: ledger,
    // Unless told, the migrator takes a ledger in any schema of a Postgres database for its own.
    ...(schema === undefined ? {} : { migrationTableSchema: schema }),
    migrationLockTableName: `${ledger}_lock`,
  });
  const { error, results } = await migrator.migrateToLatest();
  if (!error) return;
  if (describeError(error).includes("corrupted migrations")) {
    throw new AppError(
      "STORE_NEWER",
      `The database ${where} was written by a newer Kurisu. Install that version again, or restore a backup.`,
      { cause: error },
    );
  }
  const failed = results?.find((result) => result.status === "Error")?.migrationName ?? "first read";
  throw new AppError("STORE_FAILED", `Migration ${failed} of ${where} failed: ${describeError(error)}`, {
    cause: error,
  });
}
