import { sql, type Kysely } from "kysely";
import { Migrator, type Migration } from "kysely/migration";
import { AppError, describeError } from "../../core/errors.ts";
import { createCheckpointTables } from "./0001-checkpoints.ts";
import { createTables } from "./0001-first-light.ts";
import { createQqTables } from "./0002-official-qq.ts";
import { createLinkTables } from "./0003-account-links.ts";
import { createApiIndex } from "./0004-api-door.ts";
import { createChatTables } from "./0005-chats.ts";
import { addVoice } from "./0006-voice.ts";
import { createContactTables } from "./0007-contact-requests.ts";
import { createReactionTable } from "./0008-reactions.ts";
import { createReminderTables } from "./0009-reminders.ts";
import { createSteeringTable } from "./0010-while-busy.ts";
import { createOutageTable } from "./0011-outages.ts";
import { createContextTables } from "./0012-lasting-context.ts";
import { addChatChoices } from "./0013-chat-choices.ts";
import { countUsageOfChats } from "./0014-usage-of-chats.ts";
import { keepWhoWasOverheard } from "./0015-said-in-groups.ts";
import { indexPlacesOfRemarks } from "./0016-places-of-remarks.ts";
import { createLogTables } from "./0017-chat-log.ts";
import { createMemoryTables } from "./0018-memories.ts";
import { createAuditTexts } from "./0020-audit-texts.ts";
import { createVectorTable } from "./0021-vectors.ts";
import { dropWordsOfMemories } from "./0022-memory-words.ts";
import { createFactSources } from "./0023-fact-sources.ts";
import { markLogQuestions } from "./0024-log-questions.ts";
import { keepWhoLeft } from "./0025-left-groups.ts";
import { addChosenPersonas } from "./0026-chosen-personas.ts";
import { keepOrigins } from "./0027-origins-of-imports.ts";
import type { Engine } from "./engine.ts";

/** The statements of one migration. */
type Step = (engine: Engine) => readonly string[];

/** Every migration of the main tables, by its number and name. Never change one that was released. */
export const mainMigrations: Record<string, Step> = {
  "0001-first-light": createTables,
  "0002-official-qq": createQqTables,
  "0003-account-links": createLinkTables,
  "0004-api-door": createApiIndex,
  "0005-chats": createChatTables,
  "0006-voice": addVoice,
  "0007-contact-requests": createContactTables,
  "0008-reactions": createReactionTable,
  "0009-reminders": createReminderTables,
  "0010-while-busy": createSteeringTable,
  "0011-outages": createOutageTable,
  "0012-lasting-context": createContextTables,
  "0013-chat-choices": addChatChoices,
  "0014-usage-of-chats": countUsageOfChats,
  "0015-said-in-groups": keepWhoWasOverheard,
  "0016-places-of-remarks": indexPlacesOfRemarks,
  "0017-chat-log": createLogTables,
  "0018-memories": createMemoryTables,
  "0020-audit-texts": createAuditTexts,
  "0021-vectors": createVectorTable,
  "0022-memory-words": dropWordsOfMemories,
  "0023-fact-sources": createFactSources,
  "0024-log-questions": markLogQuestions,
  "0025-left-groups": keepWhoLeft,
  "0026-chosen-personas": addChosenPersonas,
  "0027-origins-of-imports": keepOrigins,
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
    await adoptUnreleased(database, engine, { ledger, steps, where });
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

/** Before the first release the tables were made in these further steps; 0001 has one more column and one other name. */
export const unreleased = [
  "0002-preview",
  "0003-shown-at",
  "0004-files",
  "0005-worldlines",
  "0006-sub-agents",
  "0007-plan-mode",
  "0008-call-network",
  "0009-decisions",
  "0010-grants-and-votes",
  "0011-audit-chain",
  "0012-usage",
  "0013-paused",
  "0014-mcp-pins",
  "0015-known-contents",
  "0016-skills",
  "0017-preferences",
  "0018-audit-high-water",
  "0019-suspects",
];

/** Takes over a database of a program from before the first release; any other stays as it is. */
function adoptUnreleased(
  database: Kysely<unknown>,
  { text }: Engine,
  { ledger, steps, where }: { readonly ledger: string; readonly steps: Record<string, Step>; readonly where: string },
): Promise<void> {
  return database.transaction().execute(async (tx) => {
    const { rows } = await sql<{ name: string }>`select name from ${sql.table(ledger)}`.execute(tx);
    // A step that nobody here knows is of a newer program, whatever else is there.
    if (rows.some(({ name }) => !unreleased.includes(name) && !(name in steps))) return;
    // A second process waits here for the first one's commit, and finds nothing.
    const taken = await sql`delete from ${sql.table(ledger)} where name in (${sql.join(unreleased)})`.execute(tx);
    const count = Number(taken.numAffectedRows ?? 0);
    if (count === 0) return;
    if (count < unreleased.length) {
      const remedy = "Start the program that wrote it last once more, at its newest version, or move the data away.";
      throw new AppError("STORE_FAILED", `The database ${where} is from before the first release. ${remedy}`);
    }
    await sql.raw(`alter table inbox add column requester ${text}`).execute(tx);
    await sql`alter table question_calls rename column standing to scope`.execute(tx);
  });
}
