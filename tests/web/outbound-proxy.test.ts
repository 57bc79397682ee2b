import { once } from "node:events";
import { get } from "node:http";
import { createServer, type AddressInfo } from "node:net";
import { onTestFinished, describe, expect, it } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { downloadFile } from "../../src/channels/download-file.ts";
import { readEnvironment } from "../../src/config/environment.ts";
import { readProxySettings } from "../../src/config/proxy-variables.ts";
import { createServerFetch } from "../../src/features/mcp/connection/server-fetch.ts";
import { findOllamaModel } from "../../src/models/providers/find-ollama-model.ts";
import { askEndpoint } from "../../src/web/ask-endpoint.ts";
import { createGuardedDial } from "../../src/web/guarded-dial.ts";
import { createGuardedFetch } from "../../src/web/guarded-fetch.ts";
import { followProxies } from "../../src/web/outbound-proxy.ts";
import { openTunnel, tunnelWebSocket } from "../../src/web/proxy-tunnel.ts";
import { startHttpProxy, type HttpProxy } from "../support/http-proxy.ts";
import { startSite } from "../support/web-server.ts";
import { patienceMs } from "../support/patience.ts";

/** A proxy in front of servers of this machine, and this process made to follow it. */
async function follow(
  variables: (proxy: HttpProxy) => Readonly<Record<string, string>>,
  route: (target: string) => number | undefined,
  login?: string,
): Promise<HttpProxy> {
  const proxy = await startHttpProxy({ route, ...(login !== undefined && { login }) });
  await followVariables(variables(proxy));
  return proxy;
}

async function followVariables(variables: Readonly<Record<string, string>>): Promise<void> {
  const settings = readProxySettings(readEnvironment(variables).values);
  if (settings === undefined) throw new Error("no proxy is set");
  onTestFinished(await followProxies(settings));
}

const signal = (): AbortSignal => AbortSignal.timeout(patienceMs);
const ask = (url: string) => askEndpoint({ url: new URL(url), method: "GET", headers: {}, signal: signal() });
const publicAddress = [{ address: "93.184.216.34", family: 4 }];
const resolveTwo = () => Promise.resolve([{ address: "2606:4700::6810:1", family: 6 }, ...publicAddress]);

