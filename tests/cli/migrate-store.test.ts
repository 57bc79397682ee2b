// full: needs PostgreSQL
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { sql, type Kysely } from "kysely";
import { describe, expect, it, onTestFinished } from "vitest";
import { addLogChat } from "../../src/features/chatlog/queries/append-to-log.ts";
import { remember } from "../../src/features/memory/people/remember.ts";
import { findMemoryScope } from "../../src/features/memory/scope.ts";
import { lockDataFolder } from "../../src/store/engines/lock-data-folder.ts";
import { lockDatabase } from "../../src/store/engines/lock-database.ts";
import { appendAudit } from "../../src/store/queries/audit.ts";
import type { Store } from "../../src/store/open-store.ts";
import { fillEmptyTables, listTables } from "../support/fill-tables.ts";
import { codeOf, TestGateway } from "../support/gateway.ts";
import { createKurisuFolder, type KurisuFolder } from "../support/kurisu-process/kurisu-folder.ts";
import { runHere } from "../support/kurisu-process/run-here.ts";
import { spawnKurisu } from "../support/kurisu-process/spawn-kurisu.ts";
import { openStore } from "../support/open-store.ts";
import { createTestDatabase, postgresIsThere } from "../support/postgres.ts";
import { waitUntil } from "../support/wait-until.ts";

const group = { chat: "club", group: true } as const;

interface Home {
  readonly folder: KurisuFolder;
  readonly url: string;
  /** Runs a command on Postgres. */
  run(...given: readonly string[]): ReturnType<typeof runHere>;
  /** Runs a command on SQLite. */
  runBefore(...given: readonly string[]): ReturnType<typeof runHere>;
}

async function createHome(): Promise<Home> {
  const [folder, url] = [createKurisuFolder(), await createTestDatabase()];
  return {
    folder,
    url,
    run: (...given) => runHere(given, { folder, environment: { DATABASE_URL: url, KURISU_MODEL: "offline" } }),
    runBefore: (...given) => runHere(given, { folder, environment: { KURISU_MODEL: "offline" } }),
  };
}

/** Two people live in it for a while, and one call waits for a yes. */
async function liveIn({ folder }: Home): Promise<void> {
  const kurisu = new TestGateway({ place: { home: folder.home }, observe: true });
  onTestFinished(() => kurisu.dispose());
  await kurisu.start();
  for (const user of ["alice", "bob"]) {
    await kurisu.say(`你好，我是 ${user}，这里有一只水獭`, { user });
    await kurisu.say("/remind 明早八点 喂水獭", { user });
    await kurisu.say("/preferences add 回答短一点", { user });
    await kurisu.say("poke done", { user });
    await kurisu.say("确认 30分钟", { user });
    await kurisu.say(`peek ${user}; note ${user}`, { ...group, user });
    await kurisu.say("大家看，水獭在游泳", { ...group, user, addressed: false });
    const person = { id: `fake:${user}`, name: user };
    const scope = await findMemoryScope(kurisu.store.main, {
      person,
      session: `fake:bot:${user}`,
      chatKind: "private",
      persona: "kurisu",
    });
    const said = { category: "fact", origin: "command", taint: "user", now: 1 } as const;
    await remember(kurisu.store.main, scope, { ...said, content: `我养了一只水獭，叫${user}` });
  }
  await kurisu.say("poke waiting", { user: "alice" });
  expect(codeOf(kurisu.lastPrompt())).toBeDefined();
  await kurisu.stop();
}

