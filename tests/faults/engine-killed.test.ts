import { join } from "node:path";
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { privateEngineIsThere, startPrivateEngine } from "../support/private-engine.ts";
import { createSandboxBench } from "../support/sandbox-bench.ts";

const ways = [
  { way: "the session's container", fresh: false },
  { way: "a container of its own", fresh: true },
];

describe.runIf(privateEngineIsThere())("kill -9 of the engine", () => {
  test("both kinds of running commands are reported as ended, the next command works, and nothing is left", async () => {
    const engine = await startPrivateEngine();
    const courses = await Promise.all(
      ways.map(async ({ way, fresh }) => {
        const bench = await createSandboxBench({ docker: engine.docker, fresh });
        const { outcome } = await bench.begin("echo begun | tee -a effect; sleep 300; echo late >> effect");
        return { way, fresh, bench, outcome };
      }),
    );
    await engine.kill();
    // What the engine had started is not its child.
    expect(engine.listProcesses().join("\n")).toMatch(/shim/);
    for (const { way, bench, outcome } of courses) {
      expect({ way, ...(await outcome) }).toMatchObject({
        way,
        kind: "unavailable",
        started: true,
        reason: expect.stringMatching(/engine was lost/) as string,
        remedy: expect.stringMatching(/Start Docker/) as string,
      });
      expect({ way, ...bench.sandbox.lastStatus() }).toMatchObject({ way, state: "engine-missing" });
      // Never anywhere else instead.
      expect({ way, ...(await bench.start("echo x >> effect")) }).toMatchObject({
        way,
        kind: "unavailable",
        started: false,
      });
    }

    await engine.start();
    await Promise.all(
      courses.map(async ({ way, fresh, bench }) => {
        expect({ way, ...(await bench.sandbox.status()) }).toMatchObject({ way, state: "ready" });
        const again = await bench.run("echo again >> effect; cat effect");
        expect({ way, ...again }).toMatchObject({ way, stdout: "begun\nagain\n" });
        // The one that was lost is gone, without a sweep by anybody else.
        const count = async () => (await bench.containers()).length;
        await expect.poll(count, { timeout: 120_000, message: way }).toBe(fresh ? 0 : 1);
        await bench.sandbox.stop();
        await expect.poll(bench.containers, { message: way }).toEqual([]);
        const effect = readFileSync(join(bench.workspace, "effect"), "utf8");
        expect({ way, effect }).toEqual({ way, effect: "begun\nagain\n" });
      }),
    );
    await expect.poll(() => engine.listProcesses().filter((line) => line.includes("shim"))).toEqual([]);
  });
});
