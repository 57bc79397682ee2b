import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkLoginAddress } from "../../../src/features/mcp/login/check-login-address.ts";
import { readPastedRedirect } from "../../../src/features/mcp/login/read-redirect.ts";
import { listMcpLogins } from "../../../src/features/mcp/queries/mcp-logins.ts";
import { createTemporaryFolder } from "../../support/temporary-folder.ts";
import { HandClock } from "../../support/hand-clock.ts";
import { startLoginServer, type LoginServerTraits } from "../../support/mcp/login-server.ts";
import { startBridge, type TestBridge } from "../../support/mcp/start-bridge.ts";
import { startSite } from "../../support/web-server.ts";
import { waitUntil } from "../../support/wait-until.ts";

const look = "mcp__locked__look";

async function startLocked(traits: LoginServerTraits = {}, oauth: object = {}, skill?: string) {
  const server = await startLoginServer(traits);
  const clock = new HandClock();
  const made = await startBridge(
    { locked: { url: server.url, oauth } },
    { clock, ...(skill !== undefined && { skill }) },
  );
  return { server, clock, ...made, logins: async () => JSON.stringify([...(await listMcpLogins(made.store.main))]) };
}

async function begin({ bridge }: Pick<TestBridge, "bridge">): Promise<string> {
  const answer = await bridge.login("locked", "cli:owner");
  if (answer?.kind !== "open") throw new Error(`no address to open: ${JSON.stringify(answer)}`);
  return answer.url;
}

async function logIn(locked: Awaited<ReturnType<typeof startLocked>>): Promise<void> {
  const back = await locked.server.visit(await begin(locked));
  expect(await locked.bridge.login("locked", "cli:owner", readPastedRedirect(back))).toMatchObject({ kind: "done" });
  await waitUntil("its tools", async () => locked.offered().includes(look));
}

const state = ({ bridge }: TestBridge) => bridge.views()[0]?.state;

