import { connect } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { getJson as get } from "../support/http/get-json.ts";
import { createHttpServer, type HttpServer, type HttpServerOptions } from "../../src/kernel/http/http-server.ts";
import { mountReadiness, type Readiness } from "../../src/kernel/http/mount-readiness.ts";

const since = Date.UTC(2026, 10, 22);
const part = (state: Readiness["state"], detail = "fine"): Readiness => ({ state, since, detail });

describe("createHttpServer", () => {
  const servers: HttpServer[] = [];
  const errors: object[] = [];

  interface Options extends Partial<HttpServerOptions> {
    readonly readiness?: Parameters<typeof mountReadiness>[1];
  }

  const allReady = async () => ({ telegram: part("ready"), store: part("ready"), sandbox: part("off") });

  async function startServer(given: Options = {}): Promise<{ server: HttpServer; port: number }> {
    const { readiness = allReady, ...options } = given;
    const server = createHttpServer({
      host: "127.0.0.1",
      port: 0,
      log: { error: (fields: object) => void errors.push(fields) },
      ...options,
    });
    mountReadiness(server, readiness);
    servers.push(server);
    return { server, port: (await server.start()).port };
  }

  afterEach(async () => {
    errors.length = 0;
    await Promise.all(servers.splice(0).map((server) => server.stop()));
  });

  it("tells that the process lives", async () => {
    const { port } = await startServer();
    const answer = await get(port, "/healthz");
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ status: "ok", uptimeSeconds: expect.any(Number) });
    expect(answer.headers["x-content-type-options"]).toBe("nosniff");
    expect(answer.headers["x-powered-by"]).toBeUndefined();
  });

  it("the server refuses WebSockets without a handler, and stops although the other side stays", async () => {
    const { server, port } = await startServer();
    const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    const closed = new Promise((resolve) => socket.once("close", resolve));
    let answer = "";
    socket.on("data", (data) => (answer += String(data)));
    socket.on("error", () => undefined);
    const upgrade = "Connection: Upgrade\r\nUpgrade: websocket";
    socket.write(`GET /nothing HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${upgrade}\r\n\r\n`);
    await expect.poll(() => answer).toContain("404 Not Found");
    await server.stop();
    socket.destroy();
    await closed;
  });

  it("tells the state of each part and since when", async () => {
    const { port } = await startServer();
    expect(await get(port, "/readyz")).toMatchObject({
      status: 200,
      body: {
        status: "ready",
        telegram: { state: "ready", since: "2026-11-22T00:00:00.000Z", detail: "fine" },
        sandbox: { state: "off" },
      },
    });
  });

  it.each([
    ["starting", 503],
    ["failed", 503],
    ["degraded", 200],
  ] as const)("/readyz with a part that is %s answers %i", async (state, status) => {
    const { port } = await startServer({ readiness: async () => ({ store: part("ready"), telegram: part(state) }) });
    expect((await get(port, "/readyz")).status).toBe(status);
  });

  it("a server on a loopback address answers only to the names of this machine", async () => {
    const { port } = await startServer({ publicNames: [{ host: "bot.example", routes: ["/healthz"] }] });
    const statusOf = async (host: string): Promise<number> => (await get(port, "/healthz", host)).status;
    const own = [`localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`, `LOCALHOST:${port}`, "bot.example"];
    expect(await Promise.all(own.map(statusOf))).toEqual(own.map(() => 200));
    const foreign = [
      "evil.example",
      `evil.example:${port}`,
      "localhost",
      "localhost:1",
      `127.0.0.1.evil.example:${port}`,
    ];
    expect(await Promise.all(foreign.map(statusOf))).toEqual(foreign.map(() => 403));
  });

  it("answers what is not there and what goes wrong as JSON without a stack", async () => {
    const { server, port } = await startServer();
    expect(await get(port, "/nothing")).toMatchObject({ status: 404, body: { error: "There is nothing here." } });
    const failing = await startServer({ readiness: () => Promise.reject(new Error("the store is broken")) });
    const answer = await get(failing.port, "/readyz");
    expect(answer.status).toBe(500);
    expect(answer.body).toEqual({ error: "Something went wrong.", id: expect.stringMatching(/^[2-9A-Z]{8}$/) });
    expect(errors).toEqual([expect.objectContaining({ id: (answer.body as { id: string }).id, path: "/readyz" })]);
    await server.stop();
  });

  it("names the remedy when the port is taken", async () => {
    const { port } = await startServer();
    await expect(startServer({ port })).rejects.toMatchObject({
      code: "HTTP_PORT_BUSY",
      message: expect.stringContaining(`127.0.0.1:${port}`),
    });
  });

  it("stops although a client keeps its connection open, and twice does no harm", async () => {
    const { server, port } = await startServer();
    const socket = connect(port, "127.0.0.1");
    const closed = new Promise((resolve) => socket.once("close", resolve));
    const answered = new Promise((resolve) => socket.once("data", resolve));
    socket.write(`GET /healthz HTTP/1.1\r\nHost: localhost:${port}\r\nConnection: keep-alive\r\n\r\n`);
    await answered;
    await server.stop();
    await closed;
    await server.stop();
    await expect(get(port, "/healthz")).rejects.toMatchObject({ code: "ECONNREFUSED" });
  });

  it("leaves the global Request and Response as they are", async () => {
    const before = [globalThis.Request, globalThis.Response];
    await startServer();
    expect([globalThis.Request, globalThis.Response]).toEqual(before);
  });
});
