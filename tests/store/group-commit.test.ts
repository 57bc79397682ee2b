import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { array, assert, asyncProperty, constantFrom, record } from "fast-check";
import { sql } from "kysely";
import { describe, expect, it, onTestFinished } from "vitest";
import { createGroupCommit } from "../../src/store/engines/group-commit.ts";
import { isStoreFault } from "../../src/store/engines/is-store-fault.ts";
import { openSqlite } from "../../src/store/engines/sqlite.ts";
import { openWriteAheadLog } from "../../src/store/engines/write-ahead-log.ts";
import type { Store } from "../../src/store/open-store.ts";
import { appendMessages } from "../../src/store/queries/messages.ts";
import { countStatements } from "../support/count-statements.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";
import { addSession, createTestStore } from "../support/test-store.ts";

const note = (text: string) => [{ role: "note", text }] as const;
const append = (store: Store, text: string, then: () => unknown = () => undefined) =>
  store.main.transaction().execute(async (tx) => {
    await appendMessages(tx, { session: "s", turn: null, taint: "owner", messages: note(text), now: 0 });
    await then();
  });

async function openCounted() {
  const counts = countStatements();
  const store = await createTestStore();
  await addSession(store, "s");
  counts.reset();
  return { counts, store };
}

/** The group on a real database whose COMMIT fails when it is told to. */
async function openFailing(most?: { readonly writers: number; readonly ms: number }) {
  const database = new DatabaseSync(join(await createTemporaryFolder(), "failing.db"));
  onTestFinished(() => database.close());
  database.exec("pragma journal_mode=wal; create table notes (text text not null)");
  let commits = 0;
  const faults = { commit: "" as "" | "stays open" | "is rolled back", rollbacks: 0 };
  const group = createGroupCommit(
    {
      get isTransaction() {
        return database.isTransaction;
      },
      exec(statement) {
        if (statement === "commit" && faults.commit !== "") {
          if (faults.commit === "is rolled back") database.exec("rollback");
          faults.commit = "";
          throw Object.assign(new Error("database or disk is full"), { code: "ERR_SQLITE_ERROR", errcode: 13 });
        }
        if (statement === "rollback" && faults.rollbacks > 0) {
          faults.rollbacks -= 1;
          throw new Error("disk I/O error");
        }
        if (statement === "commit") commits += 1;
        database.exec(statement);
      },
    },
    undefined,
    most,
  );
  const insert = (text: string) => database.prepare("insert into notes values (?)").run(text);
  const read = () =>
    database
      .prepare("select text from notes")
      .all()
      .map((row) => row["text"]);
  async function write(text: string): Promise<void> {
    const writer = await group.begin();
    insert(text);
    await writer.end();
  }
  return { commits: () => commits, database, faults, group, insert, read, write };
}