describe("requests of the process, with a proxy in the environment", () => {
  it("go through it by every client that is in use, with its user and password", async () => {
    const site = await startSite((request, response) => {
      const isOllama = request.url === "/api/tags";
      response.end(JSON.stringify(isOllama ? { models: [{ name: "qwen3:8b" }] } : { answer: 42 }));
    });
    const proxy = await follow(
      ({ url }) => ({ HTTP_PROXY: url }),
      () => site.port,
      "kurisu:pass@word%",
    );
    expect(await ask("http://endpoint.invalid/")).toMatchObject({
      kind: "answered",
      status: 200,
      body: { answer: 42 },
    });
    const { fetch: askServer, close } = await createServerFetch(new URL("http://mcp.invalid/mcp"), {
      credential: undefined,
      isKeyed: false,
    });
    expect((await askServer("http://mcp.invalid/mcp")).status).toBe(200);
    await close();
    const limits = { maxBytes: 1_000, signal: signal() };
    expect(await downloadFile(new URL("http://file.invalid/a"), limits)).toMatchObject({ kind: "fetched" });
    expect(await findOllamaModel("http://ollama.invalid", 5_000)).toBe("qwen3:8b");
    // As the packages for models do.
    expect(await (await globalThis.fetch("http://model.invalid/v1")).json()).toEqual({ answer: 42 });
    const [answer] = (await once(get("http://node.invalid/"), "response")) as [{ readonly statusCode: number }];
    expect(answer.statusCode).toBe(200);
    expect(proxy.seen).toEqual(
      [
        ["endpoint.invalid:80", "/"],
        ["mcp.invalid:80", "/mcp"],
        ["file.invalid:80", "/a"],
        ["ollama.invalid:80", "/api/tags"],
        ["model.invalid:80", "/v1"],
        ["node.invalid:80", "/"],
      ].map(([target, path]) => ({ form: "absolute", target, path })),
    );
    expect(proxy.refused()).toBe(0);
    expect(site.requests.every(({ headers }) => headers["proxy-authorization"] === undefined)).toBe(true);
  });

  it("ask for a tunnel where the address is https, and tell what the proxy said", async () => {
    const proxy = await follow(
      ({ url }) => ({ https_proxy: url, HTTPS_PROXY: "http://127.0.0.1:1" }),
      () => undefined,
    );
    const asked = await ask("https://endpoint.invalid/");
    const reason: unknown = expect.stringContaining("502");
    expect(asked).toMatchObject({ kind: "failed", reason, isUnsent: true });
    await expect(globalThis.fetch("https://model.invalid/v1")).rejects.toThrow("fetch failed");
    await downloadFile(new URL("https://file.invalid/a"), { maxBytes: 1_000, signal: signal() });
    const targets = proxy.seen.map(({ form, target }) => `${form} ${target}`);
    expect(targets).toEqual(["connect endpoint.invalid:443", "connect model.invalid:443", "connect file.invalid:443"]);
  });

  it("go straight to this machine, and to what NO_PROXY names with everything below it", async () => {
    const site = await startSite((_request, response) => response.end("{}"));
    const excluded = "plain.invalid, .dotted.invalid,*.stars.invalid port.invalid:8080";
    const proxy = await follow(
      ({ url }) => ({ HTTP_PROXY: url, no_proxy: excluded, NO_PROXY: "*" }),
      () => site.port,
    );
    for (const url of [site.origin, `http://localhost:${site.port}`]) {
      expect(await ask(url)).toMatchObject({ kind: "answered", status: 200 });
      expect((await globalThis.fetch(url)).status).toBe(200);
    }
    const direct = ["plain.invalid", "a.plain.invalid", "dotted.invalid", "b.dotted.invalid", "c.stars.invalid"];
    for (const host of [...direct, "port.invalid:8080"]) {
      expect(await ask(`http://${host}/`)).toMatchObject({ kind: "failed" });
      await expect(globalThis.fetch(`http://${host}/`)).rejects.toThrow("fetch failed");
      await expect(once(get(`http://${host}/`), "response")).rejects.toThrow(/ENOTFOUND|EAI_AGAIN/);
      expect(tunnelWebSocket(`ws://${host}/`)).toEqual({});
    }
    expect(proxy.seen).toEqual([]);
    for (const host of ["notplain.invalid", "port.invalid"]) {
      await ask(`http://${host}/`);
      await globalThis.fetch(`http://${host}/`);
      await once(get(`http://${host}/`), "response");
      expect(tunnelWebSocket(`ws://${host}/`)).toHaveProperty("createConnection");
    }
    expect(proxy.seen).toHaveLength(6);
  });

  it("the error reports that the proxy wants a password, and no text repeats it", async () => {
    const proxy = await follow(
      ({ place }) => ({ HTTPS_PROXY: `http://kurisu:wrong@${place}` }),
      () => undefined,
      "a:b",
    );
    const place = { url: proxy.url.replace("a:b", "kurisu:wrong"), variable: "HTTPS_PROXY" };
    const told = await openTunnel(place, { host: "site.invalid", port: 443 }).catch((error: unknown) => String(error));
    expect(told).toMatch(/HTTP 407\): it wants a user and a password/);
    expect(told).not.toContain("wrong");
    expect(JSON.stringify(await ask("https://endpoint.invalid/"))).not.toContain("wrong");
  });
});

describe("a WebSocket, with a proxy in the environment", () => {
  it("the WebSocket opens through a tunnel", async () => {
    const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
    await once(server, "listening");
    onTestFinished(() => server.close());
    server.on("connection", (socket) => socket.send("hello"));
    const { port } = server.address() as AddressInfo;
    const proxy = await follow(
      ({ url }) => ({ HTTP_PROXY: url }),
      () => port,
      "kurisu:secret",
    );
    const url = "ws://gateway.invalid/path";
    const socket = new WebSocket(url, { ...tunnelWebSocket(url), handshakeTimeout: 5_000 });
    const [said] = (await once(socket, "message")) as [Buffer];
    socket.terminate();
    expect(said.toString()).toBe("hello");
    expect(proxy.seen).toEqual([{ form: "connect", target: "gateway.invalid:80", path: "" }]);
  });

  it("says why the proxy does not let it through", async () => {
    await follow(
      ({ url }) => ({ HTTPS_PROXY: url }),
      () => undefined,
    );
    const url = "wss://gateway.invalid/";
    const socket = new WebSocket(url, { ...tunnelWebSocket(url), handshakeTimeout: 5_000 });
    const [error] = (await once(socket, "error").catch((thrown: unknown) => [thrown])) as [Error];
    expect(error.message).toMatch(/the proxy 127\.0\.0\.1:\d+ did not connect to gateway\.invalid:443 \(HTTP 502\)/);
  });
});

