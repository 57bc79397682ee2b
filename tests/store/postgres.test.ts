// full: needs PostgreSQL
import { createServer } from "node:net";
import { sql } from "kysely";
import { Client } from "pg";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { StoreCheckpointSaver } from "../../src/kernel/agent/checkpoint-saver.ts";
import { emptyCheckpoint } from "@langchain/langgraph-checkpoint";
import type { AppError } from "../../src/core/errors.ts";
import { isStoreFault } from "../../src/store/engines/is-store-fault.ts";
import { openStore } from "../support/open-store.ts";
import { connectionOptions } from "../../src/store/engines/connect-postgres.ts";
import { describeDatabase } from "../../src/store/engines/describe-connection-fault.ts";
import { nameTlsMode } from "../../src/store/engines/parse-database-address.ts";
import { fenceThread } from "../../src/store/queries/checkpoints.ts";
import { openPostgresProxy } from "../support/postgres-proxy.ts";
import { createDatabase, runOnServer } from "../support/postgres-server.ts";
import { createTestDatabase, postgresIsThere } from "../support/postgres.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";
import { openTestStore } from "../support/test-store.ts";

const password = "canary-Passw0rd%2F";

/** The database's address with something else in it. */
function change(url: string, edit: (address: URL) => void): string {
  const address = new URL(url);
  edit(address);
  return address.href;
}

async function refusalOf(url: string): Promise<AppError> {
  try {
    await (await openStore({ home: await createTemporaryFolder(), url })).close();
  } catch (error) {
    return error as AppError;
  }
  throw new Error("it was opened");
}

/** A user that is gone with its database. */
async function createUser(url: string, name: string): Promise<void> {
  await runOnServer(url, `create user ${name} password 'x'`);
  onTestFinished(() => runOnServer(url, `drop owned by ${name}; drop user ${name}`));
}

describe.runIf(postgresIsThere())("a database that cannot be used", () => {
  it.each<[string, (address: URL) => void, string, RegExp]>([
    [
      "a port where nobody listens",
      (address) => (address.port = "1"),
      "DATABASE_UNREACHABLE",
      /ECONNREFUSED.*Start it/,
    ],
    ["a host nobody knows", (address) => (address.hostname = "db.invalid"), "DATABASE_UNREACHABLE", /db\.invalid/],
    ["a database that is not there", (address) => (address.pathname = "/nowhere"), "DATABASE_REFUSED", /createdb/],
    ["a user that is not there", (address) => (address.username = "stranger"), "DATABASE_REFUSED", /stranger/],
    [
      "encryption the server does not have",
      (address) => (address.search = "?sslmode=require"),
      "DATABASE_REFUSED",
      /does not support SSL.*sslmode=disable/,
    ],
    [
      "encryption it would only like to have",
      (address) => (address.search = "?sslmode=prefer"),
      "DATABASE_REFUSED",
      /does not support SSL.*sslmode=disable/,
    ],
    [
      "a schema that is not there",
      (address) => (address.search = "?options=-c%20search_path%3Dnowhere"),
      "DATABASE_REFUSED",
      /CREATE SCHEMA/,
    ],
  ])("the refusal tells of %s, with the remedy and never the password", async (_what, edit, code, words) => {
    const url = change(await createTestDatabase(), (address) => {
      address.password = password;
      edit(address);
    });
    const refusal = await refusalOf(url);
    expect(refusal).toMatchObject({ code, exitCode: code === "DATABASE_REFUSED" ? 78 : 69 });
    expect(refusal.message).toMatch(words);
    expect(`${refusal.message}${refusal.stack}${JSON.stringify(refusal)}`).not.toMatch(/canary-Passw0rd/);
  });

  it("the refusal tells of a user who may not create tables", async () => {
    const url = await createTestDatabase();
    const name = `weak_${new URL(url).pathname.slice(-6)}`;
    await createUser(url, name);
    await runOnServer(url, "revoke create on schema public from public");
    const refusal = await refusalOf(change(url, (address) => (address.username = name)));
    expect(refusal).toMatchObject({ code: "DATABASE_REFUSED" });
    expect(refusal.message).toMatch(/permission denied.*owner/);
  });

  it("the refusal tells of a foreign table with the same name", async () => {
    const url = await createTestDatabase();
    await runOnServer(url, "create table messages (theirs text)");
    const refusal = await refusalOf(url);
    expect(refusal).toMatchObject({ code: "DATABASE_REFUSED", exitCode: 78 });
    expect(refusal.message).toMatch(/"messages" already exists.*of its own: createdb/);
    await runOnServer(url, "select theirs from messages");
  });

  it("the refusal tells of text that is not stored as UTF-8", async () => {
    const whole = await createTestDatabase();
    const name = `latin_${new URL(whole).pathname.slice(-6)}`;
    await runOnServer(
      whole,
      `create database ${name} encoding 'LATIN1' locale_provider libc locale 'C' template template0`,
    );
    onTestFinished(() => runOnServer(whole, `drop database ${name} with (force)`));
    const refusal = await refusalOf(change(whole, (address) => (address.pathname = `/${name}`)));
    expect(refusal.message).toMatch(/LATIN1.*UTF8/);
  });

  it("the refusal tells of a server that takes the connection and says nothing", async () => {
    const silent = createServer();
    await new Promise<void>((resolve) => {
      silent.listen(0, "127.0.0.1", resolve);
    });
    onTestFinished(() => void silent.close());
    const { port } = silent.address() as { port: number };
    const refusal = await refusalOf(`postgres://kurisu@127.0.0.1:${port}/kurisu?connectionTimeoutMillis=300`);
    expect(refusal).toMatchObject({ code: "DATABASE_UNREACHABLE" });
  });
});

