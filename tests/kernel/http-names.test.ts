/* Who is told what by the HTTP server: by the name that was asked for, and by where the request came from. */
import { networkInterfaces } from "node:os";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, expect, it } from "vitest";
import { createHttpServer, type HttpServer } from "../../src/kernel/http/http-server.ts";
import { mountReadiness } from "../../src/kernel/http/mount-readiness.ts";
import { getJson } from "../support/http/get-json.ts";

const servers: HttpServer[] = [];
const logged: { id?: string; unsaid?: number }[] = [];
const publicNames = [
  { host: "bot.example", routes: ["/webhook/telegram"] },
  { host: "Bot.Example:8443", routes: ["/webhook/qq"] },
  { host: "qq.example:10485", routes: ["/onebot/v11/"] },
];

async function start(host: string, state: "ready" | "failed" = "ready") {
  const log = { error: (fields: object) => void logged.push(fields) };
  const server = createHttpServer({ host, port: 0, log, publicNames });
  servers.push(server);
  mountReadiness(server, async () => ({ store: { state, since: 0, detail: "postgres at db.internal" } }));
  for (const path of ["/webhook/telegram", "/webhook/qq", "/onebot/v11/event", "/v1/models"])
    server.app.get(path, (context) => context.json({}));
  server.app.get("/broken", () => {
    throw new Error("a fault");
  });
  server.onUpgrade("/onebot/v11/ws", (_, socket) => void socket.end("HTTP/1.1 426 Upgrade Required\r\n\r\n"));
  return (await server.start()).port;
}

afterEach(async () => {
  logged.length = 0;
  await Promise.all(servers.splice(0).map((server) => server.stop()));
});

it.each(["127.0.0.1", "0.0.0.0"])("a public name opens the routes it was given for, bound to %s", async (bound) => {
  const port = await start(bound);
  const statusOf = async (host: string, path: string) => (await getJson(port, path, host)).status;
  for (const host of ["bot.example", "BOT.example", "bot.example.", "bot.example:443", "bot.example:80"]) {
    expect(await statusOf(host, "/webhook/telegram"), `host ${host}`).toBe(200);
    for (const path of ["/webhook/qq", "/v1/models", "/healthz", "/readyz", "/", "/webhook/telegram/../../readyz"])
      expect(await statusOf(host, path), `${host} ${path}`).toBe(404);
  }
  expect(await statusOf("bot.example:8443", "/webhook/qq")).toBe(200);
  expect(await statusOf("bot.example:8443", "/webhook/telegram")).toBe(404);
  expect(await statusOf("qq.example:10485", "/onebot/v11/event")).toBe(200);
  expect(await statusOf("qq.example:10485", "/v1/models")).toBe(404);
  expect(await statusOf(`localhost:${port}`, "/v1/models")).toBe(200);
});

it("a public name connects to no WebSocket but its own", async () => {
  const port = await start("127.0.0.1");
  const askAs = async (host: string) => {
    const socket = connect({ port, host: "127.0.0.1" });
    const upgrade = "Connection: Upgrade\r\nUpgrade: websocket";
    socket.write(`GET /onebot/v11/ws HTTP/1.1\r\nHost: ${host}\r\n${upgrade}\r\n\r\n`);
    return (await text(socket)).slice(9, 12);
  };
  expect(await askAs("bot.example")).toBe("404");
  expect(await askAs("evil.example")).toBe("403");
  expect(await askAs("qq.example:10485")).toBe("426");
});

it("/readyz tells its parts to who asks on this machine for themselves", async () => {
  const port = await start("0.0.0.0");
  const { body } = await getJson(port, "/readyz", `localhost:${port}`);
  expect(body).toMatchObject({ status: "ready", store: { state: "ready", detail: "postgres at db.internal" } });
});

it.each([
  ["X-Forwarded-For", "127.0.0.1"],
  ["X-Forwarded-Host", "x"],
  ["Forwarded", "for=127.0.0.1"],
  ["Via", "1.1 proxy"],
  ["X-Real-IP", "127.0.0.1"],
  ["CF-Connecting-IP", "127.0.0.1"],
  ["CF-Ray", "1"],
  ["True-Client-IP", "127.0.0.1"],
])("/readyz tells one word to who was passed on with %s", async (name, value) => {
  const port = await start("127.0.0.1", "failed");
  const answer = await getJson(port, "/readyz", undefined, { headers: { [name]: value } });
  expect(answer).toMatchObject({ status: 503 });
  expect(answer.body).toEqual({ status: "unready" });
});

it("/readyz tells one word to another machine, by another name, and to a proxy that says nothing of itself", async () => {
  const port = await start("0.0.0.0");
  const outside = Object.values(networkInterfaces())
    .flatMap((all) => all ?? [])
    .find(({ family, internal }) => family === "IPv4" && !internal)?.address;
  // A machine without a network has no other address to come from.
  const more = outside === undefined ? { headers: { via: "1.1 x" } } : { from: outside };
  expect((await getJson(port, "/readyz", `localhost:${port}`, more)).body).toEqual({ status: "ready" });
  expect((await getJson(port, "/readyz", "kurisu.example")).body).toEqual({ status: "ready" });
  const socket = connect({ port, host: "127.0.0.1" });
  socket.write(`GET /readyz HTTP/1.0\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\n\r\n`);
  expect((await text(socket)).split("\r\n\r\n")[1]).toBe('{"status":"ready"}');
});

it("a failure for every request is logged ten times a minute, and only these answers carry an id", async () => {
  const port = await start("127.0.0.1");
  const answers = [];
  for (let count = 0; count < 30; count += 1) answers.push((await getJson(port, "/broken")).body);
  const ids = answers.flatMap((body) => (body as { id?: string }).id ?? []);
  expect(answers).toHaveLength(30);
  expect(ids).toEqual(logged.map(({ id }) => id));
  expect(ids).toHaveLength(10);
});
