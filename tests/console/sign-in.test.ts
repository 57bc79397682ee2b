import { describe, expect, it } from "vitest";
import { doorLimits } from "../../src/console/door/door.ts";
import { consoleTables } from "../../src/store/tables/console-tables.ts";
import { asPage, startConsoleServer, type ConsoleServer } from "../support/console/console-server.ts";
import { listEngines } from "../support/store-engines.ts";
import { createTestStore } from "../support/test-store.ts";

const minuteMs = 60_000;
const dayMs = 24 * 3_600_000;

async function tryCode(server: ConsoleServer, code = "WRONG234") {
  const { status, text, cookie } = await server.logIn({ code });
  return { status, cookie, ...(text !== "" && (JSON.parse(text) as { code: string; wait: number })) };
}

const isIn = async (server: ConsoleServer, cookie = "") =>
  (await server.ask({ path: "/api/today", headers: { cookie } })).status === 200;

describe("a code", () => {
  it("a code opens the console once, in any spelling", async () => {
    const server = await startConsoleServer();
    const { code } = server.makeCode();
    expect(code).toMatch(/^[2-9A-Z]{4}-[2-9A-Z]{4}$/);
    const opened = await server.logIn({ code: ` ${code.toLowerCase().replace("-", " ")} ` });
    expect(opened.status).toBe(204);
    expect(opened.headers["set-cookie"]).toEqual([
      expect.stringMatching(/^kurisu_console=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Strict$/),
      "__Host-kurisu_console=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict; Secure",
    ]);
    expect(await isIn(server, opened.cookie)).toBe(true);
    expect(await tryCode(server, code)).toMatchObject({ status: 401, code: "expired" });
    expect(await server.audited()).toEqual([
      { actor: "console:owner", action: "console.signed-in", by: "code", login: expect.stringMatching(/^login_/) },
    ]);
  });

  it("a code opens nothing after ten minutes, and the one before a newer one opens nothing at all", async () => {
    const server = await startConsoleServer();
    const first = server.makeCode().code;
    const second = server.makeCode().code;
    expect(await tryCode(server, first)).toMatchObject({ status: 401, code: "wrong" });
    server.clock.advance(10 * minuteMs - 1);
    expect(await tryCode(server, first)).toMatchObject({ code: "wrong" });
    server.clock.advance(1);
    expect(await tryCode(server, second)).toMatchObject({ status: 401, code: "expired" });
  });

  it("a code is not looked at for the rest of a minute after five wrong ones", async () => {
    const server = await startConsoleServer();
    const { code } = server.makeCode();
    for (let at = 1; at <= 4; at += 1) expect(await tryCode(server)).toMatchObject({ code: "wrong", wait: 0 });
    expect(await tryCode(server)).toMatchObject({ status: 401, code: "wrong", wait: minuteMs });
    server.clock.advance(20_000);
    expect(await tryCode(server, code)).toMatchObject({ status: 401, code: "wait", wait: 40_000 });
    server.clock.advance(40_000);
    expect(await tryCode(server, code)).toMatchObject({ status: 204 });
    expect(await server.audited()).toMatchObject([
      { action: "console.refused", actor: "gateway", by: "code", within: "minute", attempts: 5 },
      { action: "console.signed-in" },
    ]);
  });

  it("the door counts guesses that come at the same time", async () => {
    const server = await startConsoleServer();
    server.makeCode();
    const all = await Promise.all(Array.from({ length: 30 }, () => tryCode(server)));
    expect(all.filter(({ code }) => code === "wrong")).toHaveLength(5);
    expect(all.filter(({ code }) => code === "wait")).toHaveLength(25);
  });

  it("a code is void after twenty wrong ones in an hour; the machine makes another, which is good at once", async () => {
    const server = await startConsoleServer({ doorLimits: { ...doorLimits, codeMs: 60 * minuteMs } });
    const { code } = server.makeCode();
    for (let at = 1; at <= 20; at += 1) {
      expect(await tryCode(server), `attempt ${at}`).toMatchObject({ code: "wrong" });
      server.clock.advance(minuteMs / 4);
    }
    server.clock.advance(minuteMs);
    expect(await tryCode(server, code)).toMatchObject({ status: 401, code: "expired" });
    expect(await server.audited()).toContainEqual(
      expect.objectContaining({ action: "console.refused", within: "hour", attempts: 20 }),
    );
    expect(await tryCode(server, server.makeCode().code)).toMatchObject({ status: 204 });
  });
});

