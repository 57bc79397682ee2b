import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import type { McpReply } from "../../../src/features/mcp/connection/types.ts";
import { makeEvilServer } from "../../support/mcp/evil-server.ts";
import { startBridge } from "../../support/mcp/start-bridge.ts";
import { waitUntil } from "../../support/wait-until.ts";

const act = "mcp__evil__act";

test("a server that asks and asks gets a few questions through, which end with the call", async () => {
  const evil = makeEvilServer({ onCall: "ask often" });
  let ended = 0;
  const untilOver = (_: unknown, signal: AbortSignal) =>
    new Promise<McpReply>((resolve) => {
      signal.addEventListener("abort", () => {
        ended += 1;
        resolve({ action: "cancel" });
      });
    });
  const { asked, call } = await startBridge({ evil: evil.entry }, { ask: untilOver });
  // It answers the call when the first of its questions is answered.
  expect(await call(act, { text: "a" })).toMatchObject({ ok: true, output: 'heard {"action":"decline"}' });
  await waitUntil("the end of what was asked", () => ended === asked.length);
  expect(asked).toHaveLength(3);
});

test("a storm of changes is looked at ever more rarely, one at a time, and told once", async () => {
  const evil = makeEvilServer();
  const { held, bridge, offered, store } = await startBridge({ evil: evil.entry });
  expect(offered()).toEqual([act]);
  evil.be({ storms: true });
  process.kill(evil.pid(), "SIGKILL");
  await waitUntil("the storm", async () => {
    await bridge.connect("evil", "cli:main", new AbortController().signal).catch(() => undefined);
    return held.length > 0;
  });
  const listings = () => evil.everything().filter((deed) => deed === "listed").length;
  const before = listings();
  await waitUntil("another look", () => listings() > before + 1);
  await pause(2_000);
  // A change every 20 ms; 200 ms between looks would be ten of them.
  expect(listings() - before).toBeLessThan(7);
  expect(held).toEqual(["act"]);
  const rows = await store.main.selectFrom("mcp_pins").selectAll().execute();
  expect(rows).toHaveLength(1);
});
