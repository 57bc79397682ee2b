import { untilTestEnds } from "./keep-until.ts";
import { layTables } from "./lay-tables.ts";
import { createDatabaseUntil, createTestDatabase, postgresIsThere } from "./postgres.ts";
import type { StorePlace } from "../../src/store/open-store.ts";
import { createTemporaryFolder } from "./temporary-folder.ts";

export type EngineName = "sqlite" | "postgres";

/** For `describe.each(engines)` in contracts, faults, crash stories, races of answers and the tests of the store: the engines there are. */
export const engines: readonly EngineName[] = postgresIsThere() ? ["sqlite", "postgres"] : ["sqlite"];

/** For every other test: its subject is the same on both, and `npm run test:full` runs it on both. */
export const usualEngines: readonly EngineName[] = process.env["KURISU_TEST_FULL"] === "1" ? engines : ["sqlite"];

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
