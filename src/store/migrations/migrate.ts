import { sql, type Kysely } from "kysely";
import { Migrator, type Migration } from "kysely/migration";
import { AppError, describeError } from "../../core/errors.ts";
import { createCheckpointTables } from "./checkpoints.ts";
import type { Engine, Step } from "./engine.ts";

/** The main tables' migrations are declared with them: tables/kernel-tables.ts, and `tables.ts` of a feature. */
export const checkpointMigrations: Record<string, Step> = { "0001-first-light": createCheckpointTables };

/** Brings a database to the newest schema. A database from a newer program is refused, not touched. */
export async function migrate(
  database: Kysely<unknown>,
  engine: Engine,
  steps: Readonly<Record<string, Step>>,
  where: string,
  ledger = "migrations",
  schema?: string,
): Promise<void> {
  const migrations = Object.fromEntries(
    Object.entries(steps).map(([name, step]): [string, Migration] => [
      name,
      {
        up: async (db: Kysely<unknown>) => {
          for (const statement of step(engine)) await sql.raw(statement).execute(db);
        },
      },
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
  const bring = async () => {
    const result = await migrator.migrateToLatest();
    return isOvertaken(result.error) ? migrator.migrateToLatest() : result;
  };
  let { error, results } = await bring();
  if (describeError(error).includes("corrupted migrations")) {
    await adoptFormerSteps(database, { ledger, steps, where });
    ({ error, results } = await bring());
  }
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

/** Postgres lists the columns as they were and asks for each by its name: another process has just given one a new name. */
function isOvertaken(error: unknown): boolean {
  const undefinedColumn = "42703";
  return (error as { readonly code?: unknown } | undefined)?.code === undefinedColumn;
}

/** Before the first release the tables were made in these steps; all of them together make what 0001-tables makes. */
export const formerSteps = [
  "0001-first-light",
  "0002-official-qq",
  "0003-account-links",
  "0004-api-door",
  "0005-chats",
  "0006-voice",
  "0007-contact-requests",
  "0008-reactions",
  "0009-reminders",
  "0010-while-busy",
  "0011-outages",
  "0012-lasting-context",
  "0013-chat-choices",
  "0014-usage-of-chats",
  "0015-said-in-groups",
  "0016-places-of-remarks",
  "0017-chat-log",
  "0018-memories",
  "0020-audit-texts",
  "0021-vectors",
  "0022-memory-words",
  "0023-fact-sources",
  "0024-log-questions",
  "0025-left-groups",
  "0026-chosen-personas",
  "0027-origins-of-imports",
];

/** Takes over a database that has all former steps, by its ledger alone; one of a newer program stays as it is. */
function adoptFormerSteps(
  database: Kysely<unknown>,
  {
    ledger,
    steps,
    where,
  }: { readonly ledger: string; readonly steps: Readonly<Record<string, Step>>; readonly where: string },
): Promise<void> {
  return database.transaction().execute(async (tx) => {
    const { rows } = await sql<{ name: string }>`select name from ${sql.table(ledger)}`.execute(tx);
    // An unknown step comes from a newer program, whatever else is there.
    if (rows.some(({ name }) => !formerSteps.includes(name) && !(name in steps))) return;
    // A second process waits here for the first one's commit, and finds nothing.
    const taken = await sql`delete from ${sql.table(ledger)} where name in (${sql.join(formerSteps)})`.execute(tx);
    const count = Number(taken.numAffectedRows ?? 0);
    if (count === 0) return;
    if (count < formerSteps.length) {
      const remedy = "Start the previous version once, then this one; or move the data away.";
      throw new AppError("STORE_FAILED", `The database ${where} was made by an unreleased Kurisu. ${remedy}`);
    }
    const now = new Date().toISOString();
    await sql`insert into ${sql.table(ledger)} (name, timestamp) values ('0001-tables', ${now})`.execute(tx);
  });
}
