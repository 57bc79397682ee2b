// full: processes that share logins and definitions do so in a Postgres database
import { describe, expect, it } from "vitest";
import { readPastedRedirect } from "../../../src/features/mcp/login/read-redirect.ts";
import { createPostgresSignals } from "../../../src/store/engines/postgres-signals.ts";
import { HandClock } from "../../support/hand-clock.ts";
import { untilTestEnds } from "../../support/keep-until.ts";
import { spawnKurisu } from "../../support/kurisu-process/spawn-kurisu.ts";
import { startTelegramStory } from "../../support/kurisu-process/telegram-story.ts";
import { makeEvilServer } from "../../support/mcp/evil-server.ts";
import { startLoginServer, type LoginServer } from "../../support/mcp/login-server.ts";
import { mcpFile } from "../../support/mcp/reference-servers.ts";
import { startBridge, type TestBridge } from "../../support/mcp/start-bridge.ts";
import { useByWords } from "../../support/mcp/use-by-words.ts";
import { createTestDatabase, postgresIsThere } from "../../support/postgres.ts";
import { createTemporaryFolder } from "../../support/temporary-folder.ts";
import { waitUntil } from "../../support/wait-until.ts";

const act = "mcp__evil__act";
const look = "mcp__locked__look";

/** Two processes; `areDeaf` = every announcement is lost. */
async function startTwo(
  servers: Readonly<Record<string, object>>,
  { areDeaf = false, clock = new HandClock() } = {},
): Promise<readonly [TestBridge, TestBridge]> {
  const url = await createTestDatabase();
  const start = async (node: string): Promise<TestBridge> => {
    if (areDeaf) return startBridge(servers, { clock, beside: { url } });
    const signals = createPostgresSignals({ url, channel: "kurisu_queue", node, onTrouble: () => undefined });
    untilTestEnds(() => signals.close());
    return startBridge(servers, { clock, beside: { url, signals } });
  };
  return [await start("one"), await start("other")];
}

async function begin({ bridge }: TestBridge): Promise<string> {
  const answer = await bridge.login("locked", "cli:owner");
  if (answer?.kind !== "open") throw new Error(`no address to open: ${JSON.stringify(answer)}`);
  return answer.url;
}

async function logIn(server: LoginServer, at: TestBridge): Promise<void> {
  const back = readPastedRedirect(await server.visit(await begin(at)));
  expect(await at.bridge.login("locked", "cli:owner", back)).toMatchObject({ kind: "done" });
}

const renewals = ({ tokens }: LoginServer) => tokens.length / 2 - 1;
const isOffered = (at: TestBridge, tool: string) => () => at.offered().includes(tool);

