/* Other agents use her tools over MCP: real clients, the real program, over its streams. */
import { randomInt } from "node:crypto";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { findServedNames } from "../../src/features/mcp/served/served-servers.ts";
import { createKurisuFolder } from "../support/kurisu-process/kurisu-folder.ts";
import { killPreload, listKillPoints, sample, type KillPoint } from "../support/kurisu-process/kill-points.ts";
import { lookIntoStore } from "../support/kurisu-process/look-into-store.ts";
import { runHere, runOnceHere } from "../support/kurisu-process/run-here.ts";
import { startScriptedModel } from "../support/kurisu-process/scripted-model.ts";
import { startKurisu } from "../support/kurisu-process/start-kurisu.ts";
import { callServed } from "../support/mcp-client/call-served.ts";
import { connectStdio } from "../support/mcp-client/connect-stdio.ts";
import { createStorePlace, listEngines, type EngineName } from "../support/store-engines.ts";

const environment = { KURISU_MODEL: "offline" };
const full = process.env["KURISU_TEST_FULL"] === "1";
const seed = Number(process.env["KURISU_TEST_SEED"] ?? randomInt(1_000_000));
const findServed = (server: string) => (findServedNames(server) ?? []).map(({ name }) => name);
const memoryTools = ["remember", "recall_memory", "get_user_profile", "list_memories", "forget"];
const letWrite = { "system/tools.yaml": 'rules: [{ tool: file_write, level: safe, chat: ["mcp:*"] }]\n' };

