import { execFile } from "node:child_process";
import { statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { sql, type Kysely } from "kysely";
import { describe, expect, it } from "vitest";
import { createGroupCommit } from "../../src/store/engines/group-commit.ts";
import { isStoreFault } from "../../src/store/engines/is-store-fault.ts";
import { openSqlite } from "../../src/store/engines/sqlite.ts";
import { wipeSqlite } from "../../src/store/engines/wipe-sqlite.ts";
import { openWriteAheadLog, type WriteAheadLog } from "../../src/store/engines/write-ahead-log.ts";
import { untilTestEnds } from "../support/keep-until.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";

interface Tables {
  notes: { id: number; text: string };
}

/** A log whose flushes end when the test says so. `settle` also waits for the writers to hear of it. */
function holdLog() {
  const flushes: ((error: Error | null) => void)[] = [];
  const losses: Error[] = [];
  const log: WriteAheadLog = {
    sync: (done) => void flushes.push(done),
    lose: (reason) => void losses.push(reason),
    close: () => undefined,
  };
  async function settle(error: Error | null = null): Promise<void> {
    flushes.shift()?.(error);
    await rest();
  }
  return { flushes, log, losses, settle };
}

/** Everything that can go on has gone on. */
const rest = () => sleep(15);

/** Notes whether and when each promise is answered. */
function watch() {
  const heard: string[] = [];
  const note = (name: string, work: Promise<unknown>) =>
    void work.then(
      () => heard.push(name),
      () => heard.push(`${name} failed`),
    );
  return { heard, note };
}

async function openGroup() {
  const file = join(await createTemporaryFolder(), "held.db");
  const database = new DatabaseSync(file);
  const other = new DatabaseSync(file);
  untilTestEnds(() => [database, other].forEach((one) => one.close()));
  database.exec(
    "pragma journal_mode=wal; pragma synchronous=normal; create table notes (id integer unique, text text)",
  );
  const held = holdLog();
  const group = createGroupCommit(database, held.log);
  const insert = (id: number) => database.prepare("insert into notes (id) values (?)").run(id);
  async function write(id: number): Promise<void> {
    const writer = await group.begin();
    insert(id);
    await writer.end();
  }
  const read = () =>
    other
      .prepare("select id from notes order by rowid")
      .all()
      .map(({ id }) => id);
  return { ...held, group, insert, read, write };
}

/** A store's main file with a log that the test holds. Its table is there and flushed. */
async function openHeld() {
  const file = join(await createTemporaryFolder(), "held.db");
  const before = openSqlite<Tables>(file);
  await sql`create table notes (id integer unique, text text)`.execute(before);
  await before.destroy();
  const held = holdLog();
  const db = openSqlite<Tables>(file, { openLog: () => held.log });
  return { ...held, db };
}

const insert = (db: Kysely<Tables>, id: number) => db.insertInto("notes").values({ id, text: "" }).execute();
const readIds = async (db: Kysely<Tables>) => (await db.selectFrom("notes").select("id").execute()).map(({ id }) => id);

describe("writers:", () => {
  it("a writer is answered when the log is on the disk, not at its COMMIT", async () => {
    const { group, insert, read, settle, write } = await openGroup();
    const { heard, note } = watch();
    note("transaction", write(1));
    await rest();
    note(
      "statement",
      group.write(() => insert(2)),
    );
    await rest();
    expect(read()).toEqual([1, 2]);
    expect(heard).toEqual([]);
    await settle();
    expect(heard).toEqual(["transaction"]);
    await settle();
    expect(heard).toEqual(["transaction", "statement"]);
  });

  it("a writer waits for a flush that began after its COMMIT; that flush covers all commits before it, answered in their order", async () => {
    const { flushes, settle, write } = await openGroup();
    const { heard, note } = watch();
    for (const id of [1, 2, 3, 4]) {
      note(`${id}`, write(id));
      await rest();
    }
    expect(flushes).toHaveLength(1);
    await settle();
    expect(heard).toEqual(["1"]);
    expect(flushes).toHaveLength(1);
    await settle();
    expect(heard).toEqual(["1", "2", "3", "4"]);
    expect(flushes).toHaveLength(0);
  });

  it("a writer that fails is told so when the row that it failed on is on the disk", async () => {
    const { db, settle } = await openHeld();
    const { heard, note } = watch();
    note("first", insert(db, 1));
    await rest();
    note("again", insert(db, 1));
    note(
      "in a transaction",
      db.transaction().execute((tx) => insert(tx, 1)),
    );
    await rest();
    expect(heard).toEqual([]);
    await settle();
    expect(heard.toSorted()).toEqual(["again failed", "first", "in a transaction failed"]);
  });

  it("a writer without a log is answered at its COMMIT", async () => {
    const db = openSqlite<Tables>(join(await createTemporaryFolder(), "unheld.db"));
    untilTestEnds(() => db.destroy());
    await sql`create table notes (id integer, text text)`.execute(db);
    await db.transaction().execute((tx) => insert(tx, 1));
    expect(await readIds(db)).toEqual([1]);
  });
});

describe("readers:", () => {
  it("a reader is answered when the disk has every row that it may have seen", async () => {
    const { db, settle } = await openHeld();
    const { heard, note } = watch();
    expect(await readIds(db)).toEqual([]);
    note("write", insert(db, 1));
    await rest();
    const reading = readIds(db);
    note("read", reading);
    await rest();
    expect(heard).toEqual([]);
    await settle();
    expect(heard).toEqual(["write", "read"]);
    expect(await reading).toEqual([1]);
    note("second write", insert(db, 2));
    await rest();
    note("third write", insert(db, 3));
    await rest();
    note("read of all", readIds(db));
    await settle();
    expect(heard.slice(2)).toEqual(["second write"]);
    await settle();
    expect(heard.slice(3)).toEqual(["third write", "read of all"]);
  });
});

describe("a failed flush:", () => {
  it("no writer, reader or later writer is answered with success, and the loss is reported once, before they are told", async () => {
    const { db, losses, settle } = await openHeld();
    const heard: unknown[] = [];
    const note = (work: Promise<unknown>) =>
      void work.then(
        () => heard.push("answered"),
        (error: unknown) => heard.push(error),
      );
    note(insert(db, 1));
    await rest();
    for (const work of [insert(db, 2), db.transaction().execute((tx) => insert(tx, 3)), readIds(db)]) note(work);
    await rest();
    const settling = settle(new Error("EIO: i/o error, fdatasync"));
    expect(losses).toEqual([new Error("EIO: i/o error, fdatasync")]);
    expect(heard).toEqual([]);
    await settling;
    expect(heard).toHaveLength(4);
    for (const work of [insert(db, 4), readIds(db)]) note(work);
    await rest();
    expect(heard).toHaveLength(6);
    expect(heard.every(isStoreFault)).toBe(true);
    expect(losses).toHaveLength(1);
  });

  it("the process ends with a line and an exit code, before a writer is told", async () => {
    const folder = await createTemporaryFolder();
    const source = (path: string) => JSON.stringify(new URL(`../../src/${path}`, import.meta.url).href);
    const program = `
      import { reportFault } from ${source("cli/report-fault.ts")};
      import { openSqlite } from ${source("store/engines/sqlite.ts")};
      import { openWriteAheadLog } from ${source("store/engines/write-ahead-log.ts")};
      process.on("uncaughtException", (error) => process.exit(reportFault(error, false)));
      const openLog = (file) => ({
        ...openWriteAheadLog(file),
        sync: (done) => setTimeout(done, 5, new Error("EIO: i/o error, fdatasync")),
      });
      const db = openSqlite(process.argv[1], { openLog });
      const query = { sql: "create table notes (text text)", parameters: [], query: { kind: "RawNode" }, queryId: {} };
      await db.executeQuery(query).then(() => console.log("answered"), () => console.log("rejected"));`;
    const running = promisify(execFile)(process.execPath, [
      "--input-type=module",
      "-e",
      program,
      join(folder, "kurisu.db"),
    ]);
    await expect(running).rejects.toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringMatching(
        /The disk did not take what was written to kurisu\.db \(EIO: i\/o error, fdatasync\)\. Kurisu ends/,
      ) as unknown,
    });
  });
});

