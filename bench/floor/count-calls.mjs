// Loaded before the program (node --import): counts what it asks of SQLite. SIGUSR2 writes the sums into a file.
import { renameSync, writeFileSync } from "node:fs";
import { DatabaseSync, StatementSync } from "node:sqlite";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

const sums = { calls: 0, commits: 0 };
const databases = new WeakMap();
const { prepare } = DatabaseSync.prototype;
DatabaseSync.prototype.prepare = function prepareCounted(...given) {
  const statement = prepare.apply(this, given);
  databases.set(statement, this);
  return statement;
};

/** A write outside of a transaction is a commit, too. */
function add(sql, database) {
  sums.calls += 1;
  const isWrite = /^\s*(?:insert|update|delete)\b/i.test(sql);
  if (/^\s*commit\b/i.test(sql) || (isWrite && !database.isTransaction)) sums.commits += 1;
}

for (const method of ["run", "all", "get", "iterate"]) {
  const original = StatementSync.prototype[method];
  StatementSync.prototype[method] = function runCounted(...given) {
    add(this.sourceSQL, databases.get(this));
    return original.apply(this, given);
  };
}
const { exec } = DatabaseSync.prototype;
DatabaseSync.prototype.exec = function execCounted(sql) {
  add(sql, this);
  return exec.call(this, sql);
};

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc");
process.on("SIGUSR2", () => {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  const { BENCH_OUTPUT: output } = process.env;
  writeFileSync(`${output}.new`, JSON.stringify({ ...sums, heapUsed, external }));
  renameSync(`${output}.new`, output);
});