async function useStore<Result>(
  place: { readonly home: string; readonly url?: string },
  use: (store: Store) => Promise<Result>,
): Promise<Result> {
  const store = await openStore(place);
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

/** All rows of all tables, as far as both engines have their columns. */
async function readAll(store: Store): Promise<Readonly<Record<string, readonly string[]>>> {
  const all: Record<string, readonly string[]> = {};
  for (const [name, db] of await listTables(store)) {
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(db);
    all[name] = rows.map(({ tx: _tx, words, ...row }) => {
      const isVector = name === "log_messages" || words === undefined ? {} : { words };
      const plain = Object.entries({ ...row, ...isVector })
        .toSorted(([one], [other]) => (one < other ? -1 : 1))
        .map(([column, value]) => [column, toPlain(name, value)]);
      return JSON.stringify(Object.fromEntries(plain));
    });
    all[name] = all[name].toSorted();
  }
  return all;
}

function toPlain(table: string, value: unknown): unknown {
  if (table === "vectors" && value instanceof Uint8Array) return [...new Float32Array(Uint8Array.from(value).buffer)];
  if (table === "vectors" && Array.isArray(value)) return value.map((number: number) => Math.fround(number));
  return value instanceof Uint8Array ? Buffer.from(value).toString("hex") : value;
}

async function countAll(url: string): Promise<number> {
  return useStore({ home: "/nowhere", url }, async (store) => {
    let count = 0;
    for (const [name, db] of await listTables(store))
      if (name !== "log_state") count += (await sql`select 1 from ${sql.table(name)} limit 1`.execute(db)).rows.length;
    return count;
  });
}

describe.runIf(postgresIsThere())("kurisu migrate-store", () => {
  it("every row of every table is the same in Postgres, with the audit, searches and numbers", async () => {
    const home = await createHome();
    await liveIn(home);
    const { folder, url } = home;
    const before = await useStore(folder, async (store) => {
      await fillEmptyTables(store);
      return readAll(store);
    });
    expect(
      Object.entries(before).filter(([, rows]) => rows.length === 0),
      "tables without a row",
    ).toEqual([]);
    const asked = [
      ["chatlog", "search", "水獭", "--json"],
      ["memory", "recall", "水獭", "--person", "fake:alice", "--json"],
      ["audit", "verify", "--json"],
    ];
    const answers = [];
    for (const given of asked) answers.push(await home.runBefore(...given));
    expect(answers[0]?.out).toContain("水獭在游泳");
    expect(answers[1]?.out).toContain("叫alice");

    const tried = await home.run("migrate-store", "--dry-run");
    expect(tried).toMatchObject({ code: 0, error: "", out: expect.stringContaining("Nothing was written.") as string });
    expect(existsSync(join(folder.home, "moved-to-postgres.json"))).toBe(false);
    const moved = await home.run("migrate-store", "--json");
    expect(moved).toMatchObject({ code: 0, error: "" });
    const { audit, tables } = JSON.parse(moved.out) as {
      readonly tables: readonly { readonly name: string; readonly rows: number }[];
      readonly audit: { readonly rows: number; readonly head: string };
    };
    expect(tables).toEqual(Object.entries(before).map(([name, rows]) => ({ name, rows: rows.length })));
    for (const [index, given] of asked.entries()) expect(await home.run(...given)).toEqual(answers[index]);
    expect(JSON.parse(answers[2]?.out ?? "")).toMatchObject({ kind: "intact", rows: audit.rows, hash: audit.head });
    await useStore({ home: folder.home, url }, async (store) => {
      expect(await readAll(store)).toEqual(before);
      await expectNewNumbers(store);
    });
    expect(readFileSync(join(folder.home, "moved-to-postgres.json"), "utf8")).toMatch(/^\{"at":"2.*"to":"postgres:/);
    const refused = await home.runBefore("audit", "verify");
    expect(refused).toMatchObject({ code: 78, error: expect.stringContaining("Set DATABASE_URL") as string });
    expect((await home.runBefore("doctor", "--json", "--no-ask")).out).toMatch(
      /"check":"database","state":"broken","detail":"[^"]*was moved to postgres:/,
    );
  });

  it("a call that waited for approval is answered after the move and runs once", async () => {
    const home = await createHome();
    await liveIn(home);
    expect(await home.run("migrate-store")).toMatchObject({ code: 0, error: "" });
    const place = { home: home.folder.home, url: home.url };
    const kurisu = new TestGateway({ place, observe: true });
    onTestFinished(() => kurisu.dispose());
    await kurisu.start();
    await kurisu.say("确认", { user: "alice" });
    expect(kurisu.did()).toEqual(["waiting"]);
    expect(kurisu.lastText("reply")).toContain("里成了 1 件");
    await kurisu.say("这只水獭会唱歌", { user: "alice" });
    expect((await home.run("chatlog", "search", "唱歌")).out).toContain("这只水獭会唱歌");
    await kurisu.stop();
    expect((await home.run("audit", "verify")).out).toMatch(/^intact/);
    const old = new TestGateway({ place: { home: home.folder.home } });
    await expect(old.start()).rejects.toMatchObject({ code: "STORE_MOVED" });
  });

  it("a move that is killed leaves no row behind, and can be made again", async () => {
    const home = await createHome();
    await useStore(home.folder, (store) => addLines(store, 30_000));
    const child = spawnKurisu(["migrate-store"], { folder: home.folder, environment: { DATABASE_URL: home.url } });
    await waitUntil("the log", () => child.stdout().includes("log_chats"));
    child.kill("SIGKILL");
    expect(await child.ended()).toMatchObject({ signal: "SIGKILL" });
    expect(await countAll(home.url)).toBe(0);
    expect(await home.run("migrate-store")).toMatchObject({ code: 0, error: "" });
    expect((await home.run("chatlog", "search", "水獭12345")).out).toContain("第 12345 句");
  });

  it("a database that has rows is refused by name, and stays as it is", async () => {
    const home = await createHome();
    await useStore(home.folder, (store) => addAudit(store, "fake:old"));
    await useStore({ home: "/nowhere", url: home.url }, (store) => addAudit(store, "fake:new"));
    for (const more of [[], ["--dry-run"]]) {
      const refused = await home.run("migrate-store", ...more);
      expect(refused).toMatchObject({ code: 1, error: expect.stringMatching(/rows in audit.*createdb/s) as string });
    }
    expect(await countAll(home.url)).toBe(2);
    expect((await home.run("audit", "show")).out).toMatch(/fake:new/);
    expect((await home.runBefore("audit", "verify")).code).toBe(0);
  });

  it("a move whose end was not heard of is found to be done", async () => {
    const home = await createHome();
    await useStore(home.folder, (store) => addAudit(store, "fake:alice"));
    const first = await home.run("migrate-store", "--json");
    rmSync(join(home.folder.home, "moved-to-postgres.json"));
    const again = await home.run("migrate-store", "--json");
    const plain = ({ out }: typeof first) => ({ ...(JSON.parse(out) as object), ms: 0 });
    expect(plain(again)).toEqual(plain(first));
    expect(existsSync(join(home.folder.home, "moved-to-postgres.json"))).toBe(true);
    rmSync(join(home.folder.home, "moved-to-postgres.json"));
    await useStore({ home: "/nowhere", url: home.url }, (store) => addAudit(store, "fake:alice"));
    expect((await home.run("migrate-store")).error).toMatch(/is not empty/);
  });

  it("an audit that is not intact is refused", async () => {
    const home = await createHome();
    await useStore(home.folder, (store) => addAudit(store, "fake:alice"));
    const file = new DatabaseSync(join(home.folder.home, "kurisu.db"));
    file.exec("drop trigger audit_no_update; update audit set actor = 'fake:mallory'");
    file.close();
    const refused = await home.run("migrate-store");
    expect(refused).toMatchObject({ code: 1, error: expect.stringMatching(/audit in SQLite is broken/) as string });
    expect(await countAll(home.url)).toBe(0);
  });

  it("nothing begins without an address, a file or the sole right to both", async () => {
    const home = await createHome();
    expect((await home.run("migrate-store")).error).toMatch(/has no kurisu\.db/);
    expect(existsSync(join(home.folder.home, "kurisu.db"))).toBe(false);
    await useStore(home.folder, (store) => addAudit(store, "fake:alice"));
    expect((await home.runBefore("migrate-store")).error).toMatch(/DATABASE_URL is not set/);
    const secret = "canary-Passw0rd";
    const address = new URL(home.url);
    [address.username, address.password] = ["stranger", secret];
    const environment = { DATABASE_URL: address.href, KURISU_MODEL: "offline" };
    const unknown = await runHere(["migrate-store"], { folder: home.folder, environment });
    expect(unknown).toMatchObject({ code: 78, error: expect.stringContaining("stranger") as string });
    expect(unknown.error + unknown.out).not.toContain(secret);
    const folderLock = lockDataFolder(home.folder.home, "start");
    expect(await home.run("migrate-store")).toMatchObject({
      code: 69,
      error: expect.stringMatching(/works on/) as string,
    });
    folderLock.release();
    const quiet = () => undefined;
    const lock = await lockDatabase({ url: home.url, purpose: "start", onLost: quiet, onTrouble: quiet });
    expect(await home.run("migrate-store")).toMatchObject({
      code: 69,
      error: expect.stringMatching(/works on/) as string,
    });
    await lock.release();
    expect(await countAll(home.url)).toBe(0);
    makeNewer(home.folder.home);
    expect(await home.run("migrate-store")).toMatchObject({
      code: 69,
      error: expect.stringMatching(/newer Kurisu/) as string,
    });
  });
});

async function addAudit(store: Store, actor: string): Promise<void> {
  await appendAudit(store.main, { actor, action: "tool.done", now: 1 });
}

async function addLines(store: Store, count: number): Promise<void> {
  const now = 1_700_000_000_000;
  await store.main.transaction().execute(async (tx) => {
    const chat = await addLogChat(tx, { kind: "import", name: "家", readers: ["owners"], now });
    await sql`insert into log_senders (person, name) values ('fake:alice', 'alice')`.execute(tx);
    await sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})
      insert into log_messages (place, chat, sender, role, text, taint, key, said_at)
      select i * 16, ${chat}, 1, 'person', '第 ' || i || ' 句：水獭' || i || ' 今天在河里游泳，the otter swims again', 'user', 'k' || i,
        i * 1000 from n`.execute(tx);
  });
}

/** Each counter goes on behind the largest number there was. */
async function expectNewNumbers(store: Store): Promise<void> {
  const { rows } = await sql<{ table: string; column: string; sequence: string }>`
    select relname::text as table, attname::text as column, pg_get_serial_sequence(quote_ident(relname), attname) as sequence
    from pg_attribute join pg_class on pg_class.oid = attrelid
    where relkind = 'r' and relnamespace = current_schema()::regnamespace
      and pg_get_serial_sequence(quote_ident(relname), attname) is not null and attnum > 0`.execute(store.main);
  expect(rows.length).toBeGreaterThan(10);
  for (const { column, sequence, table } of rows) {
    const db = store.main as unknown as Kysely<unknown>;
    const next = await sql<{ next: number; most: number }>`select nextval(${sequence}::regclass) as next,
      (select max(${sql.ref(column)}) from ${sql.table(table)}) as most`.execute(db);
    expect([table, (next.rows[0]?.next ?? 0) > (next.rows[0]?.most ?? Infinity)]).toEqual([table, true]);
  }
}

/** Its tables are those of a later Kurisu. */
function makeNewer(home: string): void {
  const file = new DatabaseSync(join(home, "kurisu.db"));
  file.exec("insert into migrations (name, timestamp) values ('9999-tomorrow', '')");
  file.close();
}