describe("logging in at an MCP server", () => {
  it("says that it wants a login, and works after it; the tokens are its owner's only, and go when they are told to", async () => {
    const locked = await startLocked();
    const { home, bridge, server } = locked;
    expect(state(locked)).toBe("login");
    expect(locked.offered()).toEqual([]);
    await logIn(locked);
    expect(await locked.call(look, { at: "it" })).toMatchObject({ ok: true, output: "what is inside" });
    expect(state(locked)).toBe("ready");
    expect(await locked.logins()).toContain(server.tokens[0]);
    expect(statSync(join(home, "kurisu.db")).mode & 0o777).toBe(0o600);

    expect(await bridge.logout("locked", "cli:owner")).toBe(true);
    expect(await locked.logins()).not.toContain(server.tokens[0]);
    expect(await locked.call(look, {})).toMatchObject({
      ok: false,
      error: expect.stringContaining("/mcp login locked"),
    });
    expect(await bridge.logout("locked", "cli:owner")).toBe(false);
    await logIn(locked);
    expect(await bridge.forget("locked", "cli:owner")).toBe(true);
    expect(await locked.logins()).toBe("[]");
  });

  it("takes logins over from the file of an earlier version, once", async () => {
    const locked = await startLocked();
    const { clock, home, server, store } = locked;
    await logIn(locked);
    const kept = [...(await listMcpLogins(store.main))].map(([name, text]) => [name, JSON.parse(text) as unknown]);
    await locked.bridge.logout("locked", "cli:owner");
    await locked.stop();
    const file = join(home, "mcp-logins.json");
    writeFileSync(file, JSON.stringify({ servers: Object.fromEntries(kept) }));
    const again = await startBridge({ locked: { url: server.url } }, { home, clock });
    expect(await again.call(look, { n: 1 })).toMatchObject({ ok: true });
    expect(existsSync(file)).toBe(false);
    expect(await again.bridge.logout("locked", "cli:owner")).toBe(true);
    await again.stop();
    const last = await startBridge({ locked: { url: server.url } }, { home, clock });
    expect(await last.call(look, { n: 2 })).toMatchObject({ ok: false });
    expect(server.calls).toEqual([{ n: 1 }]);
  });

  it("leaves a file of an earlier version alone that it cannot read, and wants a new login", async () => {
    const home = await createTemporaryFolder();
    const file = join(home, "mcp-logins.json");
    writeFileSync(file, "{");
    const server = await startLoginServer();
    const { bridge } = await startBridge({ locked: { url: server.url } }, { home });
    expect(bridge.views()[0]?.state).toBe("login");
    expect(readFileSync(file, "utf8")).toBe("{");
  });

  it("a skill's server is idle before a login and after a logout", async () => {
    const locked = await startLocked({}, {}, "weather");
    expect(state(locked)).toBe("idle");
    await logIn(locked);
    expect(state(locked)).toBe("ready");
    expect(await locked.bridge.logout("locked", "cli:owner")).toBe(true);
    expect(state(locked)).toBe("idle");
  });

  it("takes a bare code, too, and a login only once, with its own state, within ten minutes, from whom was asked", async () => {
    const locked = await startLocked();
    const { clock, bridge, server } = locked;
    const finish = (pasted: string) => bridge.login("locked", "cli:owner", readPastedRedirect(pasted));
    const back = await server.visit(await begin(locked));
    const otherState = new URL(back);
    otherState.searchParams.set("state", "somebody-elses");
    expect(await finish(otherState.href)).toMatchObject({
      kind: "refused",
      reason: expect.stringMatching(/another login/),
    });
    await expect(bridge.returnLogin({ code: "x", state: "somebody-elses" })).resolves.toBeUndefined();
    expect(await finish(back)).toMatchObject({ kind: "done" });
    expect(await finish(back)).toMatchObject({ kind: "refused", reason: expect.stringMatching(/used already/) });

    const late = await server.visit(await begin(locked));
    clock.advance(601_000);
    expect(await finish(late)).toMatchObject({ kind: "refused", reason: expect.stringMatching(/ten minutes/) });

    const mixed = new URL(await server.visit(await begin(locked)));
    mixed.searchParams.set("iss", "https://evil.example");
    expect(await finish(mixed.href)).toMatchObject({
      kind: "refused",
      reason: expect.stringMatching(/another server/),
    });

    const code = new URL(await server.visit(await begin(locked))).searchParams.get("code") ?? "";
    expect(await finish(code)).toMatchObject({ kind: "done" });
    await begin(locked);
    expect(await finish("http://127.0.0.1:1/cb?error=access_denied%0A$(touch%20x)&state=")).toMatchObject({
      kind: "refused",
    });
  });

  it("cannot use the code of another login: the server compares the verifier", async () => {
    const locked = await startLocked();
    const first = new URL(await locked.server.visit(await begin(locked)));
    await begin(locked);
    const code = first.searchParams.get("code") ?? "";
    const answer = await locked.bridge.login("locked", "cli:owner", { code });
    expect(answer).toMatchObject({ kind: "refused", reason: "it answered invalid_grant" });
    expect(locked.server.tokens).toEqual([]);
  });

  it("the login uses the client of mcp.json where the server registers none, and says so where there is none", async () => {
    const client = { id: "kurisu-of-akiba", secret: "el psy kongroo" };
    const locked = await startLocked({ client }, { clientId: client.id, clientSecret: client.secret });
    await logIn(locked);
    expect(locked.server.asked).not.toContain("POST /register");

    const stranger = await startLocked({ client });
    expect(await stranger.bridge.login("locked", "cli:owner")).toMatchObject({
      kind: "refused",
      reason: expect.stringContaining("oauth.clientId"),
    });
  });

  it("renews a token that has run out or was refused, once for all calls, and calls nothing twice", async () => {
    const locked = await startLocked({ expiresIn: 3600 });
    const { clock, server } = locked;
    await logIn(locked);
    const renewals = () => server.tokens.length / 2 - 1;
    clock.advance(3_600_000);
    const both = await Promise.all([locked.call(look, { n: 1 }), locked.call(look, { n: 2 })]);
    expect(both.map(({ ok }) => ok)).toEqual([true, true]);
    expect(renewals()).toBe(1);
    server.revoke("access");
    expect(await locked.call(look, { n: 3 })).toMatchObject({ ok: true });
    expect(renewals()).toBe(2);
    expect(server.calls).toHaveLength(3);

    server.revoke("all");
    expect(await locked.call(look, { n: 4 })).toMatchObject({
      ok: false,
      error: expect.stringMatching(/log in.*Nothing was called/),
    });
    expect(state(locked)).toBe("login");
    expect(server.calls).toHaveLength(3);
    await logIn(locked);
    expect(await locked.call(look, { n: 5 })).toMatchObject({ ok: true });
  });

  it("asks for the rights that a refused request named, also where a session begins without a login", async () => {
    const locked = await startLocked({ opensForHello: true });
    await waitUntil("the wish for a login", () => state(locked) === "login");
    expect(new URL(await begin(locked)).searchParams.get("scope")).toBe("read write");
  });

  it("a call that needs wider rights is not made; the owner is told once, and the next login asks for these rights", async () => {
    const locked = await startLocked({ callScope: { name: "delete" } });
    const { bridge, server, wider } = locked;
    await logIn(locked);
    for (const _ of [1, 2]) {
      const answer = await locked.call(look, {});
      expect(answer).toMatchObject({
        ok: false,
        error: expect.stringMatching(/did not do it: .*\(delete\).*\/mcp login locked/),
      });
    }
    expect(server.calls).toEqual([]);
    expect(bridge.views()[0]).toMatchObject({ state: "login", detail: expect.stringContaining("(delete)") });
    expect(wider).toEqual(["locked: delete"]);

    const address = await begin(locked);
    expect(new URL(address).searchParams.get("scope")).toBe("read write delete");
    const back = readPastedRedirect(await server.visit(address));
    expect(await bridge.login("locked", "cli:owner", back)).toMatchObject({ kind: "done" });
    expect(await locked.call(look, {})).toMatchObject({ ok: true });
    expect(state(locked)).toBe("ready");
    // It still asks for them when the login is over.
    expect(new URL(await begin(locked)).searchParams.get("scope")).toBe("read write delete");
  });

  it("a login is not offered again when the server refuses the rights that it named and got", async () => {
    const locked = await startLocked({ callScope: { name: "delete", never: true } });
    await logIn(locked);
    await locked.call(look, {});
    await logIn(locked);
    const answer = await locked.call(look, {});
    expect(answer).toMatchObject({ ok: false, error: expect.stringMatching(/refused: .*refuses all the same/) });
    expect(answer).not.toMatchObject({ error: expect.stringContaining("/mcp login") });
    expect(state(locked)).toBe("ready");
    expect(locked.wider).toHaveLength(1);
  });

  it("a login is not offered again when the server forbids the account what it asks for", async () => {
    const locked = await startLocked({ forbidsCalls: true });
    await logIn(locked);
    const answer = await locked.call(look, {});
    expect(answer).toMatchObject({ ok: false, error: expect.stringMatching(/refused: .*ask the owner of the board/) });
    expect(answer).not.toMatchObject({ error: expect.stringContaining("/mcp login") });
    expect(state(locked)).toBe("ready");
  });

  const challenge = 'Bearer error="invalid_token"';
  it.each([
    ["401 to its header", 401, { Authorization: "Bearer old" }, "", "failed"],
    ["401 to its key", 401, { "X-Api-Key": "old" }, "", "failed"],
    ["401 with a challenge, beside a key", 401, { "X-Team": "lab" }, challenge, "login"],
    ["401 to no header", 401, {}, "", "login"],
    ["403 to no header", 403, {}, "", "failed"],
    ["403 with a challenge", 403, {}, challenge, "login"],
  ])("a server of mcp.json that answers %s is %s", async (_, status, headers, asks, expected) => {
    const site = await startSite((_request, response) =>
      response.writeHead(status, asks === "" ? {} : { "www-authenticate": asks }).end("wrong key"),
    );
    const { bridge } = await startBridge({ locked: { url: `${site.origin}/mcp`, headers } });
    await bridge.connect("locked", "x", AbortSignal.timeout(20_000)).catch(() => undefined);
    const words = expected === "failed" ? /wrong key/ : /./;
    expect(bridge.views()[0]).toMatchObject({ state: expected, detail: expect.stringMatching(words) });
  });

  it("never sends a login to another address that has taken the name", async () => {
    const locked = await startLocked();
    await logIn(locked);
    const sent: (string | undefined)[] = [];
    const thief = await startSite((request, response) => {
      sent.push(request.headers.authorization);
      response.writeHead(401).end();
    });
    await locked.stop();
    const again = await startBridge({ locked: { url: `${thief.origin}/mcp` } }, { home: locked.home });
    await again.bridge.connect("locked", "x", AbortSignal.timeout(20_000)).catch(() => undefined);
    expect(sent.length).toBeGreaterThan(0);
    expect(sent.filter((one) => one !== undefined)).toEqual([]);
  });
});

