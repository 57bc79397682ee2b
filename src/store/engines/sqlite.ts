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
import type { WriteAheadLog } from "./write-ahead-log.ts";
import { TableWrites, watchWrites } from "../statements/table-writes.ts";

/** Milliseconds that a deleted text may stay in the write-ahead log of a program that goes on. A clean end empties it, too. */
const emptyEveryMs = 60_000;
const busyMs = 5_000;
const maxStatements = 500;

export interface SqliteOptions {
  /** Opens the log of a file whose writers are answered when the disk has what they wrote; without it they do not wait. */
  readonly openLog?: (file: string) => WriteAheadLog;
  /** Functions that its triggers call. */
  readonly functions?: Readonly<Record<string, (...columns: readonly unknown[]) => string>>;
  /** A library with functions for the reading connection. */
  readonly extension?: string | undefined;
}

/**
 * Kysely on Node's own SQLite. Two connections: one writes, and groups simultaneous writes into one COMMIT; the other
 * reads, so that a query outside a transaction sees only what is committed and waits for no writer.
 */
export function openSqlite<Tables>(file: string, options: SqliteOptions = {}): Kysely<Tables> {
  const { extension, functions = {} } = options;
  createPrivately(file);
  const writer = new DatabaseSync(file, { timeout: busyMs });
  // A COMMIT does not wait for the disk: that would block the event loop. SQLite still flushes the log before it copies
  // from it into the database.
  writer.exec("PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA foreign_keys=ON");
  // SQLite overwrites deleted data with zeros. The log still holds it until that is emptied.
  writer.exec("PRAGMA secure_delete=ON; PRAGMA journal_size_limit=0");
  for (const [name, compute] of Object.entries(functions))
    writer.function(name, { deterministic: true, varargs: true }, compute);
  const log = options.openLog && openLogOf(writer, file, options.openLog);
  const reader = new DatabaseSync(file, { timeout: busyMs, readOnly: true, allowExtension: extension !== undefined });
  if (extension !== undefined) loadOnce(reader, extension);
  const emptying = setInterval(() => emptyLog(writer), emptyEveryMs).unref();
  const driver = new GroupingDriver(prepareOnce(writer), prepareOnce(reader), createGroupCommit(writer, log), () => {
    clearInterval(emptying);
    log?.close();
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

/**
 * After a crash it is copied into the database at once: the process before may have ended because the disk did not take
 * the log, and then only the kernel's memory has the pages that are read from it.
 */
function openLogOf(database: DatabaseSync, file: string, open: (file: string) => WriteAheadLog): WriteAheadLog {
  // SQLite creates the file when it reads for the first time.
  database.exec("SELECT 1 FROM sqlite_schema");
  emptyLog(database);
  return open(file);
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
  readonly writes = new TableWrites({ isShared: false });

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
    await this.#group.close();
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
    // Its reason may be a row that is not on the disk yet.
    await this.#group.unflushed;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    if (!this.#writer) return isReading(query) ? this.#readFlushed(query) : this.#group.write(() => this.#write(query));
    this.#writer.assertOpen();
    try {
      return this.#write(query);
    } catch (error) {
      this.#group.noteFailure(error);
      throw error;
    }
  }

  /** Answered when every row that it may have seen is on the disk, so nothing happens because of one that vanishes. */
  #readFlushed(query: CompiledQuery): QueryResult<never> | Promise<QueryResult<never>> {
    const result = this.#read(query);
    const { unflushed } = this.#group;
    return unflushed ? unflushed.then(() => result) : result;
  }

  streamQuery(): never {
    throw new Error("rows are read at once, not streamed");
  }
}

function isReading({ query, sql }: CompiledQuery): boolean {
  if (query.kind === "SelectQueryNode") return true;
  return query.kind === "RawNode" && /^\s*(?:select|with)\b/i.test(sql);
}
