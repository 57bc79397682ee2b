// full: starts the reference servers
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { referenceServer } from "../../support/mcp/reference-servers.ts";
import { startHttpServer } from "../../support/mcp/start-http-server.ts";
import { startBridge } from "../../support/mcp/start-bridge.ts";
import { createTemporaryFolder } from "../../support/temporary-folder.ts";
import { patienceMs } from "../../support/patience.ts";

const sum = "mcp__everything__get-sum";

test("everything: texts, pictures, structured content, links, resources and prompts come over as ours", async () => {
  const { call, bridge, progress } = await startBridge({ everything: referenceServer("everything") });
  expect(await call("mcp__everything__echo", { message: "hi" })).toEqual({ ok: true, output: "Echo: hi" });
  expect(await call(sum, { a: 2, b: 40 })).toMatchObject({ ok: true, output: expect.stringContaining("42") });
  expect(await call(sum, { a: "two" })).toMatchObject({ ok: false, error: expect.stringContaining(sum) });
  expect(await call("mcp__everything__get-tiny-image", {})).toMatchObject({
    ok: true,
    parts: [{ type: "image", mimeType: "image/png" }],
  });
  const structured = await call("mcp__everything__get-structured-content", { location: "Chicago" });
  expect(structured).toMatchObject({
    ok: true,
    output: { temperature: expect.any(Number), conditions: expect.any(String) },
  });
  const links = await call("mcp__everything__get-resource-links", { count: 2 });
  expect(links.ok && links.output).toMatch(/\[resource .*: demo:\/\//);
  const embedded = await call("mcp__everything__get-resource-reference", { resourceType: "Text", resourceId: 1 });
  expect(embedded.ok && embedded.output).toMatch(/\[demo:\/\/resource\/dynamic\/text\/1\]\n/);
  await call("mcp__everything__trigger-long-running-operation", { duration: 0.5, steps: 2 });
  expect(progress).toContain("1/2");

  const signal = AbortSignal.timeout(patienceMs);
  const connection = await bridge.connect("everything", "cli:main", signal);
  if (!connection) throw new Error("no connection");
  const resources = await connection.listResources({ signal });
  const templates = await connection.listResourceTemplates({ signal });
  expect(templates.map(({ uriTemplate }) => uriTemplate)).toContain("demo://resource/dynamic/text/{resourceId}");
  expect(resources.length).toBeGreaterThan(0);
  const [first] = resources;
  expect(await connection.readResource(first?.uri ?? "", { signal })).not.toEqual([]);
  const prompts = await connection.listPrompts({ signal });
  expect(prompts.map(({ name }) => name)).toContain("args-prompt");
  expect(await connection.getPrompt("args-prompt", { city: "Tokyo" }, { signal })).toMatchObject([
    { role: "user", block: { kind: "text", text: expect.stringContaining("Tokyo") } },
  ]);
});

test("filesystem with a connection for each conversation is told the workspace of it, and of no other", async () => {
  const root = await createTemporaryFolder();
  const folderFor = async (session: string) => {
    const folder = join(root, session.replaceAll(":", "_"));
    mkdirSync(folder, { recursive: true });
    return folder;
  };
  const { call } = await startBridge({ files: { ...referenceServer("filesystem"), scope: "session" } }, { folderFor });
  const [mine, theirs] = ["cli:main", "fake:other"];
  writeFileSync(join(await folderFor(mine), "mine.txt"), "divergence 1.048596");
  const path = join(root, "cli_main", "mine.txt");
  expect(await call("mcp__files__read_text_file", { path }, { session: mine })).toMatchObject({
    ok: true,
    output: "divergence 1.048596",
  });
  expect(await call("mcp__files__read_text_file", { path }, { session: theirs })).toMatchObject({
    ok: false,
    error: expect.stringMatching(/denied|outside/i),
  });
});

test("memory and sequential-thinking work", async () => {
  const file = join(await createTemporaryFolder(), "memory.jsonl");
  const { call } = await startBridge({
    memory: { ...referenceServer("memory"), env: { MEMORY_FILE_PATH: file } },
    thinking: referenceServer("sequential-thinking"),
  });
  const entities = [{ name: "Okabe", entityType: "person", observations: ["mad scientist"] }];
  expect(await call("mcp__memory__create_entities", { entities })).toMatchObject({ ok: true });
  expect(readFileSync(file, "utf8")).toContain("mad scientist");
  expect(
    await call("mcp__thinking__sequentialthinking", {
      thought: "one",
      nextThoughtNeeded: false,
      thoughtNumber: 1,
      totalThoughts: 1,
    }),
  ).toMatchObject({ ok: true, output: expect.objectContaining({ thoughtNumber: 1 }) });
});

test("a call over Streamable HTTP succeeds after the server restarts and has lost the session", async () => {
  const server = await startHttpServer("streamableHttp");
  const { call } = await startBridge({ everything: { url: server.url } });
  expect(await call(sum, { a: 1, b: 1 })).toMatchObject({ ok: true });
  // The new process does not know our session.
  await server.restart();
  expect(await call(sum, { a: 2, b: 2 })).toMatchObject({ ok: true, output: expect.stringContaining("4") });
});

test("a server of the older transport is found by its address alone", async () => {
  const server = await startHttpServer("sse");
  const { call } = await startBridge({ everything: { url: server.url }, named: { url: server.url, type: "sse" } });
  expect(await call(sum, { a: 1, b: 2 })).toMatchObject({ ok: true, output: expect.stringContaining("3") });
  expect(await call("mcp__named__get-sum", { a: 1, b: 2 })).toMatchObject({ ok: true });
});

test("the bridge reports an address where no server listens", async () => {
  const { bridge } = await startBridge({ nobody: { url: "http://127.0.0.1:9/mcp" } });
  expect(bridge.views()[0]).toMatchObject({ state: "failed", detail: expect.stringContaining("fetch failed") });
});

test("a server's question in a call is answered, and declined if the operator says so", async () => {
  const ask = async () => ({ action: "accept" as const, content: { name: "Kurisu", check: true } });
  const { asked, call } = await startBridge({ everything: referenceServer("everything") }, { ask });
  const answer = await call("mcp__everything__trigger-elicitation-request", {});
  expect(answer.ok && answer.output).toContain("Kurisu");
  expect(asked[0]).toMatchObject({
    kind: "form",
    fields: expect.arrayContaining([expect.objectContaining({ name: "name" })]),
  });

  const silent = await startBridge({ everything: { ...referenceServer("everything"), elicitation: false } });
  expect(silent.offered()).not.toContain("mcp__everything__trigger-elicitation-request");
});

test("our model writes for a server only where its file says so", async () => {
  const sample = async (text: string) => ({ text: `about ${text}`, model: "test" });
  const off = await startBridge({ everything: referenceServer("everything") }, { sample });
  expect(off.offered()).not.toContain("mcp__everything__trigger-sampling-request");
  const on = await startBridge(
    { everything: { ...referenceServer("everything"), sampling: { budget: 1000 } } },
    { sample },
  );
  const answer = await on.call("mcp__everything__trigger-sampling-request", { prompt: "time travel", maxTokens: 10 });
  expect(answer.ok && answer.output).toContain("time travel");
});
