import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { Kysely, SqliteAdapter, SqliteDialect, type SqliteStatement } from "kysely";
import { createPrivately } from "./keep-private.ts";

/**
 * SQLite does undo CREATE TABLE with its transaction. Kysely's own adapter denies it and would run a migration table by
 * table; a process that is killed in between would leave a database that can never be opened again.
 */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

class TransactionalDialect extends SqliteDialect {
  override createAdapter(): SqliteAdapter {
    return new TransactionalAdapter();
  }
}

/** Milliseconds that a deleted text may stay in the write-ahead log of a program that goes on. A clean end empties it, too. */
const emptyEveryMs = 60_000;
const busyMs = 5_000;

/** Not while somebody else reads, and never waiting for them: that would stop the process. The next time will do. */
function emptyLog(database: DatabaseSync): void {
  if (!database.isOpen || database.isTransaction) return;
  database.exec("PRAGMA busy_timeout=0");
  try {
    database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  } catch (error) {
    // SQLITE_BUSY and SQLITE_LOCKED (https://sqlite.org/rescode.html); the next write tells of a full disk.
    if (!(error instanceof Error && "errcode" in error)) throw error;
  } finally {
    database.exec(`PRAGMA busy_timeout=${busyMs}`);
  }
}

/**
 * What kysely's SQLite dialect asks of a driver, on Node's own SQLite. Statements are prepared once each. `functions` are
 * what its triggers call.
 */
export function openSqlite<Tables>(
  file: string,
  synchronous: "FULL" | "NORMAL",
  functions: Readonly<Record<string, (...columns: readonly unknown[]) => string>> = {},
): Kysely<Tables> {
  createPrivately(file);
  const database = new DatabaseSync(file, { timeout: busyMs });
  database.exec(`PRAGMA journal_mode=WAL; PRAGMA synchronous=${synchronous}; PRAGMA foreign_keys=ON`);
  // SQLite overwrites deleted data with zeros. The log still holds it until that is emptied.
  database.exec("PRAGMA secure_delete=ON; PRAGMA journal_size_limit=0");
  const emptying = setInterval(() => emptyLog(database), emptyEveryMs).unref();
  for (const [name, compute] of Object.entries(functions))
    database.function(name, { deterministic: true, varargs: true }, compute);
  const statements = new Map<string, SqliteStatement>();
  const input = (parameters: readonly unknown[]) => parameters as SQLInputValue[];

  function prepare(sql: string): SqliteStatement {
    const statement = database.prepare(sql);
    return {
      reader: statement.columns().length > 0,
      all: (parameters) => statement.all(...input(parameters)),
      run(parameters) {
        // SQLite undoes a transaction by itself when the disk is full; a second rollback would hide why.
        if (sql === "rollback" && !database.isTransaction) return { changes: 0, lastInsertRowid: 0 };
        return statement.run(...input(parameters));
      },
      iterate: (parameters) => statement.iterate(...input(parameters)),
    };
  }

  return new Kysely<Tables>({
    dialect: new TransactionalDialect({
      database: {
        close: () => {
          clearInterval(emptying);
          statements.clear();
          database.close();
        },
        prepare: (sql) => {
          const known = statements.get(sql);
          if (known) return known;
          const statement = prepare(sql);
          if (statements.size >= 500) statements.clear();
          statements.set(sql, statement);
          return statement;
        },
      },
    }),
  });
}
