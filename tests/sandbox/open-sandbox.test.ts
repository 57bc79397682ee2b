import { randomBytes } from "node:crypto";
import { chown, realpath } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { systemClock } from "../../src/core/clock.ts";
import { createLog } from "../../src/core/log.ts";
import { openSandbox, type SandboxChoice } from "../../src/sandbox/open-sandbox.ts";
import { createWorkspace } from "../../src/workspace/create-workspace.ts";
import { dockerIsThere } from "../support/docker.ts";
import { untilTestEnds } from "../support/keep-until.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";
import { sandboxImage } from "../support/test-sandbox.ts";

const megabyte = 1024 ** 2;
const usual: SandboxChoice = { enabled: true, image: sandboxImage, limits: { fileBytes: 2 * megabyte } };

async function open() {
  const root = await realpath(await createTemporaryFolder());
  const { DOCKER_HOST: dockerHost } = process.env;
  const sandbox = await openSandbox({
    choice: usual,
    ...(dockerHost !== undefined && { dockerHost }),
    workspaces: root,
    seccompFile: join(root, "seccomp.json"),
    installation: `test-${randomBytes(6).toString("hex")}`,
    instance: "boot-1",
    clock: systemClock,
    log: createLog({ level: "silent", secrets: [] }),
  });
  untilTestEnds(() => sandbox.stop());
  const workspace = await createWorkspace({ root }).folderFor("test");
  if (process.getuid?.() === 0) await chown(workspace, 1000, 1000);
  const place = { cwd: ".", timeoutMs: 20_000, workspace, session: "test", signal: new AbortController().signal };
  return { sandbox, run: (command: string) => sandbox.run({ ...place, command }) };
}

describe.runIf(dockerIsThere())("a sandbox whose settings change", () => {
  it("runs what begins by the new ones and lets what runs end by the old; what no container starts by is not taken", async () => {
    const { sandbox, run } = await open();
    const limit = async () => {
      const outcome = await run("ulimit -f");
      return outcome.kind === "finished" ? outcome.stdout.trim() : outcome;
    };
    expect(await limit()).toBe("2048");
    const long = run("sleep 2; ulimit -f");
    expect(await sandbox.follow({ ...usual, limits: { fileBytes: 4 * megabyte } })).toBeUndefined();
    expect(await long).toMatchObject({ kind: "finished", exitCode: 0, stdout: "2048\n" });
    expect(await limit(), "the container that was kept is not used again").toBe("4096");

    const missing = { ...usual, image: "kurisu-none:latest", runtime: "nobody", concurrency: 1 };
    expect(await sandbox.follow(missing)).toMatch(/kurisu-none:latest/);
    expect(await limit(), "the last good one stays").toBe("4096");
    expect(await sandbox.follow({ ...usual, runtime: "nobody" })).toMatch(/nobody/);
    expect(await limit()).toBe("4096");

    expect(await sandbox.follow({ ...usual, enabled: false })).toBeUndefined();
    expect(sandbox.lastStatus().state).toBe("off");
    expect(await limit()).toMatchObject({ kind: "unavailable" });
    expect(await sandbox.follow(usual)).toBeUndefined();
    expect(await limit()).toBe("2048");
  });
});