describe("the guard, with a proxy in the environment", () => {
  it("asks the proxy for the address that it has checked, never for a name", async () => {
    const site = await startSite((_request, response) => response.end("public page"));
    const proxy = await follow(
      ({ url }) => ({ HTTP_PROXY: url }),
      () => site.port,
    );
    const fetch = createGuardedFetch({ resolve: () => Promise.resolve(publicAddress) });
    const outcome = await fetch({ url: "http://site.example.com/page", maxBytes: 1_000 });
    expect(outcome).toMatchObject({ kind: "answered", status: 200 });
    expect(site.requests.map(({ headers }) => headers.host)).toEqual(["site.example.com"]);
    expect(proxy.seen).toEqual([{ form: "connect", target: "93.184.216.34:80", path: "" }]);
  });

  it("speaks TLS with the site itself, by its name, and so does a WebSocket", async () => {
    const hellos: string[] = [];
    const site = createServer((socket) => {
      socket.on("error", () => socket.destroy());
      // A handshake record with the name in the open; nobody needs to answer it.
      socket.once("data", (hello) => {
        hellos.push(`${hello[0]} ${/[a-z]+\.example\.com/.exec(hello.toString("latin1"))?.[0]}`);
        socket.destroy();
      });
    });
    await once(site.listen(0, "127.0.0.1"), "listening");
    onTestFinished(() => void site.close());
    const proxy = await follow(
      ({ url }) => ({ HTTPS_PROXY: url }),
      () => (site.address() as AddressInfo).port,
    );
    const fetch = createGuardedFetch({ resolve: () => Promise.resolve(publicAddress) });
    expect(await fetch({ url: "https://site.example.com/", maxBytes: 1_000 })).toMatchObject({ kind: "failed" });
    const url = "wss://gateway.example.com/";
    const socket = new WebSocket(url, { ...tunnelWebSocket(url), handshakeTimeout: 5_000 });
    await new Promise((resolve) => socket.once("error", resolve));
    expect(hellos).toEqual(["22 site.example.com", "22 gateway.example.com"]);
    expect(proxy.seen.map(({ target }) => target)).toEqual(["93.184.216.34:443", "gateway.example.com:443"]);
  });

  it("tries the next address of the name when the proxy cannot reach one", async () => {
    const site = await startSite((_request, response) => response.end("public page"));
    const route = (target: string) => (target.startsWith("[") ? undefined : site.port);
    const proxy = await follow(({ url }) => ({ HTTP_PROXY: url }), route);
    const outcome = await createGuardedFetch({ resolve: resolveTwo })({
      url: "http://site.example.com/",
      maxBytes: 1_000,
    });
    expect(outcome).toMatchObject({ kind: "answered", status: 200 });
    expect(proxy.seen.map(({ target }) => target)).toEqual(["[2606:4700::6810:1]:80", "93.184.216.34:80"]);
  });

  it("tells what the proxy said of the last address when it reaches none", async () => {
    const proxy = await follow(
      ({ url }) => ({ HTTP_PROXY: url }),
      () => undefined,
    );
    await expect(createGuardedDial({ resolve: resolveTwo })("site.example.com", 80)).rejects.toThrow(
      /did not connect to 93\.184\.216\.34:80 \(HTTP 502\)/,
    );
    expect(proxy.seen).toHaveLength(2);
  });

  it("asks a proxy that wants a password once, whatever addresses are left", async () => {
    const proxy = await follow(
      ({ place }) => ({ HTTP_PROXY: `http://kurisu:wrong@${place}` }),
      () => 1,
      "a:b",
    );
    await expect(createGuardedDial({ resolve: resolveTwo })("site.example.com", 80)).rejects.toThrow(/HTTP 407/);
    expect(proxy.refused()).toBe(1);
  });

  it("asks a proxy that hangs up once, whatever addresses are left", async () => {
    let connections = 0;
    const server = createServer((socket) => {
      connections += 1;
      socket.on("error", () => undefined).destroy();
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    await followVariables({ HTTP_PROXY: `http://127.0.0.1:${port}` });
    await expect(createGuardedDial({ resolve: resolveTwo })("site.example.com", 80)).rejects.toThrow(
      /cannot be reached/,
    );
    expect(connections).toBe(1);
  });

  it.each([["10.0.0.7"], ["127.0.0.1"], ["169.254.169.254"]])(
    "refuses a name that stands for %s, and the proxy hears nothing of it",
    async (address) => {
      const proxy = await follow(
        ({ url }) => ({ HTTP_PROXY: url }),
        () => 1,
      );
      const fetch = createGuardedFetch({ resolve: () => Promise.resolve([{ address, family: 4 }]) });
      for (const url of ["http://site.example.com/", "https://site.example.com/", `http://${address}/`])
        expect((await fetch({ url, maxBytes: 1_000 })).kind).toBe("refused");
      expect(proxy.seen).toEqual([]);
    },
  );

  it("says that it needs names looked up here", async () => {
    const proxy = await follow(
      ({ url }) => ({ HTTP_PROXY: url }),
      () => 1,
    );
    const fetch = createGuardedFetch({ resolve: () => Promise.reject(new Error("EAI_AGAIN")) });
    const outcome = await fetch({ url: "http://site.example.com/", maxBytes: 1_000 });
    expect(outcome).toMatchObject({ kind: "failed", reason: expect.stringMatching(/needs a DNS/) as string });
    expect(proxy.seen).toEqual([]);
  });
});