describe("kurisu mcp serve over standard streams", () => {
  test("the server offers its tools under their names; safe ones run, others need approval, which is impossible here", async () => {
    const folder = createKurisuFolder({ "system/memory.yaml": 'served: { person: "" }\n' });
    const { client, garbage, pid } = await connectStdio(["all"], { folder, environment });
    const { tools } = await client.listTools();
    const files = ["file_read", "file_write", "file_edit", "file_patch", "file_delete", "glob", "grep"];
    // web_search has no engine here.
    expect(tools.map(({ name }) => name)).toEqual([
      "web_fetch",
      "time",
      ...memoryTools,
      ...findServed("chatlog"),
      ...files,
    ]);
    expect(tools.find(({ name }) => name === "file_delete")?.annotations).toMatchObject({ destructiveHint: true });
    expect(tools.find(({ name }) => name === "time")?.annotations).toMatchObject({ readOnlyHint: true });

    const time = await callServed(client, "time", { zone: "Asia/Tokyo" });
    expect(time).toMatchObject({ ok: true, data: { zone: "Asia/Tokyo" }, meta: { source: "builtin" } });
    expect(await callServed(client, "time", { zone: 7 })).toMatchObject({
      ok: false,
      error: expect.stringMatching(/^Wrong arguments for time: zone/) as string,
    });
    for (const name of ["shell", "todo", "constructor"]) {
      expect(await callServed(client, name)).toMatchObject({ ok: false, error: `The server all has no tool ${name}.` });
    }
    // Nobody said whose chats and memories they may see.
    const closed = ["get_chatlog_stats", "get_user_profile", "list_memories"];
    for (const name of closed)
      expect(await callServed(client, name)).toMatchObject({
        ok: false,
        error: expect.stringContaining("served.person") as string,
      });
    const fact = { category: "fact", content: "我住在上海" };
    expect((await callServed(client, "remember", fact)).error).toContain("served.person");
    const inside = await callServed(client, "web_fetch", { url: "http://127.0.0.1/" });
    expect(inside).toMatchObject({ ok: false, error: expect.stringMatching(/not a public site/) as string });
    for (const [name, given] of [
      ["file_write", { path: "a.txt", content: "x" }],
      ["file_delete", { path: "a.txt" }],
      ["forget", { all: true }],
    ] as const) {
      const refused = await callServed(client, name, given);
      expect(refused).toMatchObject({ ok: false, meta: { status: "denied", timingMs: 0 } });
      expect(refused.error).toContain("needs the owner's yes");
    }
    expect(folder.workspaces()).toEqual([]);
    expect(garbage).toEqual([]);

    process.kill(pid, "SIGTERM");
    await expect.poll(() => lookIntoStore(folder, "select distinct state from turns")).toEqual([{ state: "ended" }]);
    expect(await lookIntoStore(folder, "select tool from tool_ledger order by tool")).toEqual([
      { tool: "fetch" },
      { tool: "get_chatlog_stats" },
      { tool: "get_user_profile" },
      { tool: "list_memories" },
      { tool: "remember" },
      { tool: "time" },
    ]);
    const audit = await lookIntoStore(folder, "select distinct actor, session from audit where action like 'tool.%'");
    expect(audit).toEqual([{ actor: "mcp:local", session: "mcp:local:main" }]);
    expect(await lookIntoStore(folder, "select id from questions")).toEqual([]);
    expect(await lookIntoStore(folder, "select id from memories")).toEqual([]);
  });

  test("reads the memories of the person that is named; what it adds never counts as their own words", async () => {
    const folder = createKurisuFolder({
      "system/memory.yaml": "served: { person: cli:owner }\n",
      "system/tools.yaml": 'rules: [{ tool: forget, level: safe, chat: ["mcp:*"] }]\n',
    });
    const { client } = await connectStdio(["memory"], { folder, environment });
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(memoryTools);
    expect(await runOnceHere("我住在上海", { folder, environment })).toMatchObject({ code: 0 });
    const list = async () => {
      const { data, meta } = await callServed(client, "list_memories");
      return { memories: (data as { memories: { id: number; content: string }[] }).memories, taint: meta["taint"] };
    };
    const own = (await list()).memories;
    expect(own).toMatchObject([{ content: "我住在上海", said: { quote: "我住在上海" } }]);
    expect(await callServed(client, "get_user_profile")).toMatchObject({ ok: true, data: { relation: "stranger" } });

    // It ends nothing, though both are homes.
    const told = { category: "fact", content: "我住在北京", key: "home", value: "北京" };
    const kept = await callServed(client, "remember", told);
    expect(kept).toMatchObject({ ok: true, data: { id: expect.any(Number) as number } });
    expect(kept.data).not.toHaveProperty("superseded");
    const both = await list();
    expect(both.taint).toBe("untrusted");
    expect(both.memories).toMatchObject([
      { content: "我住在北京", notOwnWords: expect.stringContaining("MCP client") as string },
      { content: "我住在上海" },
    ]);
    expect(both.memories[1]).not.toHaveProperty("notOwnWords");
    const recalled = await callServed(client, "recall_memory", { topic: "我住在哪" });
    expect(recalled).toMatchObject({ ok: true, meta: { taint: "untrusted" } });
    const rows = "select person, origin, taint, state from memories order by id";
    expect(await lookIntoStore(folder, rows)).toEqual([
      { person: "cli:owner", origin: "said", taint: "owner", state: "active" },
      { person: "cli:owner", origin: "tool", taint: "untrusted", state: "active" },
    ]);
    // The rule of the operator lets one go; it lets nobody take everything.
    expect((await callServed(client, "forget", { all: true })).error).toContain("needs the owner's yes");
    expect(await callServed(client, "forget", { memory_id: both.memories[0]?.id })).toMatchObject({ ok: true });
    expect((await list()).memories).toEqual(own);
  });

  test("one server has its own tools only, ends with its client, and there is no other", async () => {
    const folder = createKurisuFolder();
    const { client, pid } = await connectStdio(["time"], { folder, environment });
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["time"]);
    expect(await callServed(client, "file_read", { path: "a" })).toMatchObject({ ok: false });
    await client.close();
    await expect.poll(() => isAlive(pid)).toBe(false);
    expect((await runHere(["mcp", "serve", "shell"], { folder, environment })).code).toBe(78);
  });

  test("the server writes into the workspace of its session when the operator's rule allows it", async () => {
    const folder = createKurisuFolder(letWrite);
    const first = await connectStdio(["files", "--session", "一"], { folder, environment });
    const write = await callServed(first.client, "file_write", { path: "a.txt", content: "line\n" });
    expect(write).toMatchObject({ ok: true, data: { path: "a.txt", bytes_written: 5 } });
    expect(await callServed(first.client, "file_read", { path: "a.txt" })).toMatchObject({
      data: { content: "line" },
    });
    // Through the first one, which has the data folder.
    const other = await connectStdio(["files", "--session", "二"], { folder, environment });
    expect(await callServed(other.client, "file_read", { path: "a.txt" })).toMatchObject({ ok: false });
    expect(await callServed(other.client, "file_read", { path: "../../etc/passwd" })).toMatchObject({ ok: false });
    expect(folder.workspaceLines("a.txt")).toEqual(["line"]);
  });

  test("two clients at once through a Kurisu that runs, and on when that is killed", async () => {
    const folder = createKurisuFolder();
    const { environment: model } = await startScriptedModel();
    const kurisu = await startKurisu({ folder, environment: model });
    const clients = await Promise.all([1, 2].map(() => connectStdio(["time"], { folder, environment: model })));
    const ask = () => Promise.all(clients.flatMap(({ client }) => [1, 2, 3].map(() => callServed(client, "time"))));
    expect((await ask()).map(({ ok }) => ok)).toEqual(Array.from({ length: 6 }, () => true));
    expect(await runOnceHere("在吗", { folder, environment: model })).toMatchObject({ code: 0 });
    await kurisu.crash();
    expect((await ask()).map(({ ok }) => ok)).toEqual(Array.from({ length: 6 }, () => true));
    // One of them has the folder now, and lets others in.
    expect(await runOnceHere("在吗", { folder, environment: model })).toMatchObject({ code: 0 });
    for (const { garbage } of clients) expect(garbage).toEqual([]);
  });
});

