import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { hideSecondCgroups } from "../support/hide-second-cgroups.ts";
import { privateEngineIsThere, startPrivateEngine } from "../support/private-engine.ts";
import { createSandboxBench } from "../support/sandbox-bench.ts";
import { tellLeftOut } from "../support/left-out.ts";

function crunIsThere(): boolean {
  if (!privateEngineIsThere()) return false;
  if (spawnSync("crun", ["--version"]).error === undefined) return true;
  if (process.env.KURISU_REQUIRE_PODMAN === "1") throw new Error("crun is not installed");
  tellLeftOut("tests with another OCI runtime", "crun is not installed");
  return false;
}

describe.runIf(crunIsThere())("sandbox.runtime", () => {
  test("crun runs commands behind the same walls, and what the engine does not know runs nothing", async () => {
    const engine = await startPrivateEngine({
      flags: ["--add-runtime", "crun=/usr/bin/crun"],
      prepare: hideSecondCgroups,
    });
    const { docker } = engine;
    for (const fresh of [true, false]) {
      const bench = await createSandboxBench({ docker, runtime: "crun", fresh });
      const { outcome } = await bench.begin(
        "id -u; grep -E 'CapEff|NoNewPrivs|Seccomp:' /proc/self/status | tr -d '\t'; ls /sys/class/net; sleep 2; echo x > /etc/x || echo refused",
      );
      const [container] = await bench.containers();
      const { HostConfig } = await docker.getContainer(container?.Id ?? "").inspect();
      expect(HostConfig.Runtime).toBe("crun");
      expect(await outcome).toMatchObject({
        exitCode: 0,
        stdout: "1000\nCapEff:0000000000000000\nNoNewPrivs:1\nSeccomp:2\nlo\nrefused\n",
      });
      expect(await bench.run("sleep 300", { timeoutMs: 1000 })).toMatchObject({ timedOut: true });
      expect(await bench.run("perl -e '$x = \"a\" x (900 * 1024 * 1024)'")).toMatchObject({
        exitCode: 137,
        outOfMemory: true,
      });
    }
    const unknown = await createSandboxBench({ docker, runtime: "nosuch" });
    expect(await unknown.start("echo ran")).toMatchObject({ kind: "unavailable", started: false });
  });
});