describe.runIf(postgresIsThere())("MCP servers of several processes on one database", () => {
  it.each([false, true])("a tool is blocked and accepted at all of them (announcements lost: %s)", async (areDeaf) => {
    const evil = makeEvilServer();
    const [one, other] = await startTwo({ evil: evil.entry }, { areDeaf });
    expect(await one.call(act, { text: "a" })).toMatchObject({ ok: true });
    // The other one has a process of its own from now on.
    await waitUntil("the first definition", isOffered(other, act));
    expect(await other.call(act, { text: "b" })).toMatchObject({ ok: true });
    evil.be({ description: "Does something else." });
    process.kill(evil.pid(), "SIGUSR2");
    await waitUntil("the quarantine", () => other.held.length === 1);
    // Its own process said nothing of it.
    const deeds = evil.deeds().length;
    expect(await one.call(act, { text: "c" })).toMatchObject({
      ok: false,
      error: expect.stringContaining("nothing was called"),
    });
    expect(evil.deeds()).toHaveLength(deeds);
    expect(one.offered()).toEqual([]);
    expect(one.held).toEqual([]);

    const tool = one.bridge.views()[0]?.tools[0];
    if (tool?.state !== "quarantined") throw new Error("it is not in quarantine");
    expect(await one.bridge.approve("evil", [tool.pendingHash], "cli:owner")).toEqual(["act"]);
    await waitUntil("the accepted definition", isOffered(other, act));
    expect(other.find(act).description.en).toContain("Does something else.");
    expect(await other.call(act, { text: "d" })).toMatchObject({ ok: true });
    expect(await listDeeds(one)).toEqual(["mcp.pinned", "mcp.quarantined", "mcp.approved"]);
  });

  it("a logout elsewhere ends a login here although new definitions were pinned here before it was noticed", async () => {
    const evil = makeEvilServer();
    const server = await startLoginServer();
    const [one, other] = await startTwo({ evil: evil.entry, locked: { url: server.url } }, { areDeaf: true });
    await logIn(server, one);
    await waitUntil("its tools at the other", isOffered(other, look));
    expect(await other.call(act, { text: "a" })).toMatchObject({ ok: true });
    expect(await one.bridge.logout("locked", "cli:owner")).toBe(true);
    evil.be({ description: "Does something else." });
    process.kill(evil.pid(), "SIGUSR2");
    await waitUntil("the quarantine", () => other.held.length === 1);
    await waitUntil(
      "the wish for a login",
      () => other.bridge.views().find(({ server: { name } }) => name === "locked")?.state === "login",
    );
    expect(isOffered(other, act)()).toBe(false);
  });

  it("a server that both forget is pinned once when both meet it again at the same moment", async () => {
    const evil = makeEvilServer();
    const two = await startTwo({ evil: evil.entry });
    const [one, other] = two;
    expect(await other.call(act, { text: "a" })).toMatchObject({ ok: true });
    expect(await one.bridge.forget("evil", "cli:owner")).toBe(true);
    await waitUntil("the end of the pins", () => other.offered().length === 0);
    await Promise.all(two.map(({ bridge }) => bridge.connect("evil", "x", AbortSignal.timeout(20_000))));
    await waitUntil("the tool at both", () => two.every((at) => isOffered(at, act)()));
    expect(await listDeeds(one)).toEqual(["mcp.pinned", "mcp.removed", "mcp.pinned"]);
  });

  it("one of two processes renews a token that both need, and both go on with it", async () => {
    const server = await startLoginServer({ expiresIn: 3600 });
    const clock = new HandClock();
    const [one, other] = await startTwo({ locked: { url: server.url } }, { clock });
    await logIn(server, one);
    await waitUntil("its tools at the other", isOffered(other, look));
    for (const round of [1, 2, 3]) {
      clock.advance(3_600_000);
      const both = await Promise.all([one.call(look, { n: round }), other.call(look, { n: -round })]);
      expect(both.map(({ ok }) => ok)).toEqual([true, true]);
      expect(renewals(server)).toBe(round);
    }
    server.revoke("access");
    const both = await Promise.all([one.call(look, { n: 4 }), other.call(look, { n: -4 })]);
    expect(both.map(({ ok }) => ok)).toEqual([true, true]);
    expect(renewals(server)).toBe(4);
  });

  it("the renewal that a dead process began is made by another one when its time is over", async () => {
    const server = await startLoginServer({ expiresIn: 3600 });
    const clock = new HandClock();
    const [one] = await startTwo({ locked: { url: server.url } }, { clock });
    await logIn(server, one);
    clock.advance(3_600_000);
    const { main } = one.store;
    const { record } = await main.selectFrom("mcp_logins").select("record").executeTakeFirstOrThrow();
    const held = { ...(JSON.parse(record) as object), renewing: { by: "dead", until: clock.now() + 30_000 } };
    await main
      .updateTable("mcp_logins")
      .set({ record: JSON.stringify(held) })
      .execute();
    const calling = one.call(look, {});
    clock.advance(30_001);
    expect(await calling).toMatchObject({ ok: true });
    expect(renewals(server)).toBe(1);
  });

  it.each([false, true])(
    "a login that was begun at one is finished at the other, works at both, and ends at both (announcements lost: %s)",
    async (areDeaf) => {
      const server = await startLoginServer();
      const [one, other] = await startTwo({ locked: { url: server.url } }, { areDeaf });
      const { code = "", state = "" } = readPastedRedirect(await server.visit(await begin(one)));
      const back = { code, state, issuer: server.origin };
      expect(await other.bridge.returnLogin(back)).toMatchObject({ kind: "done" });
      expect(await one.bridge.returnLogin(back)).toBeUndefined();
      await waitUntil("its tools at the first", isOffered(one, look));
      await waitUntil("the end of the wish for a login", () => one.bridge.views()[0]?.state !== "login");
      for (const at of [one, other]) expect(await at.call(look, {})).toMatchObject({ ok: true });

      expect(await one.bridge.logout("locked", "cli:owner")).toBe(true);
      // A call on its way would end together with the connection.
      await waitUntil("the wish for a login", () => other.bridge.views()[0]?.state === "login");
      expect(await other.call(look, {})).toMatchObject({
        ok: false,
        error: expect.stringContaining("/mcp login locked"),
      });
      expect(await other.bridge.logout("locked", "cli:owner")).toBe(false);
      expect(server.calls).toHaveLength(2);
    },
  );

  it("the command line logs in at the gateway's machine, and the worker uses the login until it is taken away", async () => {
    const server = await startLoginServer();
    const story = await startTelegramStory({
      engine: "postgres",
      files: { "mcp.json": mcpFile({ locked: { url: server.url } }) },
      script: useByWords,
    });
    await story.start({ role: "gateway" });
    await story.start({ role: "worker", environment: { KURISU_HOME: await createTemporaryFolder() } });
    story.say("/mcp");
    await story.hear(/locked  要先登录/);
    const run = async (...words: readonly string[]) => {
      const environment = { DATABASE_URL: story.folder.url ?? "" };
      const child = spawnKurisu(["mcp", ...words, "--json"], { folder: story.folder, environment });
      await child.ended();
      return JSON.parse(child.stdout()) as { readonly url?: string };
    };
    const { url = "" } = await run("login", "locked");
    expect(await run("login", "locked", await server.visit(url))).toMatchObject({ kind: "done" });
    story.say(`用 ${look} {"text":"one"}`);
    await story.hearQuestion();
    story.say("确认");
    await story.hear(/^结果是 .*what is inside/s);
    expect(await run("logout", "locked")).toMatchObject({ loggedOut: true });
    story.say(`用 ${look} {"text":"two"}`);
    await story.hearQuestion();
    story.say("确认");
    await story.hear(/\/mcp login locked/);
    expect(server.calls).toHaveLength(1);
  });
});

/** Actions of the audit that concern servers. */
async function listDeeds({ store }: TestBridge): Promise<readonly string[]> {
  const rows = await store.main.selectFrom("audit").select("action").orderBy("seq").execute();
  return rows.map(({ action }) => action).filter((action) => action.startsWith("mcp."));
}
