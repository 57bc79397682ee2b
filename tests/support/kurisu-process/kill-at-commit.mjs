// Loaded into the program by tests (node --import): the process ends itself with SIGKILL right before or right after its
// n-th durable write. KILL_AT is `main|checkpoints:before|after:<n>`, n from 1; KILL_LOG is a file that gets one line for
// every durable write, `main:<n> <start of the statement>`, and the place of the kill.
import { appendFileSync } from "node:fs";
import { basename } from "node:path";
import { DatabaseSync, StatementSync } from "node:sqlite";

const [wantedFile, moment, wantedCount] = (process.env["KILL_AT"] ?? "").split(":");
const log = process.env["KILL_LOG"];
const names = { "kurisu.db": "main", "checkpoints.db": "checkpoints" };
const counts = { main: 0, checkpoints: 0 };
const statements = new WeakMap();

/** A commit, or a write outside a transaction. */
function isDurable(database, sql) {
  if (/^\s*commit\b/i.test(sql)) return true;
  return !database.isTransaction && /^\s*(?:insert|update|delete|create|drop|alter)\b/i.test(sql);
}

function watch(database, sql, work) {
  const name = names[basename(database.location() ?? "")];
  if (name === undefined || !isDurable(database, sql)) return work();
  counts[name] += 1;
  const here = name === wantedFile && counts[name] === Number(wantedCount);
  const line = `${name}:${counts[name]} ${sql.trim().slice(0, 60)}`;
  if (log !== undefined) appendFileSync(log, `${line}\n`);
  if (here && moment === "before") die(line);
  const result = work();
  if (here && moment === "after") die(line);
  return result;
}

function die(line) {
  if (log !== undefined) appendFileSync(log, `killed ${moment} ${line}\n`);
  process.kill(process.pid, "SIGKILL");
}

const prepare = DatabaseSync.prototype.prepare;
DatabaseSync.prototype.prepare = function (sql, ...rest) {
  const statement = prepare.call(this, sql, ...rest);
  statements.set(statement, { database: this, sql });
  return statement;
};

const exec = DatabaseSync.prototype.exec;
DatabaseSync.prototype.exec = function (sql) {
  return watch(this, sql, () => exec.call(this, sql));
};

for (const method of ["run", "all", "get"]) {
  const original = StatementSync.prototype[method];
  StatementSync.prototype[method] = function (...parameters) {
    const known = statements.get(this);
    const work = () => original.apply(this, parameters);
    return known === undefined ? work() : watch(known.database, known.sql, work);
  };
}
