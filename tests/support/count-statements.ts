import { basename } from "node:path";
import { DatabaseSync, StatementSync } from "node:sqlite";
import { onTestFinished } from "vitest";

/** What went to SQLite, by file. A commit is a COMMIT or a write outside a transaction. */
export interface StatementCounts {
  readonly main: readonly string[];
  readonly checkpoints: readonly string[];
  readonly commits: number;
  /** Forgets what was counted so far. */
  reset(): void;
}

const files: Readonly<Record<string, "main" | "checkpoints">> = {
  "kurisu.db": "main",
  "checkpoints.db": "checkpoints",
};

/** Counts every statement of stores that are opened after this, until the test is over. */
export function countStatements(): StatementCounts {
  const seen: { main: string[]; checkpoints: string[] } = { main: [], checkpoints: [] };
  let commits = 0;
  const owners = new WeakMap<StatementSync, { readonly database: DatabaseSync; readonly sql: string }>();
  const { exec, prepare } = DatabaseSync.prototype;
  const { all, run } = StatementSync.prototype;

  function note(database: DatabaseSync, sql: string): void {
    const file = files[basename(database.location() ?? "")];
    if (file === undefined || /^\s*pragma/i.test(sql)) return;
    seen[file].push(sql);
    const isWrite = /^\s*(?:insert|update|delete)\b/i.test(sql);
    if (/^\s*commit\b/i.test(sql) || (isWrite && !database.isTransaction)) commits += 1;
  }

  DatabaseSync.prototype.prepare = function (this: DatabaseSync, sql) {
    const statement = prepare.call(this, sql);
    owners.set(statement, { database: this, sql });
    return statement;
  };
  DatabaseSync.prototype.exec = function (this: DatabaseSync, sql) {
    note(this, sql);
    exec.call(this, sql);
  };
  StatementSync.prototype.all = function (this: StatementSync, ...parameters: Parameters<typeof all>) {
    const owner = owners.get(this);
    if (owner) note(owner.database, owner.sql);
    return all.apply(this, parameters);
  } as typeof all;
  StatementSync.prototype.run = function (this: StatementSync, ...parameters: Parameters<typeof run>) {
    const owner = owners.get(this);
    if (owner) note(owner.database, owner.sql);
    return run.apply(this, parameters);
  } as typeof run;
  onTestFinished(() => {
    Object.assign(DatabaseSync.prototype, { exec, prepare });
    Object.assign(StatementSync.prototype, { all, run });
  });
  return {
    get main() {
      return seen.main;
    },
    get checkpoints() {
      return seen.checkpoints;
    },
    get commits() {
      return commits;
    },
    reset() {
      seen.main = [];
      seen.checkpoints = [];
      commits = 0;
    },
  };
}
