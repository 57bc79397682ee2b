import { type Driver, Kysely, PostgresAdapter, PostgresDialect, PostgresQueryCompiler } from "kysely";
import { Client, Pool, types as parsers, type ClientBase, type ClientConfig, type PoolClient } from "pg";
import { replaceNul } from "../statements/replace-nul.ts";
import { nameTlsMode } from "./parse-database-address.ts";
import { TableWrites, watchWrites } from "../statements/table-writes.ts";

const connectMs = 10_000;
const closeMs = 5_000;

/** Options of every connection to the server: the pools' and the lock's. */
export function connectionOptions(url: string, name: string): ClientConfig {
  return {
    connectionString: nameTlsMode(url),
    application_name: name,
    connectionTimeoutMillis: connectMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    // For these connections only: the driver's own list is shared.
    types: { getTypeParser: chooseParser },
  };
}

function chooseParser(...[oid, format]: Parameters<typeof parsers.getTypeParser>): (value: string) => unknown {
  const usual = parsers.getTypeParser(oid, format) as (value: string) => unknown;
  // Every integer here (times, counters) is far below 2^53.
  if (oid === parsers.builtins.INT8) return Number;
  // Plain bytes, as SQLite gives them: a Buffer has a different form in JSON.
  return oid === parsers.builtins.BYTEA ? (value) => new Uint8Array(usual(value) as Buffer) : usual;
}

/** Texts that differ in the length of a list must not fill the server's memory. */
const maxNames = 200;

/** Its connections have the server parse a statement once each: that takes longer than running it. */
function createPreparingClient(): typeof Client {
  const names = new Map<string, string>();
  const nameStatement = (text: string): string | undefined => {
    if (!names.has(text) && names.size < maxNames) names.set(text, `kurisu_${names.size + 1}`);
    return names.get(text);
  };
  return class PreparingClient extends Client {
    // `never` satisfies the return type of each of the driver's overloads.
    override query(...given: unknown[]): never {
      const [text, values] = given;
      const isStatement = typeof text === "string" && Array.isArray(values) && values.length > 0;
      const name = isStatement ? nameStatement(text) : undefined;
      const query = super.query as (...sent: unknown[]) => never;
      return name === undefined ? query.apply(this, given) : query.call(this, { name, text, values });
    }
  };
}

class CleaningCompiler extends PostgresQueryCompiler {
  protected override appendValue(parameter: unknown): void {
    super.appendValue(replaceNul(parameter));
  }
}

class WatchedAdapter extends PostgresAdapter {
  readonly writes = new TableWrites({ isShared: true });
}

class CleaningDialect extends PostgresDialect {
  readonly #adapter = new WatchedAdapter();

  override createAdapter(): PostgresAdapter {
    return this.#adapter;
  }

  override createDriver(): Driver {
    return watchWrites(super.createDriver(), this.#adapter.writes);
  }

  override createQueryCompiler(): PostgresQueryCompiler {
    return new CleaningCompiler();
  }
}

/** A pool of connections with kysely on it. */
export interface PostgresPool<Tables> {
  readonly db: Kysely<Tables>;
  /** Ends all connections, at the latest after a few seconds, even if the server does not answer. */
  close(): Promise<void>;
}

/** `setting` = the statement that every new connection begins with. `name` has no quotation marks. */
export function openPostgresPool<Tables>(
  url: string,
  options: { readonly name: string; readonly size: number; readonly setting: string },
): PostgresPool<Tables> {
  // An address may bring a name of its own.
  const text = `set application_name = '${options.name}'; ${options.setting}`;
  const setting = { text, query_timeout: connectMs };
  // Not as an option of the connection: one in the address would take its place. And not by kysely's hook: a connection that
  // breaks there is never given back, and its place in the pool is lost. The pool waits for the promise.
  const prepare = (client: ClientBase): unknown => client.query(setting);
  const pool = new Pool({
    ...connectionOptions(url, options.name),
    Client: createPreparingClient(),
    max: options.size,
    allowExitOnIdle: true,
    onConnect: prepare,
  });
  const clients = new Set<PoolClient>();
  // The pool drops a connection that breaks, and its user learns of it from the query.
  const leaveToQueries = (): void => undefined;
  pool.on("error", leaveToQueries);
  pool.on("connect", (client) => {
    client.on("error", leaveToQueries);
    clients.add(client);
  });
  pool.on("remove", (client) => clients.delete(client));
  const db = new Kysely<Tables>({
    dialect: new CleaningDialect({ pool }),
  });
  return {
    db,
    async close() {
      const giveUp = setTimeout(() => {
        for (const client of clients) client.connection.stream.destroy();
      }, closeMs);
      await db.destroy();
      clearTimeout(giveUp);
    },
  };
}