describe("a server's address for a login", () => {
  it.each([
    ["token_endpoint", "token"],
    ["registration_endpoint", "register"],
  ])("the login does not ask a private address: %s", async (endpoint, path) => {
    const inside = await startSite((_, response) => void response.end("{}"));
    const locked = await startLocked({ metadata: { [endpoint]: `${inside.origin}/${path}` } });
    const begun = await locked.bridge.login("locked", "cli:owner");
    const answer =
      begun?.kind === "open"
        ? await locked.bridge.login("locked", "cli:owner", readPastedRedirect(await locked.server.visit(begun.url)))
        : begun;
    expect(answer).toMatchObject({ kind: "refused", reason: expect.stringContaining(inside.origin) });
    expect(inside.connections()).toBe(0);
  });

  it("the login asks no private address over https either, unless the operator allows its origin", async () => {
    const inside = await startSite((_, response) => void response.writeHead(404).end());
    const secure = inside.origin.replace("http:", "https:");
    const locked = await startLocked({ resourceMetadata: { authorization_servers: [secure] } });
    expect(await locked.bridge.login("locked", "cli:owner")).toMatchObject({ kind: "refused" });
    expect(inside.connections()).toBe(0);
    const open = await startLocked(
      { resourceMetadata: { authorization_servers: [inside.origin] } },
      { origins: [inside.origin] },
    );
    await open.bridge.login("locked", "cli:owner");
    expect(inside.connections()).toBeGreaterThan(0);
  });

  it.each([
    ["javascript:alert(1)"],
    ["file:///etc/passwd"],
    ["https://user:password@login.example/"],
    ["https://$(touch x).example/"],
    ["https://`touch`.example/"],
    ["http://login.example/"],
  ])("the login does not show the address: %s", async (endpoint) => {
    const locked = await startLocked({ metadata: { authorization_endpoint: endpoint } });
    expect(await locked.bridge.login("locked", "cli:owner")).toMatchObject({ kind: "refused" });
  });

  it("the login asks for no token for another address", async () => {
    const locked = await startLocked({ resourceMetadata: { resource: "https://bank.example/" } });
    expect(await locked.bridge.login("locked", "cli:owner")).toMatchObject({
      kind: "refused",
      reason: expect.stringMatching(/another address/),
    });
    expect(locked.server.asked).not.toContain("POST /register");
  });

  it("the login shows an address as text that no shell acts on and no chat hides", () => {
    const nasty = "https://login.example/a$(touch x)`id`;rm -rf|'\"<>\\!*{}^?q=$(touch%20x)\u202e\u0007\n&b=1#';x";
    const checked = checkLoginAddress(new URL(nasty), []);
    expect(checked).toMatchObject({ ok: true, host: "login.example" });
    expect(checked.ok && checked.url).toMatch(/^https:\/\/login\.example\/[\w\-.~:/?#[\]@&+,=%]+$/);
    expect(checked.ok && new URL(checked.url).searchParams.get("b")).toBe("1");
  });
});
