// full: starts the program
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createKurisuFolder } from "../support/kurisu-process/kurisu-folder.ts";
import { spawnKurisu } from "../support/kurisu-process/spawn-kurisu.ts";
import { createTestDatabase, postgresIsThere } from "../support/postgres.ts";

const holder = join(import.meta.dirname, "../support/hold-database-process.ts");

interface Finding {
  readonly check: string;
  readonly state: string;
  readonly detail: string;
}

/** Runs the real doctor and answers its exit code and findings; nothing may be said on stderr. */
async function examine(url: string): Promise<{ code: number | null; findings: Readonly<Record<string, Finding>> }> {
  const doctor = spawnKurisu(["doctor", "--json"], {
    folder: createKurisuFolder(),
    environment: { KURISU_MODEL: "offline", DOCKER_HOST: "unix:///nowhere/docker.sock", DATABASE_URL: url },
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
});
