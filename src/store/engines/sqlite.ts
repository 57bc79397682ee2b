import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import {
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
} from "kysely";
import { createGroupCommit, type GroupCommit, type GroupedWriter } from "./group-commit.ts";
import { createPrivately } from "./keep-private.ts";
import { TableWrites, watchWrites } from "../statements/table-writes.ts";

/** Milliseconds that a deleted text may stay in the write-ahead log of a program that goes on. A clean end empties it, too. */
const emptyEveryMs = 60_000;
const busyMs = 5_000;
const maxStatements = 500;

/**
 * Kysely on Node's own SQLite. Two connections: one writes, and groups simultaneous writes into one COMMIT; the other
 * reads, so that a query outside a transaction sees only what is committed and waits for no writer. `functions` are
 * what its triggers call, `extension` a library with functions for the reading connection.
 */
export function openSqlite<Tables>(
  file: string,
  synchronous: "FULL" | "NORMAL",
  functions: Readonly<Record<string, (...columns: readonly unknown[]) => string>> = {},
  extension?: string,
): Kysely<Tables> {
  createPrivately(file);
  const writer = new DatabaseSync(file, { timeout: busyMs });
  writer.exec(`PRAGMA journal_mode=WAL; PRAGMA synchronous=${synchronous}; PRAGMA foreign_keys=ON`);
  // SQLite overwrites deleted data with zeros. The log still holds it until that is emptied.
  writer.exec("PRAGMA secure_delete=ON; PRAGMA journal_size_limit=0");
  for (const [name, compute] of Object.entries(functions))
    writer.function(name, { deterministic: true, varargs: true }, compute);
  const reader = new DatabaseSync(file, { timeout: busyMs, readOnly: true, allowExtension: extension !== undefined });
  if (extension !== undefined) loadOnce(reader, extension);
  const emptying = setInterval(() => emptyLog(writer), emptyEveryMs).unref();
  const driver = new GroupingDriver(prepareOnce(writer), prepareOnce(reader), createGroupCommit(writer), () => {
    clearInterval(emptying);
    reader.close();
    // The last one to leave empties the log.
    writer.close();
  });
  const adapter = new GroupingAdapter();
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => adapter,
      createDriver: () => watchWrites(driver, adapter.writes),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  });
}

/** After this one no library can be loaded by this connection, by no statement either. */
function loadOnce(database: DatabaseSync, extension: string): void {
  try {
    database.loadExtension(extension);
  } catch {
    // A library for another machine counts as none: callers check first whether its functions are there.
  } finally {
    database.enableLoadExtension(false);
  }
}

/**
 * Not while another process reads, and without waiting for it: that would block this process. The next call will do.
 */
function emptyLog(database: DatabaseSync): void {
  if (!database.isOpen || database.isTransaction) return;
  database.exec("PRAGMA busy_timeout=0");
  try {
    database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  } catch (error) {
    // SQLITE_BUSY and SQLITE_LOCKED (https://sqlite.org/rescode.html); the next write reports a full disk.
    if (!(error instanceof Error && "errcode" in error)) throw error;
  } finally {
    database.exec(`PRAGMA busy_timeout=${busyMs}`);
  }
}

class GroupingAdapter extends SqliteAdapter {
  readonly writes = new TableWrites();

  /**
   * SQLite does undo CREATE TABLE with its transaction. Kysely's own adapter denies it and would run a migration table by
   * table; a process that is killed in between would leave a database that can never be opened again.
   */
  override get supportsTransactionalDdl(): boolean {
    return true;
  }

  /** Writers wait in the group: behind kysely's own lock none could join another's COMMIT. */
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

type Run = (query: CompiledQuery) => QueryResult<never>;

/** Each statement is prepared once. */
function prepareOnce(database: DatabaseSync): Run {
  const known = new Map<string, { readonly statement: StatementSync; readonly returnsRows: boolean }>();

  function prepare(sql: string) {
    const statement = database.prepare(sql);
    const prepared = { statement, returnsRows: statement.columns().length > 0 };
    if (known.size >= maxStatements) known.clear();
    known.set(sql, prepared);
    return prepared;
  }

  return ({ sql, parameters }) => {
    const { returnsRows, statement } = known.get(sql) ?? prepare(sql);
    const input = parameters as SQLInputValue[];
    if (returnsRows) return { rows: statement.all(...input) as never[] };
    const { changes, lastInsertRowid } = statement.run(...input);
    return { insertId: BigInt(lastInsertRowid), numAffectedRows: BigInt(changes), rows: [] };
  };
}

class GroupingDriver implements Driver {
  readonly #write: Run;
  readonly #read: Run;
  readonly #group: GroupCommit;
  readonly #close: () => void;

  constructor(write: Run, read: Run, group: GroupCommit, close: () => void) {
    this.#write = write;
    this.#read = read;
    this.#group = group;
    this.#close = close;
  }

  init = (): Promise<void> => Promise.resolve();
  acquireConnection = (): Promise<Connection> => Promise.resolve(new Connection(this.#write, this.#read, this.#group));
  releaseConnection = (): Promise<void> => Promise.resolve();
  beginTransaction = (connection: DatabaseConnection): Promise<void> => (connection as Connection).begin();
  commitTransaction = (connection: DatabaseConnection): Promise<void> => (connection as Connection).commit();
  rollbackTransaction = (connection: DatabaseConnection): Promise<void> => (connection as Connection).rollback();

  async destroy(): Promise<void> {
    this.#group.close();
    this.#close();
  }
}

/** A single query, or one transaction. */
class Connection implements DatabaseConnection {
  readonly #write: Run;
  readonly #read: Run;
  readonly #group: GroupCommit;
  #writer: GroupedWriter | undefined;

  constructor(write: Run, read: Run, group: GroupCommit) {
    this.#write = write;
    this.#read = read;
    this.#group = group;
  }

  async begin(): Promise<void> {
    this.#writer = await this.#group.begin();
  }

  async commit(): Promise<void> {
    await this.#writer?.end();
  }

  async rollback(): Promise<void> {
    this.#writer?.undo();
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    if (!this.#writer) return isReading(query) ? this.#read(query) : this.#group.write(() => this.#write(query));
    this.#writer.assertOpen();
    try {
      return this.#write(query);
    } catch (error) {
      this.#group.noteFailure(error);
      throw error;
    }
  }

  streamQuery(): never {
    throw new Error("rows are read at once, not streamed");
  }
}

function isReading({ query, sql }: CompiledQuery): boolean {
  if (query.kind === "SelectQueryNode") return true;
  return query.kind === "RawNode" && /^\s*(?:select|with)\b/i.test(sql);
}
