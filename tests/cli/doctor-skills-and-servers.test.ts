// full: starts the program
import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Finding } from "../../src/kernel/feature/finding.ts";
import { createKurisuFolder, type KurisuFolder } from "../support/kurisu-process/kurisu-folder.ts";
import { runHere } from "../support/kurisu-process/run-here.ts";
import { makeEvilServer } from "../support/mcp/evil-server.ts";
import { mcpFile } from "../support/mcp/reference-servers.ts";
import { startBridge } from "../support/mcp/start-bridge.ts";
import { plainSkill, writeTree } from "../support/skill-source.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";
import { waitUntil } from "../support/wait-until.ts";

const environment = { KURISU_MODEL: "offline", DOCKER_HOST: "unix:///nowhere/docker.sock" };
const run = (folder: KurisuFolder, ...words: readonly string[]) => runHere(words, { folder, environment });

/** What the doctor finds of skills and servers, by the name of the check. */
async function examine(folder: KurisuFolder) {
  const { code, out } = await run(folder, "doctor", "--json");
  const findings = out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Finding)
    .filter(({ check }) => /^(?:skill|mcp) /.test(check));
  return { code, findings: Object.fromEntries(findings.map((finding) => [finding.check, finding])) };
}

it("names each installed skill that is off, with what to do, and no other", async () => {
  const folder = createKurisuFolder();
  const source = await createTemporaryFolder();
  writeTree(source, { "skill.yaml": plainSkill });
  expect((await run(folder, "skills", "install", source, "--yes")).code).toBe(0);
  expect((await examine(folder)).findings).toEqual({});

  const installed = join(folder.home, "skills");
  appendFileSync(join(installed, "weather/skill.yaml"), "\n");
  const changed = await examine(folder);
  expect(changed.code).toBe(1);
  expect(changed.findings["skill weather"]).toEqual({
    check: "skill weather",
    state: "broken",
    detail: expect.stringMatching(/^off: skill\.yaml was changed.*kurisu skills remove weather, and install it again/),
  });

  writeFileSync(join(installed, "skills.lock"), "{");
  expect((await examine(folder)).findings["skill weather"]?.detail).toMatch(/skills\.lock is no JSON.*Put it back/);
});

it("says of each server whether it comes up and what of it is blocked", async () => {
  const folder = createKurisuFolder();
  const lib = makeEvilServer({ description: "one" });
  const shut = makeEvilServer({ onStart: "exit" });
  const bench = await startBridge({ lib: lib.entry }, { home: folder.home });
  lib.be({ description: "two" });
  process.kill(lib.pid(), "SIGUSR2");
  await waitUntil("quarantine", async () => bench.held.length > 0);
  await bench.stop();
  folder.configure(
    "mcp.json",
    mcpFile({ lib: lib.entry, shut: { ...shut.entry, env: { EVIL_KEY: "c4nary-of-shut" } } }),
  );
  const { code, findings } = await examine(folder);
  expect(code).toBe(1);
  expect(findings["mcp lib"]).toMatchObject({
    state: "warning",
    detail:
      "evil 1, 1 tool, about 32 tokens (config/mcp.json), 1 blocked until you have looked at them: ./kurisu mcp list",
  });
  expect(findings["mcp shut"]).toMatchObject({
    state: "broken",
    detail: expect.stringMatching(/no key was given: \[secret\]\): config\/mcp\.json$/),
  });
});

it("the command starts no unapproved server of .mcp.json, and shows where each one comes from", async () => {
  const folder = createKurisuFolder();
  const evil = makeEvilServer();
  folder.configure("../.mcp.json", mcpFile({ evil: evil.entry, mine: { command: "theirs" } }));
  folder.configure("mcp.json", mcpFile({ mine: evil.entry }));
  const list = async () => (await run(folder, "mcp", "list")).out;
  expect(await list()).toMatch(
    /^mine {2}idle {2}of config\/mcp\.json .*^evil {2}unapproved {2}of \.mcp\.json .*"command"/ms,
  );
  folder.configure("mcp.json", mcpFile({ mine: { ...evil.entry, disabled: true } }));
  const { findings } = await examine(folder);
  expect(evil.everything()).toEqual([]);
  expect(findings["mcp evil"]).toEqual({
    check: "mcp evil",
    state: "warning",
    detail: "is not started before your yes: ./kurisu mcp approve evil (.mcp.json)",
  });
  expect(findings["mcp .mcp.json"]).toMatchObject({
    state: "warning",
    detail: expect.stringMatching(/\.mcp\.json:1:1 mcpServers\.mine: is the name of a server of config\/mcp\.json/),
  });
  // The command is the yes; then the doctor starts it as any other.
  expect(await run(folder, "mcp", "approve", "evil")).toMatchObject({
    code: 0,
    out: expect.stringContaining('"args"'),
  });
  expect(evil.everything()).toEqual([]);
  expect((await examine(folder)).findings["mcp evil"]).toMatchObject({
    state: "ok",
    detail: "evil 1, 1 tool, about 35 tokens (.mcp.json)",
  });
  expect(await run(folder, "mcp", "remove", "evil")).toMatchObject({
    out: expect.stringContaining("without a new yes"),
  });
  expect(await list()).toContain("evil  unapproved  of .mcp.json");
});

it("says what an installed skill needs in the sandbox, and that nothing was checked without an engine", async () => {
  const folder = createKurisuFolder();
  const source = await createTemporaryFolder();
  writeTree(source, { "skill.yaml": plainSkill, "scripts/sheet.py": "import openpyxl\n" });
  const installed = await run(folder, "skills", "install", source, "--yes");
  expect(installed.out).toMatch(
    /It needs in the sandbox: python: openpyxl\n[^]*\nNot checked whether the sandbox has .*engine/,
  );
  const verified = await run(folder, "skills", "verify");
  expect(verified).toMatchObject({ code: 0, out: expect.stringMatching(/✓ weather\nNot checked whether the sandbox/) });
});