describe("writers of one moment", () => {
  it("share one COMMIT, transactions and single statements alike", async () => {
    const { commits, group, insert, read, write } = await openFailing({ writers: 64, ms: 60_000 });
    const single = (text: string) => group.write(() => insert(text));
    await Promise.all([write("a"), write("b"), single("c"), write("d"), single("e")]);
    expect(commits()).toBe(1);
    expect(read()).toEqual(["a", "b", "c", "d", "e"]);
  });

  it("share it up to a number", async () => {
    const { commits, write } = await openFailing({ writers: 2, ms: 60_000 });
    await Promise.all(["a", "b", "c", "d", "e"].map(write));
    expect(commits()).toBe(3);
  });

  it("writers are answered after the COMMIT, and until then no outside query sees what they wrote", async () => {
    const { counts, store } = await openCounted();
    const seen: number[] = [];
    const look = async () => seen.push((await store.main.selectFrom("messages").select("id").execute()).length);
    const answered: number[] = [];
    const first = append(store, "a", look).then(() => answered.push(counts.commits));
    const second = append(store, "b", look).then(() => answered.push(counts.commits));
    await Promise.all([first, second]);
    await look();
    expect(seen.at(0)).toBe(0);
    expect(seen.at(-1)).toBe(2);
    expect(answered.every((commits) => commits > 0)).toBe(true);
  });

  it("see what those before them in the group wrote: of 20 that compare and set, one wins", async () => {
    const { store } = await openCounted();
    const won = await Promise.all(
      Array.from({ length: 20 }, () =>
        store.main
          .updateTable("sessions")
          .set({ language: "en" })
          .where("id", "=", "s")
          .where("language", "=", "zh")
          .executeTakeFirst(),
      ),
    );
    expect(won.filter(({ numUpdatedRows }) => numUpdatedRows === 1n)).toHaveLength(1);
  });

  it("one alone costs one COMMIT and no savepoint", async () => {
    const { counts, store } = await openCounted();
    await addSession(store, "alone");
    expect(counts.main.filter((sql) => !sql.startsWith("select"))).toHaveLength(1);
    counts.reset();
    await append(store, "a");
    expect(counts.main.filter((sql) => /^(?:begin|commit|savepoint|release)/.test(sql))).toEqual([
      "begin immediate",
      "commit",
    ]);
  });

  it("wait no longer than the bound for others: a stream of writers is committed again and again", async () => {
    const { counts, store } = await openCounted();
    const ended: number[] = [];
    await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        await append(store, `${index}`, () => sleep(3));
        ended.push(counts.commits);
      }),
    );
    expect(counts.commits).toBeGreaterThan(2);
    expect(ended[0]).toBeLessThan(counts.commits);
  });

  it("closing the store commits open writes", async () => {
    const folder = await createTemporaryFolder();
    const file = join(folder, "closing.db");
    const db = openSqlite<{ notes: { text: string } }>(file, { openLog: openWriteAheadLog });
    await sql`create table notes (text text)`.execute(db);
    const writing = db.transaction().execute((tx) => tx.insertInto("notes").values({ text: "a" }).execute());
    await new Promise((resolve) => setImmediate(resolve));
    await Promise.all([writing, db.destroy()]);
    const again = new DatabaseSync(file);
    onTestFinished(() => again.close());
    expect(again.prepare("select text from notes").all()).toEqual([{ text: "a" }]);
  });
});

