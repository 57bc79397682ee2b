import { expect, test } from "vitest";
import { makeEvilServer } from "../../support/mcp/evil-server.ts";
import { startBridge } from "../../support/mcp/start-bridge.ts";
import { waitUntil } from "../../support/wait-until.ts";

const act = "mcp__evil__act";

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

test("its words about itself lower nothing: it asks, may change things, and its words are untrusted", async () => {
  const evil = makeEvilServer();
  const { find } = await startBridge({ evil: evil.entry });
  expect(find(act)).toMatchObject({
    source: "mcp",
    level: "confirm",
    readOnly: false,
    idempotent: false,
    concurrencySafe: false,
    taint: "untrusted",
  });
});

test("only what the operator writes makes a tool read-only", async () => {
  const evil = makeEvilServer({ more: ["get_this"] });
  const { find } = await startBridge({ evil: { ...evil.entry, readOnly: ["get_*"] } });
  expect(find("mcp__evil__get_this")).toMatchObject({ readOnly: true, level: "confirm" });
  expect(find(act)).toMatchObject({ readOnly: false });
});

test("a process gets what programs need and what is written for it, nothing else of ours", async () => {
  const evil = makeEvilServer();
  process.env["KURISU_CANARY_TOKEN"] = "canary";
  const { call } = await startBridge({ evil: { ...evil.entry, env: { MINE: "1" } } });
  delete process.env["KURISU_CANARY_TOKEN"];
  await call(act, { text: "a" });
  const deeds = evil.everything();
  expect(deeds.find((deed) => deed.startsWith("variables "))).toBe("variables MINE PATH");
});

test("a crash in a call is told as what may have happened, and nothing is called again by itself", async () => {
  const evil = makeEvilServer({ onCall: "crash" });
  const { call } = await startBridge({ evil: evil.entry });
  const answer = await call(act, { text: "a" });
  expect(answer).toMatchObject({ ok: false, error: expect.stringMatching(/lost during the call.*may or may not/s) });
  expect(evil.deeds()).toEqual(["did a"]);
  evil.be({});
  expect(await call(act, { text: "b" })).toMatchObject({ ok: true, output: "did b" });
  expect(evil.deeds()).toEqual(["did a", "did b"]);
});

test("she asks a tool that the operator calls read-only once more when the server was lost", async () => {
  const evil = makeEvilServer({ onCall: "crash" });
  const { call } = await startBridge({ evil: { ...evil.entry, readOnly: ["act"] } });
  expect(await call(act, { text: "a" })).toMatchObject({
    ok: false,
    error: expect.stringContaining("Nothing changed"),
  });
  expect(evil.deeds()).toEqual(["did a", "did a"]);
});

test("kill -9 in a call and between calls: one execution each, and the next call finds a new process", async () => {
  const evil = makeEvilServer({ onCall: "hang" });
  const { call } = await startBridge({ evil: evil.entry });
  const during = call(act, { text: "a" });
  await waitUntil("the call", () => evil.deeds().includes("did a"));
  const first = evil.pid();
  process.kill(first, "SIGKILL");
  expect(await during).toMatchObject({ ok: false, error: expect.stringContaining("may or may not") });
  evil.be({});
  expect(await call(act, { text: "b" })).toMatchObject({ ok: true });
  const second = evil.pid();
  expect(second).not.toBe(first);
  process.kill(second, "SIGKILL");
  await waitUntil("its end", () => !isAlive(second));
  expect(await call(act, { text: "c" })).toMatchObject({ ok: true, output: "did c" });
  expect(evil.deeds()).toEqual(["did a", "did b", "did c"]);
});

test("one that hangs is told to stop when the time is over", async () => {
  const evil = makeEvilServer({ onCall: "hang" });
  const { call } = await startBridge({ evil: { ...evil.entry, timeout: "1s" } });
  expect(await call(act, { text: "a" })).toMatchObject({
    ok: false,
    error: expect.stringMatching(/gave no answer for 1 s.*may or may not/s),
  });
  await waitUntil("the word to stop", () => evil.deeds().includes("was told to stop"));
});

test("a stop by the person reaches the server", async () => {
  const evil = makeEvilServer({ onCall: "hang" });
  const { call } = await startBridge({ evil: evil.entry });
  const stop = new AbortController();
  const during = call(act, { text: "a" }, { signal: stop.signal });
  await waitUntil("the call", () => evil.deeds().includes("did a"));
  stop.abort();
  expect(await during).toEqual({ ok: false, error: "Stopped." });
  await waitUntil("the word to stop", () => evil.deeds().includes("was told to stop"));
});

test("garbage between the messages is passed over", async () => {
  const evil = makeEvilServer({ onCall: "garbage", onStart: "garbage" });
  const { call } = await startBridge({ evil: evil.entry });
  expect(await call(act, { text: "a" })).toMatchObject({ ok: true, output: "did a" });
});

test("a line of a gigabyte ends the connection, not us", async () => {
  const evil = makeEvilServer({ onCall: "one line" });
  const { call } = await startBridge({ evil: evil.entry });
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  expect(await call(act, { text: "a" })).toMatchObject({
    ok: false,
    error: expect.stringContaining("lost during the call"),
  });
  expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024);
  expect(evil.deeds()).toEqual(["did a"]);
});

