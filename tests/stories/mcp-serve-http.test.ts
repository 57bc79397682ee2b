/* The same over Streamable HTTP: who may ask, and what becomes of sessions. */
import { request } from "node:http";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { expect, onTestFinished, test } from "vitest";
import { createKurisuFolder } from "../support/kurisu-process/kurisu-folder.ts";
import { spawnKurisu } from "../support/kurisu-process/spawn-kurisu.ts";
import { callServed } from "../support/mcp-client/call-served.ts";
import { waitUntil } from "../support/wait-until.ts";

const token = "canary-mcp-token-0123456789";
const hello = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } },
});

async function startServer(more: readonly string[] = []) {
  const folder = createKurisuFolder();
  const environment = { KURISU_MODEL: "offline", KURISU_MCP_TOKEN: token };
  const program = spawnKurisu(["mcp", "serve", "time", "--http", "--port", "0", ...more], { folder, environment });
  const find = () => /http:\/\/127\.0\.0\.1:\d+\/mcp/.exec(program.stdout())?.[0];
  await waitUntil("the address", () => find() !== undefined || program.exit() !== undefined);
  const url = find();
  if (url === undefined) throw new Error(program.stderr());
  return { folder, program, url };
}

async function connect(url: string) {
  const headers = { authorization: `Bearer ${token}` };
  const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
  const client = new Client({ name: "test", version: "1" });
  onTestFinished(() => client.close());
  await client.connect(transport);
  return { client, transport };
}

/** A first message with these headers; Host cannot be set on fetch. */
function post(url: string, headers: Readonly<Record<string, string>>, body = hello): Promise<number> {
  const accept = "application/json, text/event-stream";
  return new Promise((resolve, reject) => {
    const asking = request(
      url,
      { method: "POST", headers: { accept, "content-type": "application/json", ...headers } },
      (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      },
    );
    asking.once("error", reject);
    asking.end(body);
  });
}

test("asks for the token, and listens to no name and no page but its own", async () => {
  const { url, program } = await startServer(["--allow-host", "mcp.example", "--allow-origin", "https://App.example/"]);
  const authorization = `Bearer ${token}`;
  const { port } = new URL(url);
  expect(await post(url, { authorization })).toBe(200);
  for (const wrong of [
    "",
    "Bearer",
    "Bearer ",
    `Bearer ${token}x`,
    `Bearer ${token.slice(1)}`,
    `Basic ${token}`,
    token,
  ]) {
    expect(await post(url, { authorization: wrong }), `token ${wrong}`).toBe(401);
  }
  expect(await post(`${url}?access_token=${token}`, {}), "not in the address").toBe(401);
  for (const host of ["evil.example", `evil.example:${port}`, `127.0.0.1.evil.example:${port}`, "127.0.0.1:1"]) {
    expect(await post(url, { authorization, host }), `host ${host}`).toBe(403);
  }
  for (const origin of ["https://evil.example", "null", `http://127.0.0.1:${port}`]) {
    expect(await post(url, { authorization, origin }), `origin ${origin}`).toBe(403);
  }
  expect(await post(url, { authorization, host: `localhost:${port}` })).toBe(200);
  expect(await post(url, { authorization, host: "mcp.example", origin: "https://app.example" })).toBe(200);
  expect(await post(url, { authorization, host: "mcp.example", origin: "https://mcp.example" })).toBe(403);
  expect(await post(url, { authorization }, "{")).toBe(400);
  const deep = "[".repeat(100_000) + "]".repeat(100_000);
  expect(await post(url, { authorization }, deep)).toBe(400);
  expect(await post(url, { authorization }, hello.replace("{}", deep)), "deep within").toBe(400);
  expect(await post(url, { authorization }, "x".repeat(5_000_000))).toBe(413);
  expect(await post(url, { authorization, "transfer-encoding": "chunked" })).toBe(200);
  expect(await post(url, { authorization, "transfer-encoding": "chunked" }, "x".repeat(5_000_000))).toBe(413);
  expect(program.stdout() + program.stderr()).not.toContain(token);
});

test("serves two clients at once; a session that is over is told so; SIGTERM ends it", async () => {
  const { folder, program, url } = await startServer();
  const [one, two] = await Promise.all([connect(url), connect(url)]);
  const answers = await Promise.all([one, two, one, two].map(({ client }) => callServed(client, "time")));
  expect(answers.map(({ ok }) => ok)).toEqual([true, true, true, true]);
  expect(one.transport.sessionId).not.toBe(two.transport.sessionId);
  const over = { authorization: `Bearer ${token}`, "mcp-session-id": one.transport.sessionId ?? "" };
  expect(await post(url, over), "initialized twice").toBe(400);
  await one.transport.terminateSession();
  expect(await post(url, over)).toBe(404);
  await expect(callServed(one.client, "time")).rejects.toThrow(/not initialized/);
  expect((await callServed(two.client, "time")).ok).toBe(true);
  const next = await connect(url);
  expect((await callServed(next.client, "time")).ok).toBe(true);

  const beside = spawnKurisu(["mcp", "serve", "time", "--http"], { folder, environment: { KURISU_MODEL: "offline" } });
  expect((await beside.ended()).code, "without a token").toBe(78);
  expect(beside.stderr()).toContain("KURISU_MCP_TOKEN");
  const short = { KURISU_MODEL: "offline", KURISU_MCP_TOKEN: "short" };
  expect((await spawnKurisu(["mcp", "serve", "time", "--http"], { folder, environment: short }).ended()).code).toBe(78);

  program.kill("SIGTERM");
  expect(await program.ended()).toEqual({ code: 0, signal: null });
  await expect(callServed(two.client, "time")).rejects.toThrow(/fetch failed|terminated|ECONNREFUSED/);
});
