import { createConnection } from "node:net";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createHttpServer, type HttpServer } from "../../src/kernel/http/http-server.ts";
import { mountReadiness } from "../../src/kernel/http/mount-readiness.ts";

/** Paths that other bots exposed by mistake. The assembled program mounts more: tests/console/routes.test.ts covers the console. */
const paths = [
  "/",
  "/debug",
  "/debug/exec",
  "/exec",
  "/api",
  "/api/config",
  "/api/mcp/add",
  "/api/login",
  "/admin",
  "/login",
  "/mcp",
  "/metrics",
  "/upload",
  "/files/../../etc/passwd",
  "/ws",
  "/healthz/",
  "/readyz/x",
  "//healthz",
  "/HEALTHZ",
];
const claims = [
  {},
  { authorization: "Bearer x" },
  { authorization: "Basic YXN0cmJvdDphc3RyYm90" },
  { cookie: "session=owner; role=owner", "x-role": "owner", "x-scopes": "admin" },
  { "x-http-method-override": "GET", "x-original-url": "/healthz", "x-forwarded-for": "127.0.0.1" },
];

let server: HttpServer;
let port = 0;
beforeEach(async () => {
  server = createHttpServer({
    host: "127.0.0.1",
    port: 0,
    log: { error: () => undefined },
  });
  const readiness = async () => ({ store: { state: "ready", since: 0, detail: "fine" } }) as const;
  mountReadiness(server, readiness);
  port = (await server.start()).port;
});
afterEach(() => server.stop());

it("the bare server has two routes, both read-only, and no path for debugging, login or configuration", async () => {
  const routes = server.app.routes.filter(({ path }) => path !== "/*").map(({ method, path }) => `${method} ${path}`);
  expect(routes).toEqual(["GET /healthz", "GET /readyz"]);
  for (const path of paths)
    for (const headers of claims)
      for (const method of ["GET", "POST"])
        expect((await fetch(`http://127.0.0.1:${port}${path}`, { method, headers })).status, `${method} ${path}`).toBe(
          404,
        );
  for (const path of ["/healthz", "/readyz"])
    for (const method of ["POST", "PUT", "PATCH", "DELETE"])
      expect((await fetch(`http://127.0.0.1:${port}${path}`, { method, body: "{}" })).status).toBe(404);
});

it("takes no address, scope or role from a query or a header", async () => {
  const plain = await (await fetch(`http://127.0.0.1:${port}/readyz`)).json();
  const url = `http://127.0.0.1:${port}/readyz?gatewayUrl=ws://evil.test&scopes=admin&role=owner&token=x`;
  for (const headers of claims) {
    // Who says that the request was passed on hears less for it, never more.
    const heard = "x-forwarded-for" in headers ? { status: "ready" } : plain;
    expect(await (await fetch(url, { headers })).json()).toEqual(heard);
  }
});

it.each(["http://evil.test", "null", ""])(
  "gives no page the right to read or to connect, whatever its origin (%j)",
  async (origin) => {
    const answer = await fetch(`http://127.0.0.1:${port}/healthz`, { headers: { origin } });
    expect([...answer.headers.keys()].filter((name) => name.startsWith("access-control-"))).toEqual([]);
    const socket = createConnection({ host: "127.0.0.1", port });
    let text = "";
    socket.on("data", (data) => (text += String(data)));
    socket.write(
      `GET /?gatewayUrl=ws://evil.test HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nOrigin: ${origin}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
    );
    await new Promise((resolve) => socket.once("close", resolve));
    expect(text).toContain("404 Not Found");
  },
);