describe.runIf(postgresIsThere())("an address", () => {
  it.each([
    (name: string, folder: string, port: string) => `postgres://postgres@/${name}?host=${folder}&port=${port}`,
    (name: string, folder: string, port: string) => `postgres:///${name}?host=${folder}&port=${port}&user=postgres`,
    (name: string, folder: string, port: string) =>
      `postgresql://postgres@${encodeURIComponent(folder)}:${port}/${name}`,
  ])("an address can name a socket: %s", async (write) => {
    const url = await createTestDatabase();
    const { pathname, port } = new URL(url);
    const folder = await readSetting(url, "unix_socket_directories");
    const place = write(pathname.slice(1), folder, port);
    const store = await openTestStore({ home: await createTemporaryFolder(), url: place });
    const { rows } = await sql<{ address: string | null }>`select inet_client_addr() as address`.execute(store.main);
    expect(rows).toEqual([{ address: null }]);
    expect(describeDatabase(place)).toContain(pathname);
    const missing = await refusalOf(place.replace(pathname.slice(1), "nowhere"));
    expect(missing.message).toMatch(/createdb/);
  });

  it("an address can name a schema, and each schema holds its own installation", async () => {
    const url = await createTestDatabase();
    await runOnServer(url, "create schema two");
    const two = change(url, (address) => (address.search = "?options=-c%20search_path%3Dtwo"));
    const home = await createTemporaryFolder();
    for (const place of [two, url, two, url]) {
      const store = await openStore({ home, url: place });
      const { rows } = await sql<{ schema: string }>`
        select schemaname as schema from pg_tables where tablename in ('messages', 'kurisu_migrations')
          and schemaname = current_schema()`.execute(store.main);
      expect(rows).toHaveLength(2);
      await store.close();
    }
  });

  it.each(["prefer", "require", "verify-ca"])(
    "an address with sslmode=%s means verify-full, without a word on stderr",
    (mode) => {
      const warned = vi.spyOn(process, "emitWarning");
      onTestFinished(() => warned.mockRestore());
      const url = `postgres://kurisu@db/kurisu?sslmode=${mode}&application_name=mine`;
      const client = new Client(connectionOptions(url, "test"));
      expect([client.ssl, client.database]).toEqual([{}, "kurisu"]);
      expect(warned).not.toHaveBeenCalled();
      expect(nameTlsMode(`${url}&uselibpqcompat=true`)).toContain(`sslmode=${mode}`);
    },
  );
});

async function readSetting(url: string, name: string): Promise<string> {
  const client = new Client(url);
  await client.connect();
  try {
    const { rows } = await client.query<{ value: string }>("select current_setting($1) as value", [name]);
    return rows[0]?.value ?? "";
  } finally {
    await client.end();
  }
}

describe.runIf(postgresIsThere())("on the wire", () => {
  it("a checkpoint is one statement, and so are the writes of a task", async () => {
    const proxy = await openPostgresProxy(await createTestDatabase());
    const store = await openTestStore({ home: await createTemporaryFolder(), url: proxy.url });
    const saver = new StoreCheckpointSaver(store, "prune");
    const at = { configurable: { thread_id: "t", checkpoint_ns: "", fence: 1 } };
    const metadata = { source: "loop", step: 0, parents: {} } as const;
    await fenceThread(store.checkpoints, "t", 1);
    await saver.put(at, { ...emptyCheckpoint(), id: "1" }, metadata, {});
    proxy.statements.splice(0);
    await saver.put(at, { ...emptyCheckpoint(), id: "2" }, metadata, {});
    expect(proxy.statements).toHaveLength(1);
    const writes = Array.from({ length: 100 }, (_, index): [string, unknown] => ["n", index]);
    await saver.putWrites({ configurable: { ...at.configurable, checkpoint_id: "2" } }, writes, "task");
    expect(proxy.statements).toHaveLength(2);
    const lost = { ...at, configurable: { ...at.configurable, fence: 2 } };
    await expect(saver.put(lost, { ...emptyCheckpoint(), id: "3" }, metadata, {})).rejects.toMatchObject({
      code: "TURN_LOST",
    });
    expect(proxy.statements).toHaveLength(3);
  });

  it("the main tables wait for the disk, checkpoints do not, with any options of the address", async () => {
    const url = change(
      await createTestDatabase(),
      (address) => (address.search = "?options=-c%20geqo%3Doff&application_name=mine"),
    );
    const store = await openTestStore({ home: await createTemporaryFolder(), url });
    const read = async (db: typeof store.main | typeof store.checkpoints) =>
      (await sql<{ synchronous_commit: string }>`show synchronous_commit`.execute(db)).rows[0]?.synchronous_commit;
    expect([await read(store.main), await read(store.checkpoints)]).toEqual(["on", "off"]);
  });

  it("closing ends although the server no longer answers", async () => {
    const database = await createDatabase(await createTestDatabase());
    onTestFinished(() => database.drop());
    const proxy = await openPostgresProxy(database.url);
    const store = await openStore({ home: await createTemporaryFolder(), url: proxy.url });
    proxy.hang();
    const asking = sql`select 'nobody answers'`.execute(store.main).catch((error: unknown) => error);
    await expect.poll(() => proxy.statements.at(-1)).toContain("nobody answers");
    await store.close();
    expect(await asking).toSatisfy(isStoreFault);
  });
});