describe.each(listEngines())("two processes on one database of %s", (engine) => {
  const alice = { account: "fake:alice", role: "member" } as const;

  async function startTwo(limits = doorLimits) {
    const first = await startConsoleServer({ store: await createTestStore(engine), doorLimits: limits });
    const { clock, store } = first;
    return [first, await startConsoleServer({ clock, store, doorLimits: limits })] as const;
  }

  it("a code that one made for a person opens either of them, once", async () => {
    const [worker, gateway] = await startTwo();
    const before = await worker.makeCodeFor(alice);
    const { code } = await worker.makeCodeFor(alice);
    expect(await tryCode(gateway, before.code)).toMatchObject({ status: 401, code: "wrong" });
    const both = await Promise.all([tryCode(worker, code), tryCode(gateway, code)]);
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([204, 401]);
  });

  it("the code on the start screen of one opens that one alone, and stays when the other shows its own", async () => {
    const [first, second] = await startTwo();
    const codes = [first.makeCode().code, second.makeCode().code];
    expect(await tryCode(second, codes[0])).toMatchObject({ status: 401 });
    expect(await tryCode(first, codes[0])).toMatchObject({ status: 204 });
    expect(await tryCode(second, codes[1])).toMatchObject({ status: 204 });
  });

  it("a person's code is void after twenty wrong ones, whichever of them heard these", async () => {
    const both = await startTwo({ ...doorLimits, inMinute: 100 });
    const { code } = await both[0].makeCodeFor(alice);
    for (let at = 0; at < 20; at += 1)
      expect(await tryCode(both[at % 2 === 0 ? 0 : 1])).toMatchObject({ code: "wrong" });
    expect(await tryCode(both[0], code)).toMatchObject({ status: 401, code: "expired" });
    const another = await both[0].makeCodeFor(alice);
    expect(await tryCode(both[1], another.code)).toMatchObject({ status: 204 });
  });

  it("a person's code is stored as a digest, and removed once it is over and someone asks for another", async () => {
    const [{ clock, makeCodeFor, store }] = await startTwo();
    const { code } = await makeCodeFor(alice);
    clock.advance(10 * minuteMs);
    await makeCodeFor({ account: "fake:bob", role: "member" });
    const rows = await store.main.selectFrom("console_codes").selectAll().execute();
    expect(rows).toMatchObject([{ account: "fake:bob", digest: expect.stringMatching(/^[0-9a-f]{64}$/) as string }]);
    expect(await tryCode(await startConsoleServer({ clock, store }), code)).toMatchObject({ code: "wrong" });
  });
});

describe("the password", () => {
  const password = "a long phrase, 中文也行";

  it("the password opens the console as often as it is given, and nothing but it does", async () => {
    const server = await startConsoleServer({ password });
    expect((await server.logIn({ password })).status).toBe(204);
    expect((await server.logIn({ password })).status).toBe(204);
    for (const wrong of ["a long phrase", `${password} `, "kurisu"])
      expect((await server.logIn({ password: wrong })).status).toBe(401);
  });

  it("no password opens anything where none is set", async () => {
    const server = await startConsoleServer();
    for (const given of [{ password: "" }, { password: "undefined" }, {}, { code: "", password: "" }, []])
      expect([400, 401]).toContain((await server.logIn(given)).status);
  });

  it("the password still lets its owner in while others guess, one attempt at a time", async () => {
    const slowMs = 50;
    const server = await startConsoleServer({
      password,
      proxies: () => ["127.0.0.1"],
      doorLimits: { ...doorLimits, slowMs, inLine: 3 },
    });
    await guessUntilSlow(server);
    const begun = performance.now();
    const guesses = Array.from({ length: 12 }, (_, at) =>
      server.logIn({ password: "guess" }, { "x-forwarded-for": `1.2.3.4, 192.0.2.${at % 2}` }),
    );
    const owner = await server.logIn({ password }, { "x-forwarded-for": "192.0.2.1, 198.51.100.7" });
    expect(owner.status).toBe(204);
    expect(performance.now() - begun).toBeGreaterThanOrEqual(slowMs * 0.9);
    const kinds = (await Promise.all(guesses)).map(({ text }) => (JSON.parse(text) as { code: string }).code);
    expect(kinds.filter((kind) => kind === "wait").length).toBeGreaterThanOrEqual(8);
  });

  it("one address has one place in the line, whatever it says about itself", async () => {
    const server = await startConsoleServer({ password, doorLimits: { ...doorLimits, slowMs: 200 } });
    await guessUntilSlow(server);
    const all = await Promise.all(
      [1, 2, 3].map((at) => server.logIn({ password: "guess" }, { "x-forwarded-for": `192.0.2.${at}` })),
    );
    const waits = all.map(({ text }) => (JSON.parse(text) as { code: string }).code);
    expect(waits.toSorted()).toEqual(["wait", "wait", "wrong"]);
  });

  it("wrong codes neither slow the password nor make it wait, and wrong passwords leave the code as it is", async () => {
    const server = await startConsoleServer({ password });
    for (let at = 0; at < 5; at += 1) await tryCode(server);
    expect(await tryCode(server)).toMatchObject({ code: "wait" });
    expect((await server.logIn({ password })).status).toBe(204);
    const { code } = server.makeCode();
    await guessUntilSlow(server);
    expect(await tryCode(server, code)).toMatchObject({ status: 204 });
  });

  it("a browser that does not wait for its turn is not signed in", async () => {
    const server = await startConsoleServer({ password, doorLimits: { ...doorLimits, slowMs: 100 } });
    await guessUntilSlow(server);
    const gone = new AbortController();
    const host = `127.0.0.1:${server.port}`;
    const asked = fetch(`http://${host}/api/login`, {
      method: "POST",
      headers: asPage(host),
      body: JSON.stringify({ password }),
      signal: gone.signal,
    });
    setTimeout(() => gone.abort(), 30);
    await expect(asked).rejects.toThrow("aborted");
    await expect.poll(async () => (await server.logIn({ password: "guess" })).text).toContain('"wrong"');
    expect(await server.store.main.selectFrom("console_sessions").selectAll().execute()).toEqual([]);
  });

  it("the audit gets one row an hour while guesses go on", async () => {
    const server = await startConsoleServer({ password });
    for (let at = 0; at < 10 * 60; at += 1) {
      await tryCode(server);
      server.clock.advance(minuteMs / 5);
    }
    const rows = (await server.audited()) as { within: string }[];
    expect(rows.filter(({ within }) => within === "hour")).toHaveLength(2);
    expect(rows.filter(({ within }) => within === "minute")).toHaveLength(2);
  });
});