test("an answer with an unknown id is ignored", async () => {
  const evil = makeEvilServer({ onCall: "wrong id" });
  const { call } = await startBridge({ evil: { ...evil.entry, timeout: "1s" } });
  expect(await call(act, { text: "a" })).toMatchObject({ ok: false, error: expect.stringContaining("gave no answer") });
});

test("two sessions at once: no answer crosses", async () => {
  const evil = makeEvilServer();
  const { call } = await startBridge({ evil: evil.entry });
  const asked = Array.from({ length: 20 }, (_, index) => ({ text: `of session ${index}`, wait: (index * 37) % 100 }));
  const answers = await Promise.all(
    asked.map(({ text, wait }, index) => call(act, { text, wait }, { session: `fake:${index}` })),
  );
  expect(answers.map((answer) => answer.ok && answer.output)).toEqual(asked.map(({ text }) => `did ${text}`));
});

test("one that ignores every request to end is ended, with what it has started", async () => {
  const evil = makeEvilServer({ stays: true });
  const { call, stop } = await startBridge({ evil: evil.entry });
  await call(act, { text: "a" });
  const child = Number(
    evil
      .everything()
      .find((deed) => deed.startsWith("child "))
      ?.slice("child ".length),
  );
  const pids = [evil.pid(), child];
  expect(pids.map(isAlive)).toEqual([true, true]);
  await stop();
  await waitUntil("their end", () => pids.every((pid) => !isAlive(pid)));
  expect(evil.deeds()).toContain("would not end");
});

test("one that never comes up is told with its own last words, and tried less and less", async () => {
  const evil = makeEvilServer({ onStart: "exit" });
  const { bridge, stop } = await startBridge({ evil: evil.entry });
  const [view] = bridge.views();
  expect(view).toMatchObject({ state: "failed", detail: expect.stringContaining("no key was given") });
  const signal = new AbortController().signal;
  await expect(bridge.connect("evil", "cli:main", signal)).rejects.toThrow(/no key was given/);
  await expect(bridge.connect("evil", "cli:main", signal)).rejects.toThrow(/failed 2 times .* the next try is in/);
  await stop();
});

test("one that never says hello is given up", async () => {
  const evil = makeEvilServer({ onStart: "silent" });
  const { bridge } = await startBridge({ evil: { ...evil.entry, startTimeout: "1s" } });
  expect(bridge.views()[0]).toMatchObject({ state: "failed", detail: "timed out after 1 s" });
});

test("arguments that do not fit do not reach the server", async () => {
  const evil = makeEvilServer();
  const { call } = await startBridge({ evil: evil.entry });
  expect(await call(act, { text: 3 })).toMatchObject({ ok: false, error: expect.stringContaining("text") });
  expect(await call(act, {})).toMatchObject({ ok: false, error: expect.stringContaining("text") });
  expect(evil.deeds()).toEqual([]);
});

test.each([
  ["that is no schema", { type: "object", properties: { text: { type: "strong" } } }, /cannot be used/],
  [
    "that leads elsewhere",
    { type: "object", properties: { text: { $ref: "https://evil.example/x" } } },
    /cannot be used/,
  ],
  ["of something else than an object", { type: "string" }, /must describe an object/],
  ["without a bottom", nest(200), /nested/],
])("a schema %s is refused with its reason", async (_, schema, reason) => {
  const evil = makeEvilServer({ schema });
  const { bridge, offered } = await startBridge({ evil: evil.entry });
  expect(offered()).toEqual([]);
  expect(bridge.views()[0]?.refused).toEqual([{ name: "act", reason: expect.stringMatching(reason) }]);
});

test("an expression of the server's is not run on what the model writes", async () => {
  const schema = { type: "object", properties: { text: { type: "string", pattern: "^(a+)+$" } } };
  const evil = makeEvilServer({ schema });
  const { call } = await startBridge({ evil: evil.entry });
  expect(await call(act, { text: `${"a".repeat(60)}!` })).toMatchObject({ ok: true });
});

test("its names cannot be a built-in's, another server's, or twice the same", async () => {
  const evil = makeEvilServer({ more: ["shell", "a.b", "a_b", "a/b", "x".repeat(120), "other__shell"] });
  const { offered } = await startBridge({ evil: evil.entry });
  expect(offered()).toEqual([
    "mcp__evil__act",
    "mcp__evil__shell",
    expect.stringMatching(/^mcp__evil__a_b_[0-9a-f]{8}$/),
    "mcp__evil__a_b",
    expect.stringMatching(/^mcp__evil__a_b_[0-9a-f]{8}$/),
    expect.stringMatching(/^mcp__evil__x{44}_[0-9a-f]{8}$/),
    "mcp__evil__other__shell",
  ]);
  expect(new Set(offered()).size).toBe(7);
  expect(offered().every((name) => /^[\w-]{1,64}$/.test(name))).toBe(true);
});

function nest(levels: number): object {
  return levels === 0 ? { type: "string" } : { type: "object", properties: { text: nest(levels - 1) } };
}

test("its last words are shown without the keys it was given", async () => {
  const environment = { EVIL_KEY: "c4nary-of-evil-8841" };
  const evil = makeEvilServer({ onStart: "exit" });
  const { bridge } = await startBridge({ evil: evil.entry }, { environment });
  expect(bridge.views()).toMatchObject([
    { state: "failed", detail: expect.stringContaining("no key was given: [secret]") },
  ]);
});
