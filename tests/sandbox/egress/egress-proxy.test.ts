// quick: reads and writes no container
import { lstatSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { EgressGrant } from "../../../src/sandbox/egress/open-egress.ts";
import {
  createEgressBench,
  startEgressSite,
  startRawSite,
  talkRaw,
  type EgressBench,
} from "../../support/egress-bench.ts";
import { createTemporaryFolder } from "../../support/temporary-folder.ts";

async function grant(bench: EgressBench, hosts: readonly string[], run = "0123456789abcdef") {
  const made: EgressGrant = await bench.egress.open(run, "cli:main", hosts);
  onTestFinished(() => made.close());
  const socket = join(made.folder, "proxy.sock");
  const send = (head: string, body = ""): Promise<string> =>
    talkRaw(socket, `${head}\r\nConnection: close\r\n\r\n${body}`);
  return { ...made, socket, send };
}

const get = (address: string, ...headers: string[]): string =>
  [`GET ${address} HTTP/1.1`, "Host: whatever.example", ...headers].join("\r\n");

describe("the proxy of a command", () => {
  it("passes a plain request on under the address's own name, and nothing that tells of a proxy", async () => {
    const site = await startEgressSite((_, response) => response.end("hello"));
    const { send, report } = await grant(await createEgressBench(), ["public.test-site.net:8080"]);
    const answer = await send(
      get(
        "http://PUBLIC.test-site.net:8080/a?b=c",
        "Proxy-Authorization: Basic c2VjcmV0",
        "Proxy-Connection: keep-alive",
        "X-Own: kept",
        "X-Hop: gone",
        "Connection: X-Hop",
      ),
    );
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*hello/);
    const [request] = site.requests;
    expect(request?.url).toBe("/a?b=c");
    expect(request?.headers).toEqual({ host: "public.test-site.net:8080", "x-own": "kept", connection: "close" });
    expect(request?.rawHeaders.filter((name) => name.toLowerCase() === "host")).toHaveLength(1);
    expect(report()).toEqual({ refused: [] });
  });

  it("frames a body as it came, so that none is read as a second request", async () => {
    const bodies: string[] = [];
    const site = await startEgressSite((request, response) => {
      let body = "";
      request.on("data", (piece) => (body += String(piece)));
      request.on("end", () => {
        bodies.push(`${request.method} ${body}`);
        response.end("ok");
      });
    });
    const { send } = await grant(await createEgressBench(), ["public.test-site.net:8080"]);
    const smuggled = "GET /second HTTP/1.1\r\nHost: x\r\n\r\n";
    const chunk = `${smuggled.length.toString(16)}\r\n${smuggled}\r\n0\r\n\r\n`;
    const address = "http://public.test-site.net:8080/";
    await send(`GET ${address} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked`, chunk);
    await send(`POST ${address} HTTP/1.1\r\nHost: x\r\nContent-Length: ${smuggled.length}`, smuggled);
    expect(bodies).toEqual([`GET ${smuggled}`, `POST ${smuggled}`]);
    const both = await send(
      `POST ${address} HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked`,
      "0\r\n\r\n",
    );
    expect(both).not.toContain("200 OK");
    expect(site.requests).toHaveLength(2);
  });

  it("opens a tunnel to a listed host, both directions, and counts what went through", async () => {
    const site = await startEgressSite((_, response) => response.end("through"));
    const bench = await createEgressBench();
    const { socket, report } = await grant(bench, ["*.test-site.net:8080"]);
    const inner = "GET /in HTTP/1.1\r\nHost: public.test-site.net\r\nConnection: close\r\n\r\n";
    const text = await talkRaw(socket, `CONNECT public.test-site.net:8080 HTTP/1.1\r\nHost: x\r\n\r\n${inner}`);
    expect(text).toMatch(/^HTTP\/1\.1 200 Connection Established\r\n\r\nHTTP\/1\.1 200 OK[\s\S]*through/);
    expect(site.requests[0]?.url).toBe("/in");
    expect(report()).toEqual({ refused: [] });
    await expect.poll(() => bench.logged.length).toBe(1);
    expect(bench.logged[0]).toMatchObject({
      level: 30,
      session: "cli:main",
      host: "public.test-site.net",
      port: 8080,
      verdict: "served",
      sent: inner.length,
    });
  });

  it.each([
    ["a host that is not listed", "evil.test-site.net:8080"],
    ["a listed host on another port", "public.test-site.net:8443"],
    ["an address", "127.0.0.1:8080"],
    ["an address in disguise", "0x7f000001:8080"],
    ["an IPv6 address", "[::1]:8080"],
    ["a name with a user", "public.test-site.net@evil.test-site.net:8080"],
    ["no port", "public.test-site.net"],
  ])("refuses %s without looking it up", async (_, authority) => {
    const site = await startEgressSite((__, response) => response.end("reached"));
    const bench = await createEgressBench();
    const { send, report } = await grant(bench, ["public.test-site.net:8080"]);
    expect(await send(`CONNECT ${authority} HTTP/1.1\r\nHost: x`)).toMatch(/^HTTP\/1\.1 403 /);
    expect(await send(get(`http://${authority}/`))).toMatch(/^HTTP\/1\.1 403 /);
    expect(bench.looked).toEqual([]);
    expect(site.connections()).toBe(0);
    expect(report().refused).not.toEqual([]);
  });

  it("refuses a listed name that leads to a private address, alone or among public ones", async () => {
    const bench = await createEgressBench();
    const { send, report } = await grant(bench, ["*.test-site.net:8080"]);
    for (const name of ["private", "mixed"]) {
      expect(await send(`CONNECT ${name}.test-site.net:8080 HTTP/1.1\r\nHost: x`)).toMatch(/^HTTP\/1\.1 403 /);
    }
    expect(report()).toEqual({ refused: ["private.test-site.net:8080", "mixed.test-site.net:8080"] });
    expect(bench.looked).toEqual(["private.test-site.net", "mixed.test-site.net"]);
  });

  it("says what is listed but not there", async () => {
    const { send, report } = await grant(await createEgressBench(), ["gone.test-site.net:8080", "nowhere.example.net"]);
    expect(await send(get("http://gone.test-site.net:8080/"))).toMatch(
      /^HTTP\/1\.1 502 [\s\S]*gone.test-site.net:8080/,
    );
    expect(await send("CONNECT nowhere.example.net:443 HTTP/1.1\r\nHost: x")).toMatch(/^HTTP\/1\.1 502 /);
    expect(report()).toEqual({ refused: [], failed: ["gone.test-site.net:8080", "nowhere.example.net:443"] });
  });

  it.each([
    ["a status that is none", "HTTP/1.1 000 Nothing\r\nContent-Length: 0\r\n\r\n"],
    ["a status below all", "HTTP/1.1 099 Low\r\nContent-Length: 0\r\n\r\n"],
    ["control characters", "HTTP/1.1 200 OK\r\nX-A: a\u0001b\r\nContent-Length: 0\r\n\r\n"],
    ["a change of protocol", "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\nraw"],
    ["an answer that breaks off", "HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nshort"],
    ["no HTTP", "hello\r\n\r\n"],
    ["nothing", ""],
  ])("survives a host that answers with %s", async (_, bytes) => {
    await startRawSite(bytes);
    const { send, report } = await grant(await createEgressBench(), ["public.test-site.net:8080"]);
    const answer = await send(get("http://public.test-site.net:8080/"));
    expect(answer).toMatch(/^HTTP\/1\.1 (?:502 |200 OK[\s\S]*short$)/);
    await expect.poll(report).toEqual({ refused: [], failed: ["public.test-site.net:8080"] });
  });

  it("answers nothing that is no request to a proxy", async () => {
    const { send, report } = await grant(await createEgressBench(), ["public.test-site.net:8080"]);
    for (const address of ["/", "*", "/etc/passwd", "ftp://public.test-site.net/"])
      expect(await send(get(address))).toMatch(/^HTTP\/1\.1 403 [\s\S]*malformed/);
    expect(await send("not http at all")).not.toContain("200");
    expect(report()).toEqual({ refused: ["(malformed)"] });
  });

  it("takes no host from a redirect: the next request is judged as the first", async () => {
    await startEgressSite((_, response) =>
      response.writeHead(302, { location: "http://evil.test-site.net:8080/" }).end(),
    );
    const { send, report } = await grant(await createEgressBench(), ["public.test-site.net:8080"]);
    const answer = await send(get("http://public.test-site.net:8080/"));
    const [, next = ""] = /location: (\S+)/i.exec(answer) ?? [];
    expect(await send(get(next))).toMatch(/^HTTP\/1\.1 403 /);
    expect(report()).toEqual({ refused: ["evil.test-site.net:8080"] });
  });

  it("breaks off at the limit of bytes, and lets nothing more through", async () => {
    await startEgressSite((_, response) => response.end(Buffer.alloc(300_000)));
    const { send, report } = await grant(await createEgressBench({ limits: { bytes: 100_000 } }), [
      "public.test-site.net:8080",
    ]);
    const answer = await send(get("http://public.test-site.net:8080/"));
    expect(answer.length).toBeLessThan(200_000);
    expect(await send(get("http://public.test-site.net:8080/"))).toMatch(/^(?:HTTP\/1\.1 429|$)/);
    expect(report().limit).toMatch(/used up/);
  });

  it("lets a command have so many connections and no more", async () => {
    const site = await startEgressSite((_, response) => response.end("ok"));
    const bench = await createEgressBench({ limits: { requests: 3 } });
    const { send, report } = await grant(bench, ["public.test-site.net:8080"]);
    const answers: string[] = [];
    for (let count = 0; count < 5; count++) answers.push(await send(get("http://public.test-site.net:8080/")));
    expect(answers.map((answer) => answer.slice(9, 12))).toEqual(["200", "200", "200", "429", "429"]);
    expect(site.requests).toHaveLength(3);
    expect(report().limit).toMatch(/used up/);
    expect(bench.logged).toHaveLength(3);
  });

  it("lies in a folder for its user alone, which is gone afterwards with all connections", async () => {
    let asked = 0;
    await startEgressSite(() => (asked += 1));
    const bench = await createEgressBench({ limits: { idleMs: 3_600_000 } });
    const made = await bench.egress.open("00000000000000aa", "s", ["public.test-site.net:8080"]);
    const socket = join(made.folder, "proxy.sock");
    expect([bench.root, made.folder].map((path) => lstatSync(path).mode & 0o777)).toEqual([0o700, 0o700]);
    expect(lstatSync(socket).mode & 0o777).toBe(0o600);
    const hanging = talkRaw(socket, `${get("http://public.test-site.net:8080/")}\r\n\r\n`);
    await expect.poll(() => asked).toBe(1);
    await made.close();
    await hanging;
    expect(bench.folders()).toEqual([]);
    await expect(talkRaw(socket, "x")).rejects.toThrow(/ENOENT/);
  });

  it("takes no folder that is there already, and sweeps what a dead process left", async () => {
    const bench = await createEgressBench();
    mkdirSync(join(bench.root, "00000000000000aa"), { recursive: true });
    await expect(bench.egress.open("00000000000000aa", "s", [])).rejects.toThrow(/EEXIST/);
    await bench.egress.sweep();
    expect(bench.folders()).toEqual([]);
  });

  it.runIf(process.platform === "linux")(
    "works where the data folder's path is longer than a socket's may be",
    async () => {
      await startEgressSite((_, response) => response.end("far"));
      const bench = await createEgressBench({
        root: join(await createTemporaryFolder(), "deep/".repeat(30), "egress"),
      });
      const made = await bench.egress.open("00000000000000aa", "s", ["public.test-site.net:8080"]);
      const near = join(made.folder, "proxy.sock");
      expect(lstatSync(near).isSocket()).toBe(true);
      const short = join(await createTemporaryFolder(), "short");
      symlinkSync(made.folder, short);
      const request = `${get("http://public.test-site.net:8080/")}\r\nConnection: close\r\n\r\n`;
      expect(await talkRaw(join(short, "proxy.sock"), request)).toMatch(/far$/);
      await made.close();
      expect(bench.folders()).toEqual([]);
    },
  );
});