describe("a writer that fails", () => {
  it("takes back what it wrote, and nothing of the others in the group", async () => {
    const { store } = await openCounted();
    const results = await Promise.allSettled([
      append(store, "a"),
      append(store, "b", () => Promise.reject(new Error("its own fault"))),
      sql`insert into sessions (id) values ('broken')`.execute(store.main),
      append(store, "c"),
    ]);
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected", "fulfilled"]);
    expect(results[1]).toMatchObject({ reason: { message: "its own fault" } });
    expect(results[2]).toMatchObject({ reason: { message: expect.stringContaining("NOT NULL") as unknown } });
    const rows = await store.main.selectFrom("messages").select("content").orderBy("position").execute();
    expect(rows.map(({ content }) => (JSON.parse(content) as { text: string }).text)).toEqual(["a", "c"]);
  });

  it("alone leaves no transaction open behind it", async () => {
    const { store } = await openCounted();
    await expect(append(store, "a", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    await append(store, "b");
    expect(await store.main.selectFrom("messages").select("position").execute()).toEqual([{ position: 1 }]);
  });
});

describe("a COMMIT that fails", () => {
  it.each(["stays open", "is rolled back"] as const)(
    "(and the transaction %s) fails each of its writers with an error of its own; nothing stays, and the next succeed",
    async (then) => {
      const { faults, group, insert, read, write } = await openFailing();
      faults.commit = then;
      const results = await Promise.allSettled([write("a"), write("b"), group.write(() => insert("c"))]);
      const reasons = results.map((result) => (result.status === "rejected" ? (result.reason as unknown) : undefined));
      expect(reasons.every(isStoreFault)).toBe(true);
      expect(new Set(reasons).size).toBe(3);
      expect(read()).toEqual([]);
      await Promise.all([write("d"), write("e")]);
      expect(read()).toEqual(["d", "e"]);
    },
  );
});

describe("a COMMIT and a ROLLBACK that fail, one after the other,", () => {
  it.each([1, 2, 3])("the store holds only the answered writes after %i failed ROLLBACKs", async (rollbacks) => {
    const { faults, group, insert, read, write } = await openFailing();
    Object.assign(faults, { commit: "stays open", rollbacks });
    await expect(write("lost")).rejects.toThrow("full");
    const answered: string[] = [];
    for (const text of ["a", "b", "c"]) {
      // Alone: no transaction of its own.
      const writing = group.write(() => insert(text));
      await writing.then(
        () => answered.push(text),
        () => undefined,
      );
    }
    expect(answered).toEqual(["a", "b", "c"].slice(rollbacks - 1));
    await write("d");
    expect(read()).toEqual([...answered, "d"]);
  });

  it("leave the place to the next, whether the group ends by its time, its number or by itself", async () => {
    for (const most of [
      { writers: 64, ms: 0 },
      { writers: 1, ms: 60_000 },
      { writers: 64, ms: 60_000 },
    ]) {
      const { faults, read, write } = await openFailing(most);
      Object.assign(faults, { commit: "stays open", rollbacks: 1 });
      const results = await Promise.allSettled([write("a"), write("b")]);
      expect(results[0]).toMatchObject({ status: "rejected", reason: { code: "ERR_SQLITE_ERROR" } });
      await write("c");
      expect(read()).toEqual(results[1].status === "fulfilled" ? ["b", "c"] : ["c"]);
    }
  });

  it("a ROLLBACK that fails while a writer takes its part back leaves the place to the next", async () => {
    const { faults, group, insert, read, write } = await openFailing();
    const writer = await group.begin();
    insert("a");
    faults.rollbacks = 1;
    writer.undo();
    await write("b");
    expect(read()).toEqual(["b"]);
  });
});

it("a write by another process between a first read and a first write fails no writer of the group", async () => {
  const { database, group, insert, read } = await openFailing();
  const other = new DatabaseSync(database.location() ?? "", { timeout: 0 });
  onTestFinished(() => other.close());
  const note = () => other.exec("insert into notes values ('other')");
  const writer = await group.begin();
  read();
  expect(note).toThrow("locked");
  insert("a");
  await writer.end();
  note();
  expect(read()).toEqual(["a", "other"]);
});

describe("a disk that is full in the middle of a group", () => {
  it("the file holds exactly the answered writes in their order, after any fault", async () => {
    await assert(
      asyncProperty(
        array(
          record({
            kind: constantFrom("transaction", "statement", "throws", "constraint", "ends badly"),
            bytes: constantFrom(10, 10, 3_000, 40_000, 400_000),
            afterMs: constantFrom(0, 0, 0, 1, 4),
          }),
          { minLength: 1, maxLength: 25 },
        ),
        constantFrom("", "stays open", "is rolled back"),
        async (writers, commit) => {
          const { database, faults, group, insert, read } = await openFailing();
          database.exec("pragma max_page_count=60");
          faults.commit = commit;
          const kept: string[] = [];
          await Promise.allSettled(
            writers.map(async ({ kind, bytes, afterMs }, index) => {
              const text = `${index} ${"x".repeat(bytes)}`;
              if (afterMs > 0) await sleep(afterMs);
              if (kind === "statement") {
                await group.write(() => attempt(group, () => insert(text)));
                kept.push(text);
                return;
              }
              const writer = await group.begin();
              try {
                attempt(group, () => insert(text));
                await Promise.resolve();
                writer.assertOpen();
                if (kind === "constraint") attempt(group, () => database.exec("insert into notes values (null)"));
                if (kind === "throws") throw new Error("its own");
                if (kind === "ends badly") attempt(group, () => insert("y".repeat(400_000)));
                writer.assertOpen();
                await writer.end();
              } catch (error) {
                writer.undo();
                throw error;
              }
              kept.push(text);
            }),
          );
          expect(read().filter((text) => !String(text).startsWith("y"))).toEqual(kept);
        },
      ),
      { numRuns: 60 },
    );
  });
});

function attempt(group: ReturnType<typeof createGroupCommit>, run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    group.noteFailure(error);
    throw error;
  }
}