describe.each(listEngines())("kill -9 in a call on %s", (engine) => {
  test("leaves no turn running, and nothing runs twice", async () => {
    const call = { path: "a.txt", content: "once\n", mode: "append" };
    const points = await countPoints(engine, call);
    for (const point of full ? points : sample(points, 1, seed)) {
      const { folder, settings, log } = await makePlace(engine);
      const kill = { ...settings, KILL_AT: point, KILL_LOG: log };
      const killed = await connectStdio(["files"], { folder, environment: kill, preload: killPreload });
      await callServed(killed.client, "file_write", call).catch(() => undefined);
      await killed.closed;
      const next = await connectStdio(["time"], { folder, environment: settings });
      expect((await callServed(next.client, "time")).ok).toBe(true);
      expect(await lookIntoStore(folder, "select id from turns where state <> 'ended'"), `${point} ${seed}`).toEqual(
        [],
      );
      expect(folder.workspaceLines("a.txt").length, `${point} ${seed}`).toBeLessThanOrEqual(1);
    }
  });
});

async function makePlace(engine: EngineName) {
  const folder = createKurisuFolder(letWrite);
  const { url } = await createStorePlace(engine);
  const place = { ...folder, ...(url !== undefined && { url }) };
  const settings = { ...environment, ...(url !== undefined && { DATABASE_URL: url }) };
  return { folder: place, settings, log: join(folder.config, "kills.log") };
}

/** The durable writes of the call itself, which come after those of the start. */
async function countPoints(engine: EngineName, call: Readonly<Record<string, unknown>>): Promise<readonly KillPoint[]> {
  const { folder, settings, log } = await makePlace(engine);
  const options = { folder, environment: { ...settings, KILL_LOG: log }, preload: killPreload };
  const { client } = await connectStdio(["files"], options);
  const before = listKillPoints(log, ["after"]).filter((point) => point.startsWith("main:")).length;
  expect((await callServed(client, "file_write", call)).ok).toBe(true);
  const all = listKillPoints(log, ["after"]).filter((point) => point.startsWith("main:"));
  expect(all.length).toBeGreaterThan(before + 2);
  return all.slice(before, -1);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return false;
    throw error;
  }
}
