import { Client } from "pg";
import { createDatabase, findPostgresPrograms, startPostgresServer } from "../../tests/support/postgres-server.ts";
import { readParent, readTreeCpu } from "../floor/measured-process.ts";

export type CreateDatabase = () => Promise<{ readonly url: string; drop(): Promise<void> }>;

/** A Postgres of the bench's own, with every flush; returns what makes a new database in it. */
export async function openServer(stack: AsyncDisposableStack): Promise<CreateDatabase | undefined> {
  const programs = findPostgresPrograms();
  if (programs === undefined) {
    console.error("Postgres cannot be measured: its programs are not installed (Debian: apt install postgresql)");
    return undefined;
  }
  const server = await startPostgresServer(programs, { fsync: true });
  stack.defer(() => server.dispose());
  return () => createDatabase(server.url);
}

/** Reads the processor time of a server on this machine so far, in milliseconds. */
export async function findServerCpu(url: string): Promise<() => number> {
  const client = new Client(url);
  await client.connect();
  try {
    const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
    const server = readParent(rows[0]?.pid ?? 0);
    return () => readTreeCpu(server);
  } finally {
    await client.end();
  }
}

export function readOwnCpu(): number {
  const { system, user } = process.cpuUsage();
  return (system + user) / 1_000;
}
