// full: needs PostgreSQL
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { AppError } from "../../src/core/errors.ts";
import { lockDatabase, type DatabaseLock } from "../../src/store/engines/lock-database.ts";
import { lookIntoStore } from "../support/kurisu-process/look-into-store.ts";
import { openPostgresProxy } from "../support/postgres-proxy.ts";
import { createTestDatabase, postgresIsThere } from "../support/postgres.ts";

const program = join(import.meta.dirname, "../support/hold-database-process.ts");

interface Trial {
  readonly lock: DatabaseLock;
  readonly lost: AppError[];
  readonly troubles: string[];
}

async function take(url: string, shared = false): Promise<Trial> {
  const lost: AppError[] = [];
  const troubles: string[] = [];
  const lock = await lockDatabase({
    url,
    purpose: "test",
    shared,
    ...(shared && { tries: 5 }),
    onLost: (fault) => void lost.push(fault),
    onTrouble: (reason) => void troubles.push(reason),
  });
  onTestFinished(() => lock.release());
  return { lock, lost, troubles };
}

async function takeInAnotherProcess(url: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, [program, url], { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child.stdout, "data");
  return child;
}

/** Process numbers, on the server, of whoever has the database's lock. */
async function findHolders(url: string): Promise<readonly unknown[]> {
  const mine = "database = (select oid from pg_database where datname = current_database())";
  const query = `select pid from pg_locks where locktype = 'advisory' and granted and ${mine}`;
  return (await lookIntoStore({ home: "", url }, query)).map(({ pid }) => pid);
}

describe.runIf(postgresIsThere())("lockDatabase", () => {
  it("refuses the second process and names the first", async () => {
    const url = await createTestDatabase();
    const child = await takeInAnotherProcess(url);
    const refusal = await take(url).catch((error: unknown) => error as AppError);
    expect(refusal).toMatchObject({ code: "DATABASE_BUSY", exitCode: 69 });
    expect((refusal as AppError).message).toMatch(new RegExp(`kurisu start ${child.pid}@.*DATABASE_URL`));
  });

  it("the lock is free again as soon as the process is gone, even by kill -9, and a waiting process gets it", async () => {
    const url = await createTestDatabase();
    const child = await takeInAnotherProcess(url);
    const waiting = take(url);
    child.kill("SIGKILL");
    expect((await waiting).lost).toEqual([]);
  });

  it("belongs to one database, and can be given back and taken again", async () => {
    const url = await createTestDatabase();
    const first = await take(url);
    await take(await createTestDatabase());
    await first.lock.release();
    expect((await take(url)).lost).toEqual([]);
  });

  it("the process takes the lock again when its connection is lost", async () => {
    const url = await createTestDatabase();
    const proxy = await openPostgresProxy(url);
    const held = await take(proxy.url);
    const [first] = await findHolders(url);
    proxy.cutAll();
    await expect.poll(async () => (await findHolders(url)).filter((pid) => pid !== first)).toHaveLength(1);
    expect(await take(url).catch((error: unknown) => error)).toMatchObject({ code: "DATABASE_BUSY" });
    expect(held.lost).toEqual([]);
    expect(held.troubles[0]).toContain("lost");
  });

  it("admits processes that share the database if the first one does, and none that wants it alone", async () => {
    const url = await createTestDatabase();
    const first = await take(url, true);
    expect(first.lock.isAlone).toBe(true);
    expect(await take(url, true).catch((error: unknown) => error)).toMatchObject({ code: "DATABASE_BUSY" });
    await first.lock.share();
    const second = await take(url, true);
    expect(second.lock.isAlone).toBe(false);
    await first.lock.release();
    expect(await take(url).catch((error: unknown) => error)).toMatchObject({ code: "DATABASE_BUSY" });
    await second.lock.release();
    expect((await take(url)).lock.isAlone).toBe(true);
  });

  it("shares a lock that it had to take again before it was told to share", async () => {
    const url = await createTestDatabase();
    const proxy = await openPostgresProxy(url);
    const first = await take(proxy.url, true);
    const [before] = await findHolders(url);
    proxy.cutAll();
    await expect.poll(async () => (await findHolders(url)).filter((pid) => pid !== before)).toHaveLength(1);
    await first.lock.share();
    expect((await take(url, true)).lock.isAlone).toBe(false);
  });

  it("tells the process to end when another one has it by then", async () => {
    const url = await createTestDatabase();
    const proxy = await openPostgresProxy(url);
    const held = await take(proxy.url);
    proxy.refuse();
    proxy.cutAll();
    await expect.poll(() => held.troubles.length).toBeGreaterThan(1);
    await take(url);
    proxy.accept();
    await expect.poll(() => held.lost.map((fault) => fault.code)).toEqual(["DATABASE_BUSY"]);
  });
});
