import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { describeState } from "../../../src/features/mcp/describe-state.ts";
import { findInstaller, findInstallerAtWork } from "../../../src/features/mcp/servers/find-installer.ts";
import { listMcpServers, mcpFileSchema } from "../../../src/features/mcp/servers/mcp-file.ts";
import { createStartLimit } from "../../../src/features/mcp/start-limit.ts";
import { makeEvilServer } from "../../support/mcp/evil-server.ts";
import { startBridge } from "../../support/mcp/start-bridge.ts";
import { createTemporaryFolder } from "../../support/temporary-folder.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { patienceMs } from "../../support/patience.ts";

test.each([
  ["npx", ["-y", "files-server"], "npx"],
  ["/usr/bin/npx", ["files-server"], "npx"],
  ["uvx", ["files"], "uvx"],
  ["bunx", ["files"], "bunx"],
  ["pnpm", ["--silent", "dlx", "files"], "pnpm dlx"],
  ["npm", ["exec", "--yes", "files"], "npm exec"],
  ["uv", ["tool", "run", "files"], "uv tool run"],
  ["pnpm", ["start"], undefined],
  ["node", ["npx"], undefined],
  ["constructor", [], undefined],
])("the installer of %s %j is %s", (command, args, installer) => {
  expect(findInstaller({ command, args })).toBe(installer);
});

test.each([
  ["npm warn exec The following package was not found and will be installed: files@1.0.0\n", "npm"],
  ["starting\nnpm warn deprecated glob@7.2.3: old\n", "npm"],
  ["Downloading numpy (16.0MiB)\n", "uv"],
  ["Installed 30 packages in 12ms\n", "uv"],
  ["Collecting requests\n", "pip"],
  ["Unable to find image 'files:latest' locally\n", "docker"],
  ["latest: Pulling from library/files\n", "docker"],
  ["Files server is up. Downloading is not possible.\n", undefined],
])("%j shows that %s is installing", (said, installer) => {
  expect(findInstallerAtWork(said)).toBe(installer);
});

test("a start has 30 s, minutes while something is being installed, and just what the operator says", () => {
  const limits = (more: object) =>
    listMcpServers(mcpFileSchema.parse({ mcpServers: { a: { command: "a", ...more } } })).map((server) => [
      server.startTimeoutMs,
      server.installTimeoutMs,
    ])[0];
  expect(limits({})).toEqual([30_000, 300_000]);
  expect(limits({ startTimeout: "10m" })).toEqual([600_000, 600_000]);
  expect(limits({ startTimeout: "5s" })).toEqual([5_000, 5_000]);
});

test("the limit of a start grows once, from when the start began", async () => {
  const limit = createStartLimit({ startTimeoutMs: 200, installTimeoutMs: 700 });
  const begun = performance.now();
  limit.extend();
  limit.extend();
  expect(limit.milliseconds()).toBe(700);
  await waitUntil("its end", () => limit.signal.aborted);
  expect(performance.now() - begun).toBeGreaterThan(600);
  const short = createStartLimit({ startTimeoutMs: 50, installTimeoutMs: 700 });
  await waitUntil("its end", () => short.signal.aborted);
  expect(short.milliseconds()).toBe(50);
});

/** Stands in for an installer: takes its time, then becomes the server. */
async function makeInstaller(name: string, script: string): Promise<string> {
  const folder = join(await createTemporaryFolder(), "bin");
  mkdirSync(folder);
  const program = join(folder, name);
  writeFileSync(program, `#!/bin/sh\n${script}\n`);
  chmodSync(program, 0o755);
  return program;
}

test("the bridge shows with the seconds that npx installs a server; then the tools are there", async () => {
  const evil = makeEvilServer();
  const npx = await makeInstaller("npx", 'sleep 7; exec "$@"');
  const starting = startBridge({ evil: { command: npx, args: [evil.entry.command, ...evil.entry.args] } });
  const { bridge, offered } = await starting;
  await bridge.forget("evil", "cli:owner");
  const view = () => bridge.views()[0];
  const again = bridge.connect("evil", "cli:main", AbortSignal.timeout(patienceMs));
  await waitUntil("the progress", () => view()?.detail !== "");
  expect(view()).toMatchObject({
    state: "starting",
    detail: expect.stringMatching(/^first start of evil: npx is installing, [56] s$/),
  });
  const [seen] = bridge.views();
  expect(seen && describeState(seen, "zh")).toMatch(/npx 正在安装，已经 \d 秒/);
  await again;
  expect(view()?.state).toBe("ready");
  expect(offered()).toEqual(["mcp__evil__act"]);
});

test("a start that installs for too long says after how many seconds it was ended", async () => {
  const npx = await makeInstaller("npx", "exec sleep 60");
  const { bridge } = await startBridge({ evil: { command: npx, args: ["files"], startTimeout: "1s" } });
  expect(bridge.views()[0]).toMatchObject({
    state: "failed",
    detail: "timed out after 1 s while npx was installing",
  });
});

test("a half-installed folder of npx is told with what to do", async () => {
  const folder = "/home/o/.npm/_npx/3dfbf5a9eea4a1b3";
  const said = `npm error code ENOTEMPTY\nnpm error ENOTEMPTY: directory not empty, rename '${folder}/node_modules/zod'`;
  const npx = await makeInstaller("npx", `cat >&2 <<'END'\n${said}\nEND\nexit 217`);
  const { bridge } = await startBridge({ evil: { command: npx, args: ["files"] } });
  expect(bridge.views()[0]).toMatchObject({
    state: "failed",
    detail: expect.stringContaining(`npx has not finished installing it: delete the folder ${folder}`),
  });
});
