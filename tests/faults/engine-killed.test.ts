import { join } from "node:path";
import { readFileSync } from "node:fs";
import { describe, test } from "vitest";
import { besideOthers } from "../support/keep-until.ts";
import { privateEngineIsThere, startPrivateEngine } from "../support/private-engine.ts";
import { createSandboxBench } from "../support/sandbox-bench.ts";

const ways = [
  { way: "the session's container", fresh: false },
  { way: "a container of its own", fresh: true },
];

describe.runIf(privateEngineIsThere()).concurrent("kill -9 of the engine", () => {
  test.for(ways)(
    "while a command runs in $way: it is told, the next command works, nothing is left",
    { timeout: 240_000 },
    besideOthers(async ({ expect }, { fresh }: (typeof ways)[number]) => {
      const engine = await startPrivateEngine();
      const bench = await createSandboxBench({ docker: engine.docker, fresh });
      const { outcome } = await bench.begin("echo begun | tee -a effect; sleep 300; echo late >> effect");
      await engine.kill();
      // What the engine had started is not its child.
      expect(engine.listProcesses().join("\n")).toMatch(/shim/);
      expect(await outcome).toMatchObject({
        kind: "unavailable",
        started: true,
        reason: expect.stringMatching(/engine was lost/) as string,
        remedy: expect.stringMatching(/Start Docker/) as string,
      });
      expect(bench.sandbox.lastStatus()).toMatchObject({ state: "engine-missing" });
      // Never anywhere else instead.
      expect(await bench.start("echo x >> effect")).toMatchObject({ kind: "unavailable", started: false });

      await engine.start();
      expect(await bench.sandbox.status()).toMatchObject({ state: "ready" });
      expect(await bench.run("echo again >> effect; cat effect")).toMatchObject({ stdout: "begun\nagain\n" });
      // The one that was lost is gone, without a sweep by anybody else.
      await expect.poll(async () => (await bench.containers()).length, { timeout: 120_000 }).toBe(fresh ? 0 : 1);
      await bench.sandbox.stop();
      await expect.poll(bench.containers).toEqual([]);
      await expect.poll(() => engine.listProcesses().filter((line) => line.includes("shim"))).toEqual([]);
      expect(readFileSync(join(bench.workspace, "effect"), "utf8")).toBe("begun\nagain\n");
    }),
  );
});
