import type { CompiledQuery, DatabaseConnection, Driver, QueryResult, TransactionSettings } from "kysely";

const maxTexts = 2_000;

/**
 * When tables and their columns were last written, so that rows read before may be kept in memory. It sees only what goes
 * through this store's driver: where other processes may write to the database (`isShared`), no row may be kept.
 */
export class TableWrites {
  readonly #isShared: boolean;
  readonly #counts = new Map<string, number>();
  readonly #open = new Map<string, number>();
  readonly #known = new Map<string, readonly string[]>();
  readonly #hearers = new Set<() => void>();

  constructor({ isShared }: { readonly isShared: boolean }) {
    this.#isShared = isShared;
  }

  /**
   * A number that is the same as before if nothing was written to these places since; undefined while one is written, and
   * always on a shared database. `people` is the whole table; `people.role` that column of the rows that were there.
   */
  mark(places: readonly string[]): number | undefined {
    if (this.#isShared) return undefined;
    let sum = 0;
    for (const place of places.flatMap(listParts)) {
      if ((this.#open.get(place) ?? 0) > 0) return undefined;
      sum += this.#counts.get(place) ?? 0;
    }
    return sum;
  }

  begin(place: string): void {
    this.#open.set(place, (this.#open.get(place) ?? 0) + 1);
  }

  end(place: string): void {
    this.#open.set(place, (this.#open.get(place) ?? 0) - 1);
    this.#counts.set(place, (this.#counts.get(place) ?? 0) + 1);
    for (const heard of this.#hearers) heard();
  }

  /** Calls back after each write, once or more. Answers how to end it. */
  hear(heard: () => void): () => void {
    this.#hearers.add(heard);
    return () => void this.#hearers.delete(heard);
  }

  /** The places that a statement writes. */
  find(sql: string): readonly string[] {
    const known = this.#known.get(sql);
    if (known) return known;
    const found = [
      ...new Set(
        [...sql.matchAll(writing)].flatMap(([, verb = "", first = "", second]) =>
          listWritten(sql, verb, second ?? first),
        ),
      ),
    ];
    if (this.#known.size >= maxTexts) this.#known.clear();
    this.#known.set(sql, found);
    return found;
  }
}

const writing =
  /\b(insert\s+(?:or\s+\w+\s+)?into|replace\s+into|merge\s+into|update(?:\s+or\s+\w+|\s+only)?|delete\s+from(?:\s+only)?|truncate(?:\s+table)?)(?:\s+|(?="))"?(?!set\b)(\w+)"?(?:\."?(\w+))?/gi;

/** Columns without quotes, or several at once: what an UPDATE sets cannot be told. */
const unclear = /\bset\s+(?!")|,\s*[a-z_]\w*\s*=/i;

/**
 * An UPDATE writes the columns that it names, and some that it only compares; what is unclear, and what takes rows away,
 * writes every column.
 */
function listWritten(sql: string, verb: string, table: string): readonly string[] {
  const isPlainInsert = /^insert\s+into/i.test(verb);
  if (!isPlainInsert && !/^update/i.test(verb)) return [table, `${table}.*`];
  if (isPlainInsert && !/\bset\b/i.test(sql)) return [table];
  const columns = unclear.test(sql) ? ["*"] : [...sql.matchAll(/"(\w+)"\s*=(?!=)/g)].map(([, name = ""]) => name);
  return [table, ...(columns.length > 0 ? columns : ["*"]).map((name) => `${table}.${name}`)];
}

function listParts(place: string): readonly string[] {
  const [table = ""] = place.split(".");
  return place === table ? [table] : [place, `${table}.*`];
}

/** The same driver; what its statements write is noted from before the statement until its COMMIT has succeeded. */
export function watchWrites(driver: Driver, writes: TableWrites): Driver {
  const inner = (connection: DatabaseConnection) => (connection as WatchedConnection).inner;
  return {
    init: () => driver.init(),
    destroy: () => driver.destroy(),
    acquireConnection: async () => new WatchedConnection(await driver.acquireConnection(), writes),
    releaseConnection: (connection) => driver.releaseConnection(inner(connection)),
    async beginTransaction(connection, settings: TransactionSettings) {
      await driver.beginTransaction(inner(connection), settings);
      (connection as WatchedConnection).written = new Set();
    },
    async commitTransaction(connection) {
      // A COMMIT that failed may yet happen on a server: its tables stay open, so they are read each time from then on.
      await driver.commitTransaction(inner(connection));
      endAll(connection as WatchedConnection, writes);
    },
    async rollbackTransaction(connection) {
      await driver.rollbackTransaction(inner(connection));
      endAll(connection as WatchedConnection, writes);
    },
  };
}

function endAll(connection: WatchedConnection, writes: TableWrites): void {
  for (const place of connection.written ?? []) writes.end(place);
  connection.written = undefined;
}

/** The database itself refused the statement. After a connection that broke it may have been carried out. */
function isUndone(error: unknown): boolean {
  const { code, errcode, severity } = error as Readonly<Record<"code" | "errcode" | "severity", unknown>>;
  // Classes 08 and 57 of SQLSTATE: the connection, the server's end.
  return typeof errcode === "number" || (typeof severity === "string" && !/^(?:08|57)/.test(String(code)));
}

class WatchedConnection implements DatabaseConnection {
  readonly inner: DatabaseConnection;
  readonly #writes: TableWrites;
  /** The places that the transaction has written. */
  written: Set<string> | undefined;

  constructor(inner: DatabaseConnection, writes: TableWrites) {
    this.inner = inner;
    this.#writes = writes;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const places = this.#writes.find(query.sql);
    if (places.length === 0) return this.inner.executeQuery<Row>(query);
    const { written } = this;
    for (const place of places) if (!written?.has(place)) this.#writes.begin(place);
    if (written) for (const place of places) written.add(place);
    try {
      const result = await this.inner.executeQuery<Row>(query);
      if (!written) for (const place of places) this.#writes.end(place);
      return result;
    } catch (error) {
      if (!written && isUndone(error)) for (const place of places) this.#writes.end(place);
      throw error;
    }
  }

  streamQuery<Row>(query: CompiledQuery, chunkSize: number): AsyncIterableIterator<QueryResult<Row>> {
    return this.inner.streamQuery<Row>(query, chunkSize);
  }
}
