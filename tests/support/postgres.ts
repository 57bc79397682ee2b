import { inject } from "vitest";
import { untilTestEnds } from "./keep-until.ts";
import { createDatabase } from "./postgres-server.ts";

/** false on a machine without the server; the run has said so once, loudly. */
export function postgresIsThere(): boolean {
  return inject("postgresUrl") !== "";
}

/** The address of an empty database that is gone when the test is over. */
export async function createTestDatabase(): Promise<string> {
  const database = await createDatabase(inject("postgresUrl"));
  untilTestEnds(() => database.drop());
  return database.url;
}

/** The address of a database with our tables and nothing in them, gone when `keep` says so. */
export async function createDatabaseUntil(keep: (end: () => Promise<void>) => void): Promise<string> {
  const database = await createDatabase(inject("postgresUrl"), inject("postgresTemplate"));
  keep(() => database.drop());
  return database.url;
}
