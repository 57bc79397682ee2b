import type { TestProject } from "vitest/node";
import { findPostgresPrograms, startPostgresServer, type PostgresServer } from "./postgres-server.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Of a server that tests may make databases on; empty when there is none. */
    postgresUrl: string;
  }
}

let server: PostgresServer | undefined;

/** One server for the whole run: one loud line where it is missing, a failure where it must not be. */
export async function setup(project: TestProject): Promise<void> {
  const given = process.env["KURISU_TEST_POSTGRES_URL"];
  const programs = findPostgresPrograms();
  if (given !== undefined && given !== "") return project.provide("postgresUrl", given);
  if (programs !== undefined) {
    server = await startPostgresServer(programs, { fsync: false });
    return project.provide("postgresUrl", server.url);
  }
  const missing = "PostgreSQL is not installed (apt install postgresql), and KURISU_TEST_POSTGRES_URL names no server.";
  project.provide("postgresUrl", "");
  if (process.env["KURISU_REQUIRE_POSTGRES"] === "1") throw new Error(`Tests with Postgres cannot run: ${missing}`);
  console.warn(`\n!!! Tests with Postgres are left out: ${missing}\n`);
}

export async function teardown(): Promise<void> {
  await server?.dispose();
}
