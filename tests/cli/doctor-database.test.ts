// full: starts the program
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { sql } from "kysely";
import { describe, expect, it, onTestFinished } from "vitest";
import { createKurisuFolder } from "../support/kurisu-process/kurisu-folder.ts";
import { untilTestEnds } from "../support/keep-until.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";
import { spawnKurisu } from "../support/kurisu-process/spawn-kurisu.ts";
import { tables } from "../../src/assembly/features.ts";
import { lockDatabase } from "../../src/store/engines/lock-database.ts";
import { insertInboxItem } from "../../src/store/queries/inbox.ts";
import { reportNode } from "../../src/store/queries/nodes.ts";
import { openStore } from "../../src/store/open-store.ts";
import { createDatabaseUntil, createTestDatabase, postgresIsThere } from "../support/postgres.ts";

const holder = join(import.meta.dirname, "../support/hold-database-process.ts");

interface Finding {
  readonly check: string;
  readonly state: string;
  readonly detail: string;
}

/** Runs the real doctor and answers its exit code and findings; nothing may be said on stderr. */
async function examine(
  url: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<{ code: number | null; findings: Readonly<Record<string, Finding>> }> {
  const doctor = spawnKurisu(["doctor", "--json"], {
    folder: createKurisuFolder(),
    environment: {
      KURISU_MODEL: "offline",
      DOCKER_HOST: "unix:///nowhere/docker.sock",
      DATABASE_URL: url,
      ...environment,
    },
  });
  const { code } = await doctor.ended();
  expect(doctor.stderr()).toBe("");
  const found = doctor.stdout().trim().split("\n");
  const findings = found.map((line) => JSON.parse(line) as Finding);
  return { code, findings: Object.fromEntries(findings.map((finding) => [finding.check, finding])) };
}

const checks = [
  "node",
  "configuration",
  "data folder",
  "database",
  "backup",
  "voice in",
  "voice out",
  "embeddings",
  "model",
  "sandbox",
  "web search",
  "browser",
  "telegram",
  "qq",
  "qqbot",
  "api",
];

describe("doctor", () => {
  it("goes on with the other checks when the database is down", async () => {
    const { code, findings } = await examine("postgres://kurisu@127.0.0.1:1/kurisu");
    expect(Object.keys(findings)).toEqual(checks);
    expect(findings["database"]).toMatchObject({ state: "broken", detail: expect.stringMatching(/ECONNREFUSED/) });
    expect(findings["sandbox"]?.detail).toMatch(/nowhere/);
    expect(code).toBe(1);
  });
});

describe.runIf(postgresIsThere())("doctor on a server", () => {
  it("names who else works on the database", async () => {
    const url = await createTestDatabase();
    const child = spawn(process.execPath, [holder, url], { stdio: ["ignore", "pipe", "inherit"] });
    onTestFinished(() => void child.kill("SIGKILL"));
    await once(child.stdout, "data");
    const { code, findings } = await examine(url);
    expect(Object.keys(findings)).toEqual(checks);
    expect(findings["database"]?.state).toBe("broken");
    expect(findings["database"]?.detail).toContain(`kurisu start ${child.pid}@`);
    expect(code).toBe(1);
  });

  it("says in one line that there is no TLS, and leaves a sound database free again", async () => {
    const url = await createTestDatabase();
    const refused = await examine(`${url}?sslmode=require`);
    expect(refused.findings["database"]?.detail).toMatch(/does not support SSL.*sslmode=disable/);
    const { findings } = await examine(url);
    expect(findings["database"]).toMatchObject({ state: "ok" });
    expect(findings["owner"]).toMatchObject({ detail: expect.stringContaining("cli:owner") });
    expect((await examine(url)).findings["database"]).toMatchObject({ state: "ok" });
  });

  it("lists the processes that share a database, and what they leave undone", async () => {
    const url = await createDatabaseUntil(untilTestEnds);
    const ignore = () => undefined;
    const lock = await lockDatabase({ url, purpose: "start", shared: true, onLost: ignore, onTrouble: ignore });
    await lock.share();
    const { main, close } = await openStore({ home: await createTemporaryFolder(), url }, tables);
    untilTestEnds(async () => {
      await close();
      await lock.release();
    });
    const node = { address: "", sessions: 0, channels: [] };
    await reportNode(main, {
      ...node,
      id: "1",
      role: "worker",
      place: "one:1",
      version: "0.1.0",
      policy: "old",
      sessions: 3,
    });
    await reportNode(main, {
      ...node,
      id: "2",
      role: "gateway",
      place: "two:2",
      version: "0.2.0",
      policy: "new",
      channels: ["qq"],
    });
    // A slow machine must not make them look dead.
    await main
      .updateTable("nodes")
      .set(({ eb }) => ({ seen_at: eb("seen_at", "+", 600_000) }))
      .execute();
    const row = {
      account: "1",
      kind: "message",
      payload: "{}",
      platform: "qq",
      session: "qq:1",
      state: "received",
    } as const;
    for (const id of ["a", "b"]) await insertInboxItem(main, { ...row, id, eventKey: id, now: Date.now() - 60_000 });
    const { code, findings } = await examine(url, {
      TELEGRAM_BOT_TOKEN: "987654321:AA-Telegram-Token_0123456789ABCDEFGHI",
      TELEGRAM_API_ROOT: "http://127.0.0.1:1",
    });
    expect(findings).toMatchObject({
      database: { state: "ok" },
      processes: { state: "ok", detail: "2 on this database" },
      "process one:1": { detail: expect.stringMatching(/^worker 0\.1\.0, seen \d+ s ago, conversations: 3$/) },
      "process two:2": { detail: expect.stringMatching(/^gateway 0\.2\.0, .*, connected to qq$/) },
      platforms: { state: "broken", detail: expect.stringContaining("no process is connected to telegram") },
      conversations: {
        state: "warning",
        detail: expect.stringMatching(/^waiting for 5 s or more: 1, the oldest for \d+ s$/),
      },
      versions: { state: "warning", detail: expect.stringContaining("0.1.0, 0.2.0") },
      rules: { state: "warning", detail: expect.stringContaining("there: one:1;") },
    });
    expect(findings["workers"]).toMatchObject({ state: "broken", detail: expect.stringContaining("other rules") });
    expect(findings["backup"]).toEqual({
      check: "backup",
      state: "ok",
      detail: "none by itself on Postgres; see docs/backup.md",
    });
    expect(findings).not.toHaveProperty("clock");
    expect(code).toBe(1);
    // Its claims are lost after 10 s, and the row stays for another 10.
    await main
      .updateTable("nodes")
      .set({ policy: "new", seen_at: sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint - 11000` })
      .where("id", "=", "1")
      .execute();
    const later = await examine(url);
    expect(later.findings["process one:1"]).toMatchObject({
      state: "warning",
      detail: expect.stringMatching(/^worker 0\.1\.0, silent for 1\d s: others get its work$/),
    });
    expect(later.findings["workers"]).toMatchObject({ state: "broken" });
  });
});
