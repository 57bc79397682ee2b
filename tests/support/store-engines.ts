import { expect } from "vitest";
import { untilTestEnds } from "./keep-until.ts";
import { layTables } from "./lay-tables.ts";
import { createDatabaseUntil, createTestDatabase, postgresIsThere } from "./postgres.ts";
import type { StorePlace } from "../../src/store/open-store.ts";
import { createTemporaryFolder } from "./temporary-folder.ts";
import { readPart, tierOfFile } from "./tiers.ts";

export type EngineName = "sqlite" | "postgres";

const all = (): readonly EngineName[] => (postgresIsThere() ? ["sqlite", "postgres"] : ["sqlite"]);

/**
 * For `describe.each(listEngines())` in contracts, faults, crash stories, races of answers and the tests of the store.
 * A file of the quick tier runs on SQLite in `npm test`, and on Postgres in what `npm run test:full` runs beside it.
 */
export function listEngines(): readonly EngineName[] {
  const part = readPart();
  if (part === "quick") return ["sqlite"];
  const { testPath } = expect.getState();
  const ranOnSqlite = part === "rest" && testPath !== undefined && tierOfFile(testPath) === "quick";
  return ranOnSqlite && postgresIsThere() ? ["postgres"] : all();
}

/** For every other test: its subject is the same on both, and only `npm run test:full -- --all` runs it on both. */
export const listUsualEngines = (): readonly EngineName[] =>
  process.env["KURISU_TEST_FULL"] === "1" ? all() : ["sqlite"];

/** For courses that are killed at a sample of points: one engine a run, and the seed says which. KURISU_TEST_FULL=1 takes both. */
export function sampleEngines(seed: number): readonly EngineName[] {
  const engines = listEngines();
  return process.env["KURISU_TEST_FULL"] === "1" ? engines : engines.slice(seed % engines.length).slice(0, 1);
}

/** A place for a store in which nothing is yet, gone when the test is over. */
export async function createStorePlace(engine: EngineName): Promise<StorePlace> {
  const home = await createTemporaryFolder();
  if (engine === "postgres") return { home, url: await createDatabaseUntil(untilTestEnds) };
  await layTables(home);
  return { home };
}

/** The same without tables. */
export async function createBarePlace(engine: EngineName): Promise<StorePlace> {
  const home = await createTemporaryFolder();
  return engine === "sqlite" ? { home } : { home, url: await createTestDatabase() };
}
