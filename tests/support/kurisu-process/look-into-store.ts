import { existsSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { DatabaseError, Pool } from "pg";
import type { StorePlace } from "../../../src/store/open-store.ts";
import { connectionOptions } from "../../../src/store/engines/connect-postgres.ts";

type Row = Readonly<Record<string, string | number | null>>;

/** Reads a database beside the program that writes it; [] before its tables are there. On Postgres there is only one. */
export async function lookIntoStore(
  place: StorePlace,
  query: string,
  database: "kurisu.db" | "checkpoints.db" = "kurisu.db",
): Promise<readonly Row[]> {
  return place.url === undefined ? lookIntoFile(join(place.home, database), query) : lookIntoServer(place.url, query);
}

function lookIntoFile(file: string, query: string): readonly Row[] {
  if (!existsSync(file)) return [];
  const opened = new DatabaseSync(file, { readOnly: true, timeout: 2_000 });
  try {
    return opened.prepare(query).all() as unknown as readonly Row[];
  } catch (error) {
    if (/no such table/.test(String(error))) return [];
    throw error;
  } finally {
    opened.close();
  }
}

const undefinedTable = "42P01";

/** Stories look every few milliseconds: a connection for each look would cost more than what is looked at. */
const pools = new Map<string, Pool>();

function openPool(url: string): Pool {
  const options = { max: 2, idleTimeoutMillis: 1_000, allowExitOnIdle: true };
  const pool = new Pool({ ...connectionOptions(url, "a look of a test"), ...options });
  // An idle one ended with its database or its server; the next look makes a new one, or says why it cannot.
  pool.on("error", () => undefined);
  pools.set(url, pool);
  return pool;
}

async function lookIntoServer(url: string, query: string): Promise<readonly Row[]> {
  try {
    return (await (pools.get(url) ?? openPool(url)).query<Row>(query)).rows;
  } catch (error) {
    if (error instanceof DatabaseError && error.code === undefinedTable) return [];
    throw error;
  }
}

/** Questions whose prompt the person has been shown: from now on their bare word counts. */
export async function openQuestions(
  place: StorePlace,
): Promise<readonly { readonly id: string; readonly code: string; readonly shown: boolean }[]> {
  const rows = await lookIntoStore(
    place,
    "select id, code, shown_after from questions where state = 'open' order by created_at, id",
  );
  return rows.map((row) => ({
    id: String(row["id"]),
    code: String(row["code"]),
    shown: row["shown_after"] !== null,
  }));
}
