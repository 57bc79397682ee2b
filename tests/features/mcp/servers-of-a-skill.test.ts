import { expect, test } from "vitest";
import type { JsonObject } from "../../../src/core/conversation.ts";
import { createMcpReadTool } from "../../../src/features/mcp/tools/mcp-read.ts";
import type { MCPBridge } from "../../../src/features/mcp/mcp-bridge.ts";
import { listMcpServers, mcpFileSchema } from "../../../src/features/mcp/servers/mcp-file.ts";
import { findLevel, type PermissionRules } from "../../../src/kernel/gate/permission.ts";
import { judgeCall } from "../../support/judge-call.ts";
import type { Tool } from "../../../src/kernel/tools/types.ts";
import { makeEvilServer } from "../../support/mcp/evil-server.ts";
import { referenceServer } from "../../support/mcp/reference-servers.ts";
import { startBridge } from "../../support/mcp/start-bridge.ts";
import { createToolContext } from "../../support/tool-context.ts";
import { patienceMs } from "../../support/patience.ts";

const act = "mcp__evil__act";
const place = { session: "cli:main", chatKind: "private", language: "zh" } as const;
const signal = AbortSignal.timeout(patienceMs);

test("a stranger that a skill brings is met for that skill alone, and its tools say whose they are", async () => {
  const evil = makeEvilServer();
  const { call, find, bridge, offered } = await startBridge({ evil: evil.entry }, { skill: "weather" });
  const [server] = bridge.views().map((view) => view.server);
  await bridge.apply(server ? [{ ...server, timeoutMs: 30_000 }] : []);
  await bridge.ensureServersStarted(["tea"]);
  expect(bridge.views()[0]).toMatchObject({ state: "idle", server: { timeoutMs: 30_000 } });
  expect(evil.everything()).toEqual([]);
  expect(offered()).toEqual([]);
  await bridge.ensureServersStarted(["tea", "weather"]);
  expect(offered()).toEqual([act]);
  expect(find(act)).toMatchObject({ skill: "weather", source: "skill", level: "confirm" });
  expect(await call(act, { text: "one" })).toMatchObject({ ok: true });
  // Forgotten, it is a stranger again and waits for its skill.
  await bridge.forget("evil", "cli:owner");
  await bridge.logout("evil", "cli:owner");
  expect(offered()).toEqual([]);
});

test("a server without its skill is not started, asked, called or looked at", async () => {
  const evil = makeEvilServer();
  const barred = new Set<string>();
  const whyNotHere = async (skill: string, session: string) =>
    barred.has(session) ? `The skill ${skill} is off in ${session}.` : undefined;
  const { home, bridge, stop } = await startBridge({ evil: evil.entry }, { skill: "weather", whyNotHere });
  await bridge.ensureServersStarted(["weather"]);
  await stop();
  const before = evil.everything().length;

  const again = await startBridge({ evil: evil.entry }, { skill: "weather", whyNotHere, home });
  barred.add(place.session);
  const tool = again.find(act);
  const refused = { ok: false, error: "The skill weather is off in cli:main." };
  expect(await tool.inspect?.({ text: "x" }, place)).toEqual(refused);
  expect(await again.call(act, { text: "x" }, { session: place.session })).toEqual(refused);
  await tool.prepare?.({ text: "x" }, place.session);
  await expect(again.bridge.connect("evil", place.session, signal)).rejects.toThrow("is off in cli:main");
  expect(evil.everything().length).toBe(before);

  // The same tool in another conversation.
  expect(await tool.inspect?.({ text: "x" }, { ...place, session: "cli:other" })).toMatchObject({
    ok: true,
    detail: expect.stringContaining("act @ MCP evil"),
  });
  expect(await again.call(act, { text: "x" }, { session: "cli:other" })).toMatchObject({ ok: true });
  expect(evil.deeds()).toEqual(["did x"]);
});

test("the texts of such a server are there once it was started, and only while its skill can be used", async () => {
  const { bridge } = await startBridge(
    { everything: referenceServer("everything") },
    { skill: "weather", whyNotHere: async (_, session) => (session === "cli:main" ? "It is off here." : undefined) },
  );
  // To look for something to read is no use of the skill.
  expect(bridge.readable()).toEqual([]);
  await bridge.ensureServersStarted(["weather"]);
  const tool = createMcpReadTool({ servers: () => bridge.readable() });
  const input = { server: "everything", prompt: "simple-prompt" };
  const refused = { ok: false, error: "It is off here." };
  expect(await tool.inspect?.(input, place)).toEqual(refused);
  expect(await tool.run(input, createToolContext({ session: "cli:main" }))).toMatchObject(refused);
  expect(await tool.inspect?.(input, { ...place, session: "cli:other" })).toMatchObject({ ok: true });
  expect(await tool.run(input, createToolContext({ session: "cli:other" }))).toMatchObject({ ok: true });
});