async function guessUntilSlow(server: ConsoleServer): Promise<void> {
  for (let at = 1; at <= 20; at += 1) {
    expect((await server.logIn({ password: "guess" })).status).toBe(401);
    server.clock.advance(15_000);
  }
}

describe("a browser that is signed in", () => {
  it("a browser stays signed in for thirty days, and for seven without a request", async () => {
    const server = await startConsoleServer();
    const { cookie } = await server.logIn({ code: server.makeCode().code });
    for (let day = 6; day < 30; day += 6) {
      server.clock.advance(6 * dayMs);
      expect(await isIn(server, cookie), `day ${day}`).toBe(true);
    }
    server.clock.advance(6 * dayMs);
    expect(await isIn(server, cookie)).toBe(false);

    const other = await server.logIn({ code: server.makeCode().code });
    server.clock.advance(7 * dayMs);
    expect(await isIn(server, other.cookie)).toBe(false);
  });

  it("a browser is signed out by itself, and by another one, each with a row of the audit", async () => {
    const server = await startConsoleServer();
    const phone = await server.logIn({ code: server.makeCode().code }, { "user-agent": "Phone\u00AD" });
    const desk = await server.logIn({ code: server.makeCode().code }, { "user-agent": "Desk" });
    const headers = { cookie: desk.cookie ?? "" };
    const { text } = await server.ask({ path: "/api/logins", headers });
    const { items } = JSON.parse(text) as { items: { id: string; browser: string; here: boolean }[] };
    expect(
      items
        .map(({ browser, here }) => [browser, here])
        .toSorted(([one], [other]) => (String(one) < String(other) ? -1 : 1)),
    ).toEqual([
      ["Desk", true],
      [expect.stringContaining("⟨U+00AD⟩"), false],
    ]);
    const id = items.find(({ here }) => !here)?.id ?? "";
    expect((await server.ask({ method: "DELETE", path: `/api/logins/${id}`, headers })).status).toBe(204);
    expect(await isIn(server, phone.cookie)).toBe(false);
    expect((await server.ask({ method: "DELETE", path: `/api/logins/${id}`, headers })).status).toBe(404);

    const left = await server.ask({ method: "POST", path: "/api/logout", headers });
    expect(left.status).toBe(204);
    expect(left.headers["set-cookie"]).toEqual([
      expect.stringMatching(/^__Host-kurisu_console=; Max-Age=0/),
      expect.stringMatching(/^kurisu_console=; Max-Age=0/),
    ]);
    expect(await isIn(server, desk.cookie)).toBe(false);
    const rows = await server.audited();
    expect(rows.filter((row) => (row as { action: string }).action === "console.signed-out")).toHaveLength(2);
  });

  it("a browser's row goes once it can open nothing any more, and not before", async () => {
    const server = await startConsoleServer();
    await server.logIn({ code: server.makeCode().code });
    const count = async () => (await server.store.main.selectFrom("console_sessions").select("id").execute()).length;
    server.clock.advance(7 * dayMs);
    await consoleTables.prune?.(server.store.main, server.clock.now());
    expect(await count()).toBe(1);
    server.clock.advance(1);
    await consoleTables.prune?.(server.store.main, server.clock.now());
    expect(await count()).toBe(0);
  });

  it("another password ends the sessions of the one before, and so does the first one", async () => {
    const before = await startConsoleServer();
    const { cookie = "" } = await before.logIn({ code: before.makeCode().code });
    expect(await isIn(before, cookie)).toBe(true);
    const after = await startConsoleServer({ password: "a new phrase", store: before.store });
    expect(await isIn(after, cookie)).toBe(false);
    const same = await startConsoleServer({ store: before.store });
    expect(await isIn(same, cookie)).toBe(true);
  });

  it("a cookie is in the store as a digest alone", async () => {
    const server = await startConsoleServer();
    const { cookie = "" } = await server.logIn({ code: server.makeCode().code });
    const rows = await server.store.main.selectFrom("console_sessions").selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(cookie.split("=")[1]);
    expect(rows[0]?.token).toMatch(/^[0-9a-f]{64}$/);
  });
});
