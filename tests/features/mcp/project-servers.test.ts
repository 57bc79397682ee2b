import { expect, test } from "vitest";
import type { McpServer } from "../../../src/features/mcp/servers/types.ts";
import { makeEvilServer } from "../../support/mcp/evil-server.ts";
import { startBridge } from "../../support/mcp/start-bridge.ts";
import { waitUntil } from "../../support/wait-until.ts";

const act = "mcp__evil__act";
const place = { session: "cli:main", chatKind: "private", language: "zh" } as const;

test("a project's server does not run before the owner approves exactly this entry", async () => {
  const evil = makeEvilServer();
  const first = await startBridge({ evil: evil.entry }, { project: "one" });
  const { bridge } = first;
  expect(bridge.views()[0]).toMatchObject({ state: "unapproved", tools: [] });
  expect(bridge.listUnapproved()).toEqual([{ server: "evil", digest: "one" }]);
  expect(bridge.readable()).toEqual([]);
  await expect(bridge.connect("evil", "cli:main", AbortSignal.timeout(1_000))).rejects.toThrow("/mcp approve evil");
  expect(await bridge.login("evil", "cli:owner")).toMatchObject({ kind: "refused" });
  expect(await bridge.approve("evil", ["two"], "cli:owner")).toEqual([]);
  expect(evil.everything()).toEqual([]);

  expect(await bridge.approve("evil", ["one"], "cli:owner")).toEqual(["evil"]);
  expect(first.find(act)).toMatchObject({ alwaysAsks: true, readOnly: false, source: "mcp" });
  expect(await first.call(act, { text: "a" })).toMatchObject({ ok: true });
  expect(bridge.listUnapproved()).toEqual([]);
  await first.stop();

  // The yes is kept; another entry of the same name is another server.
  const { home } = first;
  const again = await startBridge({ evil: evil.entry }, { project: "one", home });
  expect(await again.call(act, { text: "b" })).toMatchObject({ ok: true });
  const pid = evil.pid();
  const [known] = again.bridge.views();
  if (!known) throw new Error("no server");
  await again.bridge.apply([{ ...known.server, project: { digest: "two", entry: "{}" } } satisfies McpServer]);
  const before = evil.everything();
  expect(again.offered()).toEqual([]);
  const refused = { ok: false, error: expect.stringContaining("/mcp approve evil") };
  expect(await again.find(act).inspect?.({ text: "c" }, place)).toEqual(refused);
  expect(await again.call(act, { text: "c" })).toEqual(refused);
  await waitUntil("the end of the old process", () => !isAlive(pid));
  expect(evil.everything()).toEqual(before);
  expect(evil.deeds()).toEqual(["did a", "did b"]);
});

test("a project server shares no pins with one of the same name in config/mcp.json, and an approval can be withdrawn", async () => {
  const evil = makeEvilServer();
  const own = await startBridge({ evil: evil.entry });
  expect(own.offered()).toEqual([act]);
  await own.stop();
  const { home } = own;
  const theirs = await startBridge({ evil: evil.entry }, { project: "one", home });
  expect(theirs.bridge.views()[0]?.tools).toEqual([]);
  await theirs.bridge.approve("evil", ["one"], "cli:owner");
  expect(theirs.offered()).toEqual([act]);
  expect(await theirs.bridge.forget("evil", "cli:owner")).toBe(true);
  expect(theirs.bridge.views()[0]?.state).toBe("unapproved");
  expect(theirs.offered()).toEqual([]);
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