test("a skill that is switched off while its server starts for a call has nothing called", async () => {
  const evil = makeEvilServer();
  let asked = 0;
  const { call, find, bridge } = await startBridge(
    { evil: evil.entry },
    { skill: "weather", whyNotHere: async () => ((asked += 1) > 1 ? "It is off now." : undefined) },
  );
  await bridge.ensureServersStarted(["weather"]);
  expect(find(act).name).toBe(act);
  expect(await call(act, { text: "x" })).toEqual({ ok: false, error: "It is off now." });
  expect(evil.deeds()).toEqual([]);
});

test("a turn waits for a server that does not come up as long as a first start does, and once", async () => {
  const evil = makeEvilServer({ onStart: "silent" });
  const { bridge } = await startBridge({ evil: { ...evil.entry, startTimeout: "1h" } }, { skill: "weather" });
  await bridge.ensureServersStarted(["weather"]);
  await bridge.ensureServersStarted(["weather"]);
  expect(bridge.views()[0]?.state).toBe("starting");
  expect(bridge.tools()).toEqual([]);
});

test("a definition that changed is put aside, as of any server", async () => {
  const evil = makeEvilServer({ description: "one" });
  const { call, held, bridge, home, stop } = await startBridge({ evil: evil.entry }, { skill: "weather" });
  await bridge.ensureServersStarted(["weather"]);
  expect(await call(act, { text: "a" })).toMatchObject({ ok: true });
  await stop();
  evil.be({ description: "two" });
  const again = await startBridge({ evil: evil.entry }, { skill: "weather", home });
  expect(again.offered()).toEqual([act]);
  expect(await again.call(act, { text: "b" })).toMatchObject({ ok: false });
  expect([held, again.held]).toEqual([[], ["act"]]);
  expect(again.offered()).toEqual([]);
  expect(evil.deeds()).toEqual(["did a"]);
});

test("the servers of a file know their skill, those of config/mcp.json have none", () => {
  const file = mcpFileSchema.parse({ mcpServers: { a: { command: "x" } } });
  expect(listMcpServers(file, "weather")[0]?.skill).toBe("weather");
  expect(listMcpServers(file)[0]).not.toHaveProperty("skill");
});

test("a name that became free takes neither pins nor rules nor time limits along to an installed skill", async () => {
  const evil = makeEvilServer();
  const first = await startBridge({ evil: evil.entry });
  const rules: PermissionRules = {
    permissions: { safe: ["mcp__evil__*"] },
    rules: [
      { tool: act, level: "safe" },
      { tool: "mcp_read", level: "safe", when: { server: { is: ["evil"] } } },
    ],
    exclude: [],
  };
  const owner = { id: "cli:owner", name: "owner", role: "owner" } as const;
  const judge = (tool: Tool, input: JsonObject) =>
    judgeCall(tool, owner, "owner", rules, { mode: { kind: "act" }, ...place, input }).kind;
  expect(judge(first.find(act), { text: "x" })).toBe("allow");
  const neverAsked = () => Promise.resolve({ ok: false, error: "none" } as const);
  const reading = (bridge: MCPBridge) =>
    createMcpReadTool({
      servers: () =>
        bridge.views().map(({ server }) => ({ server, whyNotHere: async () => undefined, ask: neverAsked })),
    }) as unknown as Tool;
  expect(judge(reading(first.bridge), { server: "evil", uri: "x://y" })).toBe("allow");
  await first.stop();

  const { home } = first;
  const later = await startBridge({ evil: evil.entry }, { home, skill: "lookalike", installed: true });
  expect(later.bridge.views()[0]?.tools).toEqual([]);
  expect(later.offered()).toEqual([]);
  // Let in, it is met as a stranger; what the operator said of the name spares it no question.
  await later.bridge.ensureServersStarted(["lookalike"]);
  expect(later.offered()).toEqual([act]);
  expect(judge(later.find(act), { text: "x" })).toBe("ask");
  expect(judge(reading(later.bridge), { server: "evil", uri: "x://y" })).toBe("ask");
  expect(findLevel(later.find(act), rules)).toBe("confirm");
  await later.stop();

  // The operator's own server has its pins when the name is its again.
  const back = await startBridge({ evil: evil.entry }, { home });
  expect(back.offered()).toEqual([act]);
  expect(judge(back.find(act), { text: "x" })).toBe("allow");
});
