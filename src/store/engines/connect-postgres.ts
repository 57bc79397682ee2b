import { type Driver, Kysely, PostgresAdapter, PostgresDialect, PostgresQueryCompiler } from "kysely";
import {
  Client,
  Pool,
  Query,
  types as parsers,
  type ClientBase,
  type ClientConfig,
  type Connection,
  type PoolClient,
} from "pg";
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
const begin = { name: "kurisu_begin", text: "begin" };

/**
 * Its connections have the server parse a statement once each: that takes longer than running it. A BEGIN waits for the
 * statement behind it, so both are one round trip.
 */
function createPreparingClient(): typeof Client {
  const names = new Map([[begin.text, begin.name]]);
  const nameStatement = (text: string): string | undefined => {
    if (!names.has(text) && names.size < maxNames) names.set(text, `kurisu_${names.size + 1}`);
    return names.get(text);
  };
  return class PreparingClient extends Client {
    #owesBegin = false;

    // `never` satisfies the return type of each of the driver's overloads.
    override query(...given: unknown[]): never {
      return this.#query(given) as never;
    }

    #query(given: readonly unknown[]): unknown {
      const inner = super.query as (...sent: unknown[]) => unknown;
      const send = (...sent: unknown[]) => inner.apply(this, sent);
      const [text, values] = given;
      const owesBegin = this.#owesBegin;
      this.#owesBegin = text === begin.text;
      if (this.#owesBegin) return Promise.resolve({ command: "BEGIN", rows: [] });
      const isStatement = typeof text === "string" && Array.isArray(values) && values.length > 0;
      const name = isStatement ? nameStatement(text) : undefined;
      if (!owesBegin) return name === undefined ? send(...given) : send({ name, text, values });
      // It may be several statements, and those have a protocol of their own.
      if (!isStatement) return (send(begin) as Promise<unknown>).then(() => send(...given));
      return new Promise((resolve, reject) => {
        const query = new Query({ ...(name !== undefined && { name }), text, values }, (error, result) =>
          error ? reject(error) : resolve(result),
        );
        send(putBeginBefore(query as unknown as SentQuery));
      });
    }
  };
}

interface SentQuery {
  submit(connection: Connection): unknown;
  handleCommandComplete(message: { readonly text: string }, connection: Connection): void;
}

/** Without a Sync between them: when the BEGIN fails, the server skips the statement, and the statement gets the error. */
function putBeginBefore(query: SentQuery): SentQuery {
  const submit = query.submit.bind(query);
  const complete = query.handleCommandComplete.bind(query);
  return Object.assign(query, {
    submit(connection: Connection) {
      connection.stream.cork();
      connection.bind({ statement: begin.name }, true);
      connection.execute({}, true);
      const fault = submit(connection);
      connection.stream.uncork();
      return fault;
    },
    handleCommandComplete(...[message, connection]: Parameters<SentQuery["handleCommandComplete"]>) {
      if (message.text !== "BEGIN") complete(message, connection);
    },
  });
}

class CleaningCompiler extends PostgresQueryCompiler {
  protected override appendValue(parameter: unknown): void {
    super.appendValue(replaceNul(parameter));
  }
}

class WatchedAdapter extends PostgresAdapter {
  readonly writes = new TableWrites();
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

/** `setting` = the statement that every new connection begins with. */
export function openPostgresPool<Tables>(
  url: string,
  options: { readonly name: string; readonly size: number; readonly setting: string },
): PostgresPool<Tables> {
  const first = [begin, { text: options.setting }, { text: "commit" }].map((statement) => ({
    ...statement,
    query_timeout: connectMs,
  }));
  // Not as an option of the connection: one in the address would take its place. And not by kysely's hook: a connection that
  // breaks there is never given back, and its place in the pool is lost. The pool waits for the promise.
  const prepare = async (client: ClientBase): Promise<void> => {
    for (const statement of first) await client.query(statement);
  };
  const pool = new Pool({
    ...connectionOptions(url, options.name),
    Client: createPreparingClient(),
    max: options.size,
    allowExitOnIdle: true,
    onConnect: (client): unknown => prepare(client),
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