it("the log stays one file while the database is open, however it is emptied", async () => {
  const file = join(await createTemporaryFolder(), "kurisu.db");
  const seen: number[] = [];
  const look = () => seen.push(statSync(`${file}-wal`).ino);
  const db = openSqlite<Tables>(file, {
    openLog(database) {
      look();
      return openWriteAheadLog(database);
    },
  });
  untilTestEnds(() => db.destroy());
  await sql`create table notes (id integer, text text)`.execute(db);
  for (const mode of ["passive", "restart", "truncate"]) {
    await db
      .insertInto("notes")
      .values({ id: 1, text: mode.repeat(20_000) })
      .execute();
    await sql`pragma wal_checkpoint(${sql.raw(mode)})`.execute(db);
    await insert(db, 2);
    look();
  }
  wipeSqlite(file);
  look();
  await insert(db, 3);
  new DatabaseSync(file).close();
  look();
  expect(new Set(seen).size).toBe(1);
});

it("commits that a killed process left unflushed are on the disk, and in the database, before the next one reads them", async () => {
  const file = join(await createTemporaryFolder(), "kurisu.db");
  const killed = new DatabaseSync(file);
  untilTestEnds(() => killed.close());
  killed.exec(
    "pragma journal_mode=wal; pragma synchronous=normal; create table notes (id integer); insert into notes values (1)",
  );
  expect(statSync(`${file}-wal`).size).toBeGreaterThan(0);
  const db = openSqlite<Tables>(file, { openLog: openWriteAheadLog });
  untilTestEnds(() => db.destroy());
  expect(statSync(`${file}-wal`).size).toBe(0);
  expect(await readIds(db)).toEqual([1]);
});
