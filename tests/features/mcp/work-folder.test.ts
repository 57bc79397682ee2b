import { chmodSync, mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, test } from "vitest";
import { makeEvilServer, type EvilServer } from "../../support/mcp/evil-server.ts";
import { startBridge } from "../../support/mcp/start-bridge.ts";
import { createTemporaryFolder } from "../../support/temporary-folder.ts";

const folderOf = (evil: EvilServer) =>
  evil
    .everything()
    .findLast((deed) => deed.startsWith("folder "))
    ?.slice("folder ".length);

test("a shared server works in a folder of its own below the data folder, not in ours", async () => {
  const [evil, other] = [makeEvilServer(), makeEvilServer()];
  const { home } = await startBridge({ evil: evil.entry, other: other.entry });
  expect(folderOf(evil)).toBe(join(realpathSync(home), "mcp", "evil"));
  expect(folderOf(other)).toBe(join(realpathSync(home), "mcp", "other"));
});

test("the folder that mcp.json names is the server's", async () => {
  const evil = makeEvilServer();
  const cwd = realpathSync(await createTemporaryFolder());
  await startBridge({ evil: { ...evil.entry, cwd } });
  expect(folderOf(evil)).toBe(cwd);
});

test("a server of each conversation works in the conversation's folder", async () => {
  const evil = makeEvilServer();
  const workspace = realpathSync(await createTemporaryFolder());
  await startBridge({ evil: { ...evil.entry, scope: "session" } }, { folderFor: async () => workspace });
  expect(folderOf(evil)).toBe(workspace);
});

test("a program that is named from where Kurisu runs is still found", async () => {
  const evil = makeEvilServer();
  const folder = join(await createTemporaryFolder(), "bin");
  mkdirSync(folder);
  writeFileSync(join(folder, "server"), `#!/bin/sh\nexec "$@"\n`);
  chmodSync(join(folder, "server"), 0o755);
  const command = relative(process.cwd(), join(folder, "server"));
  const [program = "", ...files] = evil.entry.args;
  const args = [evil.entry.command, `./${relative(process.cwd(), program)}`, ...files];
  const { offered } = await startBridge({ evil: { command, args } });
  expect(offered()).toEqual(["mcp__evil__act"]);
});

test("servers that cannot be used are named with a reason of our own words", async () => {
  const [dead, silent, fine] = [
    makeEvilServer({ onStart: "exit" }),
    makeEvilServer({ onStart: "silent" }),
    makeEvilServer(),
  ];
  const { bridge } = await startBridge({
    dead: dead.entry,
    silent: { ...silent.entry, startTimeout: "1s" },
    fine: fine.entry,
  });
  expect(bridge.down()).toEqual([
    { server: "dead", reason: "failed" },
    { server: "silent", reason: "timed out" },
  ]);
});
