// Loaded into the program by tests (node --import): the process ends itself with SIGKILL right before, while or right after
// its n-th durable write. KILL_AT is `main|checkpoints:before|during|after:<n>`, n from 1; KILL_LOG is a file that gets one
// line for every durable write, `main:<n> <start of the statement>`, and the place of the kill. `during` = the statement is
// on its way to the server and nobody waits for the answer; SQLite knows no such moment. KILL_ARMED is a file: nothing is
// counted before it is there.
import { appendFileSync, existsSync } from "node:fs";
import { basename } from "node:path";
import { DatabaseSync, StatementSync } from "node:sqlite";

const [wantedName, moment, wantedCount] = (process.env["KILL_AT"] ?? "").split(":");
const log = process.env["KILL_LOG"];
const armed = process.env["KILL_ARMED"];
const counts = { main: 0, checkpoints: 0 };

/** A commit, or a write outside a transaction. */
function isDurable(sql, inTransaction) {
  if (/^\s*commit\b/i.test(sql)) return true;
  if (inTransaction) return false;
  if (/^\s*with\b/i.test(sql)) return /\b(?:insert\s+into|update|delete\s+from)\b/i.test(sql);
  return /^\s*(?:insert|update|delete|create|drop|alter)\b/i.test(sql);
}

/** Counts a durable write of a database. Answers the moment at which to die, with what to write down. */
function note(name, sql) {
  if (armed !== undefined && !existsSync(armed)) return { moment: "", line: "" };
  counts[name] += 1;
  const line = `${name}:${counts[name]} ${sql.trim().slice(0, 60)}`;
  if (log !== undefined) appendFileSync(log, `${line}\n`);
  return name === wantedName && counts[name] === Number(wantedCount) ? { moment, line } : { moment: "", line };
}

function die(line) {
  if (log !== undefined) appendFileSync(log, `killed ${moment} ${line}\n`);
  process.kill(process.pid, "SIGKILL");
}

const files = { "kurisu.db": "main", "checkpoints.db": "checkpoints" };
const statements = new WeakMap();

function watchFile(database, sql, work) {
  const name = files[basename(database.location() ?? "")];
  if (name === undefined || !isDurable(sql, database.isTransaction)) return work();
  const here = note(name, sql);
  if (here.moment === "before") die(here.line);
  const result = work();
  if (here.moment !== "") die(here.line);
  return result;
}

const prepare = DatabaseSync.prototype.prepare;
DatabaseSync.prototype.prepare = function (sql, ...rest) {
  const statement = prepare.call(this, sql, ...rest);
  statements.set(statement, { database: this, sql });
  return statement;
};

const exec = DatabaseSync.prototype.exec;
DatabaseSync.prototype.exec = function (sql) {
  return watchFile(this, sql, () => exec.call(this, sql));
};

for (const method of ["run", "all", "get"]) {
  const original = StatementSync.prototype[method];
  StatementSync.prototype[method] = function (...parameters) {
    const known = statements.get(this);
    const work = () => original.apply(this, parameters);
    return known === undefined ? work() : watchFile(known.database, known.sql, work);
  };
}

if (process.env["DATABASE_URL"] !== undefined) {
  const { default: pg } = await import("pg");
  // Followed by the name of the process.
  const isCheckpoints = /^kurisu checkpoints\b/;
  const isMain = /^kurisu(?: [\da-f-]{36})?$/;
  const inTransaction = new WeakSet();
  const query = pg.Client.prototype.query;

  pg.Client.prototype.query = function (given, ...rest) {
    const { application_name: connection = "" } = this.connectionParameters;
    const name = isCheckpoints.test(connection) ? "checkpoints" : isMain.test(connection) ? "main" : undefined;
    // Named statements come as an object with their text.
    const sql = typeof given === "string" ? given : given?.text;
    if (typeof sql !== "string" || name === undefined) return query.call(this, given, ...rest);
    const durable = isDurable(sql, inTransaction.has(this));
    if (/^\s*begin\b/i.test(sql)) inTransaction.add(this);
    else if (/^\s*(?:commit|rollback)\b/i.test(sql)) inTransaction.delete(this);
    if (!durable) return query.call(this, given, ...rest);
    const here = note(name, sql);
    if (here.moment === "before") die(here.line);
    const answer = query.call(this, given, ...rest);
    // The statement has left when the current piece of work is over.
    if (here.moment === "during") setImmediate(() => die(here.line));
    if (here.moment === "after") void answer.finally(() => die(here.line));
    return answer;
  };
}
