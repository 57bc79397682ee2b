import { brotliCompressSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { createGuardedFetch, type FetchOutcome } from "../../src/web/guarded-fetch.ts";
import { allowSites, startSite, type TestSite } from "../support/web-server.ts";

/** Real requests to sites on this machine; each test says which of them may be reached. */

const loopback = [{ address: "127.0.0.1", family: 4 }];
const maxBytes = 1000;

const reasonOf = (outcome: FetchOutcome): string => (outcome.kind === "answered" ? "" : outcome.reason);

/** A site that must not be reached, and counts who tries. */
const startForbidden = (): Promise<TestSite> => startSite((_request, response) => response.end("secret"));

describe("the guarded fetch", () => {
  it("reads a page, with our own name and no cookie", async () => {
    const site = await startSite((_request, response) => response.end("hello"));
    const fetch = createGuardedFetch({ allowAddress: allowSites(site) });
    const outcome = await fetch({ url: `${site.origin}/page#part`, maxBytes });
    expect(outcome).toMatchObject({ kind: "answered", status: 200, truncated: false, url: `${site.origin}/page` });
    expect(outcome.kind === "answered" && outcome.body.toString()).toBe("hello");
    const headers = site.requests[0]?.headers;
    expect(headers?.["user-agent"]).toContain("Kurisu");
    expect(headers?.cookie).toBeUndefined();
  });

  it.each([
    "http://127.0.0.1:PORT/",
    "http://localhost:PORT/",
    "http://[::ffff:127.0.0.1]:PORT/",
    "http://127.1:PORT/",
  ])("the guarded fetch does not connect to %s", async (address) => {
    const site = await startForbidden();
    const url = address.replace("PORT", String(site.port));
    // The second one lets ports and names pass, so that only the check of the address is left.
    for (const fetch of [createGuardedFetch(), createGuardedFetch({ allowAddress: () => false })]) {
      expect((await fetch({ url, maxBytes })).kind).toBe("refused");
    }
    expect(site.connections()).toBe(0);
  });

  it("the guarded fetch does not connect to a name with one private address", async () => {
    const site = await startForbidden();
    const resolve = () => Promise.resolve([{ address: "93.184.216.34", family: 4 }, ...loopback]);
    const fetch = createGuardedFetch({ resolve, allowAddress: () => false });
    expect((await fetch({ url: `http://mixed.example:${site.port}/`, maxBytes })).kind).toBe("refused");
    expect(site.connections()).toBe(0);
  });

  it("connects to the very address it checked, when a resolver answers something else the next time", async () => {
    const [fine, secret] = [await startSite((_request, response) => response.end("fine")), await startForbidden()];
    let asked = 0;
    const resolve = () => {
      asked += 1;
      return Promise.resolve([{ address: asked === 1 ? "127.0.0.1" : "127.0.0.2", family: 4 }]);
    };
    const fetch = createGuardedFetch({ resolve, allowAddress: allowSites(fine) });
    const first = await fetch({ url: `http://rebind.example:${fine.port}/`, maxBytes });
    expect(first.kind === "answered" && first.body.toString()).toBe("fine");
    expect(asked).toBe(1);
    const second = await fetch({ url: `http://rebind.example:${fine.port}/`, maxBytes });
    expect(second.kind).toBe("refused");
    expect([fine.connections(), secret.connections()]).toEqual([1, 0]);
  });

  it("looks at who answered before it sends a byte", async () => {
    const site = await startForbidden();
    let checks = 0;
    // Stands for a connection that ends elsewhere than at the address that was checked.
    const allowAddress = () => (checks += 1) === 1;
    const outcome = await createGuardedFetch({ allowAddress })({ url: `${site.origin}/`, maxBytes });
    expect(outcome.kind).toBe("refused");
    expect(site.requests).toEqual([]);
  });

  it.each([
    ["another port of this machine", (secret: TestSite) => `${secret.origin}/`],
    ["a name of this machine", (secret: TestSite) => `http://localhost:${secret.port}/`],
    ["another notation", (secret: TestSite) => `http://2130706433:${secret.port}/`],
    ["an address without a scheme", (secret: TestSite) => `//127.0.0.1:${secret.port}/`],
    ["metadata of a cloud", () => "http://169.254.169.254/latest/meta-data/"],
    ["a file", () => "file:///etc/passwd"],
    ["a name and a password", (secret: TestSite) => `http://a:b@127.0.0.1:${secret.port}/`],
  ])("follows no redirect to %s", async (_what, target) => {
    const secret = await startForbidden();
    for (const status of [301, 302, 303, 307, 308]) {
      const site = await startSite((_request, response) => {
        response.writeHead(status, { location: target(secret) }).end();
      });
      const outcome = await createGuardedFetch({ allowAddress: allowSites(site) })({
        url: `${site.origin}/`,
        maxBytes,
      });
      expect(outcome.kind).toBe("refused");
    }
    expect(secret.connections()).toBe(0);
  });

  it("follows five redirects and not six", async () => {
    const site = await startSite((request, response) => {
      const left = Number(request.url?.slice(1));
      if (left === 0) response.end("there");
      else response.writeHead(302, { location: `/${left - 1}` }).end("on");
    });
    const fetch = createGuardedFetch({ allowAddress: allowSites(site) });
    expect(await fetch({ url: `${site.origin}/5`, maxBytes })).toMatchObject({
      kind: "answered",
      url: `${site.origin}/0`,
    });
    expect(await fetch({ url: `${site.origin}/6`, maxBytes })).toMatchObject({ kind: "failed" });
  });

  it("takes what it was given along within an origin, and loses it for good at the border", async () => {
    const headers = { authorization: "Bearer key", cookie: "a=b", "x-key": "key" };
    const sites: TestSite[] = [];
    const away = await startSite((_request, response) => {
      response.writeHead(302, { location: `${sites[0]?.origin}/back` }).end();
    });
    const home = await startSite((request, response) => {
      if (request.url === "/first") response.writeHead(302, { location: "/second" }).end();
      else if (request.url === "/second") response.writeHead(302, { location: `${away.origin}/away` }).end();
      else response.end("done");
    });
    sites.push(home);
    const fetch = createGuardedFetch({ allowAddress: allowSites(home, away) });
    expect((await fetch({ url: `${home.origin}/first`, headers, maxBytes })).kind).toBe("answered");
    const sent = [...home.requests, ...away.requests].map(({ url, headers: got }) => [url, got.cookie, got["x-key"]]);
    expect(sent).toEqual([
      ["/first", "a=b", "key"],
      ["/second", "a=b", "key"],
      ["/back", undefined, undefined],
      ["/away", undefined, undefined],
    ]);
    expect(away.requests[0]?.headers.authorization).toBeUndefined();
  });

  it.each([
    ["as it is", (body: Buffer) => body, undefined],
    ["as gzip", (body: Buffer) => gzipSync(body), "gzip"],
    ["as brotli", (body: Buffer) => brotliCompressSync(body), "br"],
  ])("cuts what is too long, sent %s, after unpacking", async (_how, pack, encoding) => {
    const body = pack(Buffer.alloc(20_000_000, "a"));
    const site = await startSite((_request, response) => {
      response.writeHead(200, encoding === undefined ? {} : { "content-encoding": encoding }).end(body);
    });
    const fetch = createGuardedFetch({ allowAddress: allowSites(site) });
    const outcome = await fetch({ url: `${site.origin}/`, maxBytes });
    expect(outcome).toMatchObject({ kind: "answered", truncated: true });
    expect(outcome.kind === "answered" && outcome.body.length).toBe(maxBytes);
    const whole = await fetch({ url: `${site.origin}/`, maxBytes: 20_000_000 });
    expect(whole).toMatchObject({ kind: "answered", truncated: false });
  });

  it("refuses a type before it reads the body", async () => {
    const site = await startSite((_request, response) => {
      response.writeHead(200, { "content-type": "image/png" });
      // Never ends: who waits for the body waits until the time is up.
      response.write("x");
    });
    const fetch = createGuardedFetch({ allowAddress: allowSites(site) });
    const refuseType = (type: string) => (type === "image/png" ? "No pictures." : undefined);
    expect(await fetch({ url: `${site.origin}/`, maxBytes, refuseType })).toEqual({
      kind: "refused",
      reason: "No pictures.",
      reached: true,
    });
  });

  it("refuses the type of an answer that has no body", async () => {
    const site = await startSite((_request, response) => void response.writeHead(204).end());
    const fetch = createGuardedFetch({ allowAddress: allowSites(site) });
    expect(await fetch({ url: `${site.origin}/`, maxBytes, refuseType: () => "No." })).toEqual({
      kind: "refused",
      reason: "No.",
      reached: true,
    });
  });

  it("the guarded fetch contacts no refused address, first or after a redirect", async () => {
    const secret = await startForbidden();
    const site = await startSite((_request, response) => {
      response.writeHead(302, { location: `${secret.origin}/inner` }).end();
    });
    const fetch = createGuardedFetch({ allowAddress: allowSites(site, secret) });
    const judged: string[] = [];
    const refuseAddress = ({ href }: URL): string | undefined => {
      judged.push(href);
      return href.includes("/inner") ? "Not there." : undefined;
    };
    const refused = { kind: "refused", reason: "Not there." };
    expect(await fetch({ url: `${secret.origin}/inner`, maxBytes, refuseAddress })).toEqual({
      ...refused,
      reached: false,
    });
    expect(await fetch({ url: `${site.origin}/page`, maxBytes, refuseAddress })).toEqual({ ...refused, reached: true });
    expect(judged).toEqual([`${secret.origin}/inner`, `${site.origin}/page`, `${secret.origin}/inner`]);
    expect(secret.connections()).toBe(0);
  });

  it("gives up a site that says nothing, one that stops in the middle, and one that drips", async () => {
    const silent = await startSite(() => undefined);
    const stuck = await startSite((_request, response) => void response.write("x"));
    const dripping = await startSite((_request, response) => {
      const drip = setInterval(() => response.write("x"), 20);
      response.on("close", () => clearInterval(drip));
    });
    for (const site of [silent, stuck, dripping]) {
      const fetch = createGuardedFetch({ allowAddress: allowSites(site), timeoutMs: 300 });
      const outcome = await fetch({ url: `${site.origin}/`, maxBytes: 1_000_000 });
      expect([outcome.kind, reasonOf(outcome)]).toEqual(["failed", expect.stringContaining("within 0.3 s")]);
    }
  });

  it("stops when it is told to", async () => {
    const stop = new AbortController();
    const site = await startSite(() => stop.abort(new Error("enough")));
    const fetch = createGuardedFetch({ allowAddress: allowSites(site) });
    const outcome = await fetch({ url: `${site.origin}/`, maxBytes, signal: stop.signal });
    expect(outcome).toEqual({ kind: "failed", reason: "Stopped.", reached: true });
    expect((await fetch({ url: `${site.origin}/`, maxBytes, signal: stop.signal })).kind).toBe("failed");
    expect(site.connections()).toBe(1);
  });

  it("says it in a sentence when the site is not there, or speaks no HTTP", async () => {
    const site = await startSite((request) => request.socket.end("SSH-2.0-x\r\n"));
    const fetch = createGuardedFetch({
      allowAddress: () => true,
      resolve: (host) => Promise.reject(new Error(`ENOTFOUND ${host}`)),
    });
    for (const url of [`${site.origin}/`, "http://127.0.0.1:1/", "https://nowhere.example/"]) {
      const outcome = await fetch({ url, maxBytes });
      expect([url, outcome.kind]).toEqual([url, "failed"]);
      expect(reasonOf(outcome)).toMatch(/^\S.*\.$|check the name\.$/s);
    }
  });

  it("says where it was not followed, and why", async () => {
    const site = await startSite((request, response) => {
      const target = request.url === "/away" ? "file:///etc/passwd" : "/again";
      response.writeHead(302, { location: target }).end();
    });
    const fetch = createGuardedFetch({ allowAddress: allowSites(site) });
    expect(await fetch({ url: `${site.origin}/away`, maxBytes })).toEqual({
      kind: "refused",
      reason:
        "The page redirects to another address. Only addresses that start with http:// or https:// can be opened.",
      reached: true,
    });
    expect(await fetch({ url: `${site.origin}/`, maxBytes })).toEqual({
      kind: "failed",
      reason: "The address redirects more than 5 times.",
      reached: true,
    });
    expect(await fetch({ url: "ftp://a.example/", maxBytes })).toEqual({
      kind: "refused",
      reason: "Only addresses that start with http:// or https:// can be opened.",
    });
    expect(await createGuardedFetch()({ url: "http://127.0.0.1/", maxBytes })).toEqual({
      kind: "refused",
      reason: "127.0.0.1 is not a public site, or port 80 is not one of web pages; it cannot be opened.",
      reached: false,
    });
    expect(await createGuardedFetch()({ url: `${site.origin}/`, maxBytes })).toMatchObject({
      kind: "refused",
      reason: expect.stringContaining(`Port ${site.port}`) as string,
    });
    const closed = createGuardedFetch({ allowAddress: () => true });
    expect(await closed({ url: `http://127.0.0.9:${site.port}/`, maxBytes })).toEqual({
      kind: "failed",
      reason: `The site could not be read: connect ECONNREFUSED 127.0.0.9:${site.port}.`,
      reached: false,
    });
  });

  it.each([
    [200, "/elsewhere"],
    [300, "/elsewhere"],
    [304, "/elsewhere"],
    [306, "/elsewhere"],
    [404, "/elsewhere"],
    [302, undefined],
  ])("takes %d with the location %s for an answer", async (status, location) => {
    const site = await startSite((_request, response) => {
      response.writeHead(status, location === undefined ? {} : { location }).end();
    });
    const fetch = createGuardedFetch({ allowAddress: allowSites(site) });
    const given: string[] = [];
    const refuseType = (type: string) => void given.push(type);
    expect(await fetch({ url: `${site.origin}/?a=1#part`, maxBytes, refuseType })).toEqual({
      kind: "answered",
      url: `${site.origin}/?a=1`,
      status,
      contentType: "",
      body: Buffer.alloc(0),
      truncated: false,
    });
    expect([given, site.requests.map(({ url, method }) => [method, url])]).toEqual([[""], [["GET", "/?a=1"]]]);
  });

  it("tells the type it was given", async () => {
    const site = await startSite((_request, response) => {
      response.writeHead(200, { "content-type": "text/plain; charset=gbk" }).end("x");
    });
    const fetch = createGuardedFetch({ allowAddress: allowSites(site) });
    expect(await fetch({ url: `${site.origin}/`, maxBytes })).toMatchObject({
      contentType: "text/plain; charset=gbk",
    });
  });

  it("leaves no connection open, answered or refused", async () => {
    const open = new Set<unknown>();
    const site = await startSite((request, response) => {
      open.add(request.socket.on("close", () => open.delete(request.socket)));
      response.writeHead(200, { "content-type": "text/plain" }).write("x");
      if (request.url === "/whole") response.end();
    });
    const fetch = createGuardedFetch({ allowAddress: allowSites(site) });
    expect((await fetch({ url: `${site.origin}/whole`, maxBytes })).kind).toBe("answered");
    expect((await fetch({ url: `${site.origin}/part`, maxBytes, refuseType: () => "No." })).kind).toBe("refused");
    expect((await fetch({ url: `${site.origin}/part`, maxBytes: 0 })).kind).toBe("answered");
    expect(site.connections()).toBe(3);
    await expect.poll(() => open.size).toBe(0);
  });

  it("asks no proxy of the environment", async () => {
    const [site, proxy] = [await startSite((_request, response) => response.end("fine")), await startForbidden()];
    const names = ["http_proxy", "HTTP_PROXY", "https_proxy", "all_proxy"];
    const before = names.map((name) => process.env[name]);
    for (const name of names) process.env[name] = proxy.origin;
    try {
      const fetch = createGuardedFetch({ allowAddress: allowSites(site) });
      expect((await fetch({ url: `${site.origin}/`, maxBytes })).kind).toBe("answered");
      expect(proxy.connections()).toBe(0);
    } finally {
      for (const [index, name] of names.entries()) {
        const value = before[index];
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      }
    }
  });
});
