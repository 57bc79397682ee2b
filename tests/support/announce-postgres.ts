import { tmpdir } from "node:os";
import type { TestProject } from "vitest/node";
import { openStore } from "./open-store.ts";
import { readPart } from "./tiers.ts";
import { createDatabase, findPostgresPrograms, startPostgresServer, type PostgresServer } from "./postgres-server.ts";
import { tellLeftOutOfRun } from "./left-out.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Of a server that tests may make databases on; empty when there is none. */
    postgresUrl: string;
    /** Name of a database on it with our tables and nothing in them: copying it is quicker than making them each time. */
    postgresTemplate: string;
  }
}

let server: PostgresServer | undefined;
let template: { drop(): Promise<void> } | undefined;

async function provide(project: TestProject, url: string): Promise<void> {
  const made = await createDatabase(url);
  template = made;
  const store = await openStore({ home: tmpdir(), url: made.url });
  await store.close();
  project.provide("postgresUrl", url);
  project.provide("postgresTemplate", new URL(made.url).pathname.slice(1));
}

/** One server for the whole run: one loud line where it is missing, a failure where it must not be. */
export async function setup(project: TestProject): Promise<void> {
  if (readPart() === "quick") {
    project.provide("postgresUrl", "");
    project.provide("postgresTemplate", "");
    return;
  }
  const given = process.env["KURISU_TEST_POSTGRES_URL"];
  const programs = findPostgresPrograms();
  if (given !== undefined && given !== "") return provide(project, given);
  if (programs !== undefined) {
    server = await startPostgresServer(programs, { fsync: false });
    return provide(project, server.url);
  }
  const missing = "PostgreSQL is not installed (apt install postgresql), and KURISU_TEST_POSTGRES_URL names no server.";
  project.provide("postgresUrl", "");
  project.provide("postgresTemplate", "");
  if (process.env["KURISU_REQUIRE_POSTGRES"] === "1") throw new Error(`Tests with Postgres cannot run: ${missing}`);
  tellLeftOutOfRun(project, "tests with Postgres", missing);
}

export async function teardown(): Promise<void> {
  await template?.drop();
  await server?.dispose();
}
