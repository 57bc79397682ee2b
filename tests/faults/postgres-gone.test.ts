import { describe, expect, it, onTestFinished } from "vitest";
import { isStoreFault } from "../../src/store/engines/is-store-fault.ts";
import { untilTestEnds } from "../support/keep-until.ts";
import { makeMessage } from "../support/fake-channel.ts";
import { codeOf, pressOf, TestGateway } from "../support/gateway.ts";
import { findPostgresPrograms, startPostgresServer } from "../support/postgres-server.ts";
import { createDatabaseUntil, postgresIsThere } from "../support/postgres.ts";
import { openPostgresProxy, type CutPlace, type PostgresProxy } from "../support/postgres-proxy.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";

const accepting = [/insert into "sessions"/, /insert into "inbox"/];
const deciding = [/update "questions" set "state"/, /insert into "inbox"/];
const beginning = [/insert into "turns"/];
const ending = [/update "turns" set "state"/, /insert into "outbox"/];
const forking = [/insert into "branches"/, /update "inbox" set "state"/];
const finishing = [/update "outbox" set "sent_parts"/];

async function startBehindProxy(): Promise<{ kurisu: TestGateway; proxy: PostgresProxy }> {
  const proxy = await openPostgresProxy(await createDatabaseUntil(untilTestEnds));
  const kurisu = new TestGateway({ place: { home: await createTemporaryFolder(), url: proxy.url }, retryMs: 50 });
  onTestFinished(() => kurisu.dispose());
  await kurisu.start();
  return { kurisu, proxy };
}

/** Takes the faults that the cut must leave; each is one of the store, and there is at least one. */
function takeFaults(kurisu: TestGateway): void {
  const faults = kurisu.faults
    .splice(0)
    .map((line) => JSON.parse(line) as { err?: { code?: string; message: string } });
  expect(faults.length).toBeGreaterThan(0);
  for (const { err } of faults) expect(err?.message).toMatch(/Connection terminated|connection error|ECONNRE/);
}

const replies = (kurisu: TestGateway) => kurisu.channel.sent.filter((sent) => sent.message.kind === "reply").length;
const countRows = async (kurisu: TestGateway, table: "inbox" | "outbox" | "messages" | "turns") =>
  (await kurisu.store.main.selectFrom(table).select("session").execute()).length;

describe.runIf(postgresIsThere())("the connection is cut", () => {
  const places: readonly CutPlace[] = ["before", "after"];

  it.each(places)(
    "%s the commit that accepts a message: the platform sends it again, and it is answered once",
    async (where) => {
      const { kurisu, proxy } = await startBehindProxy();
      const cut = proxy.cutCommit(where, ...accepting);
      const event = makeMessage("在吗");
      await expect(kurisu.channel.deliver(event)).rejects.toSatisfy(isStoreFault);
      await cut;
      await kurisu.channel.deliver(event);
      await kurisu.until(() => replies(kurisu) === 1);
      await kurisu.settle();
      expect(replies(kurisu)).toBe(1);
      expect([await countRows(kurisu, "inbox"), await countRows(kurisu, "turns")]).toEqual([1, 1]);
      expect(kurisu.faults).toEqual([]);
    },
  );

  it("a message is answered when the cut follows its commit and the platform never sends it again", async () => {
    const { kurisu, proxy } = await startBehindProxy();
    const cut = proxy.cutCommit("after", ...accepting);
    await expect(kurisu.channel.deliver(makeMessage("在吗"))).rejects.toSatisfy(isStoreFault);
    await cut;
    await kurisu.until(() => replies(kurisu) === 1);
    await kurisu.settle();
    expect(kurisu.faults).toEqual([]);
  });

  it.each(places)(
    "%s the commit of a /dmail: the past is changed once, and its message answered once",
    async (where) => {
      const { kurisu, proxy } = await startBehindProxy();
      await kurisu.say("一");
      await kurisu.say("二");
      const cut = proxy.cutCommit(where, ...forking);
      await kurisu.channel.deliver(makeMessage("/dmail 0 三"));
      await cut;
      await kurisu.until(() => replies(kurisu) === 3);
      await kurisu.settle();
      expect(kurisu.channel.sent.slice(2).map(({ text }) => text.slice(0, 12))).toEqual([
        "D-Mail 已送达。世",
        "听到了，你说的是：三",
      ]);
      expect(await kurisu.store.main.selectFrom("branches").select("number").execute()).toHaveLength(2);
      takeFaults(kurisu);
    },
  );

  describe.each(places)("%s the commit", (where) => {
    it("a decision in words is carried out once", async () => {
      const { kurisu, proxy } = await startBehindProxy();
      await kurisu.say("poke a");
      const cut = proxy.cutCommit(where, ...deciding);
      await kurisu.channel.deliver(makeMessage("确认"));
      await cut;
      await kurisu.until(() => kurisu.did().length > 0);
      await kurisu.settle();
      expect(kurisu.did()).toEqual(["a"]);
      expect(await kurisu.questions()).toEqual([]);
      // Nobody is told that the question was closed before they answered.
      expect(kurisu.channel.sent.map((sent) => sent.message.kind)).toEqual(["question", "reply"]);
      takeFaults(kurisu);
    });

    it("a decision by a button is carried out once", async () => {
      const { kurisu, proxy } = await startBehindProxy();
      await kurisu.say("poke a");
      const cut = proxy.cutCommit(where, ...deciding);
      await kurisu.channel.deliver(pressOf(kurisu.lastPrompt(), "approve"));
      await cut;
      await kurisu.until(() => kurisu.did().length > 0);
      await kurisu.settle();
      expect(kurisu.did()).toEqual(["a"]);
      expect(replies(kurisu)).toBe(1);
      takeFaults(kurisu);
    });

    it("a decision by command is carried out without a restart", async () => {
      const { kurisu, proxy } = await startBehindProxy();
      await kurisu.say("poke a");
      const code = codeOf(kurisu.lastPrompt());
      const cut = proxy.cutCommit(where, ...deciding);
      await expect(kurisu.gateway.decide(code, "approved", "cli:owner")).rejects.toSatisfy(isStoreFault);
      await cut;
      if (where === "before") await kurisu.gateway.decide(code, "approved", "cli:owner");
      await kurisu.until(() => kurisu.did().length > 0);
      await kurisu.settle();
      expect(kurisu.did()).toEqual(["a"]);
    });

    it("a cut when a turn begins and when it ends leaves one turn and one reply", async () => {
      const { kurisu, proxy } = await startBehindProxy();
      const first = proxy.cutCommit(where, ...beginning);
      await kurisu.channel.deliver(makeMessage("在吗"));
      await first;
      const second = proxy.cutCommit(where, ...ending);
      await second;
      await kurisu.until(() => replies(kurisu) > 0);
      await kurisu.settle();
      expect(replies(kurisu)).toBe(1);
      expect([await countRows(kurisu, "turns"), await countRows(kurisu, "messages")]).toEqual([1, 2]);
      takeFaults(kurisu);
    });

    it("a cut when a message is recorded as sent does not send it twice", async () => {
      const { kurisu, proxy } = await startBehindProxy();
      const cut = proxy.cutCommit(where, ...finishing);
      await kurisu.channel.deliver(makeMessage("在吗"));
      await cut;
      await kurisu.settle();
      expect(replies(kurisu)).toBe(1);
      takeFaults(kurisu);
      // The prompt of a question too; and the answer to it counts afterwards.
      const again = proxy.cutCommit(where, ...finishing);
      await kurisu.channel.deliver(makeMessage("poke a"));
      await again;
      await kurisu.settle();
      expect(kurisu.prompts()).toHaveLength(1);
      await kurisu.say("确认");
      expect(kurisu.did()).toEqual(["a"]);
      takeFaults(kurisu);
    });
  });

  it.each<[CutPlace, string, RegExp, readonly string[]]>([
    ["before", "begun", /insert into "tool_ledger"/, ["a"]],
    // It is written that the call began, so nobody may run it now.
    ["after", "begun", /insert into "tool_ledger"/, []],
    ["before", "done", /update "tool_ledger"/, ["a"]],
    ["after", "done", /update "tool_ledger"/, ["a"]],
  ])(
    "%s the commit that a call has %s: the turn goes on, and the call ran at most once",
    async (where, _what, mark, did) => {
      const { kurisu, proxy } = await startBehindProxy();
      await kurisu.say("poke a");
      const cut = proxy.cutCommit(where, mark);
      await kurisu.channel.deliver(makeMessage("确认"));
      await cut;
      await kurisu.until(() => replies(kurisu) > 0);
      await kurisu.settle();
      expect(kurisu.did()).toEqual(did);
      expect(kurisu.channel.sent.map((sent) => sent.message.kind)).toEqual(["question", "reply"]);
      takeFaults(kurisu);
    },
  );

  it("the next message finds a new connection when the cut comes while nothing happens", async () => {
    const { kurisu, proxy } = await startBehindProxy();
    await kurisu.say("在吗");
    proxy.cutAll();
    const look = () => kurisu.store.main.selectFrom("inbox").select("id").execute();
    // So many at once that each connection of the pool is tried, and a dead one is found.
    await kurisu.until(() =>
      Promise.all(Array.from({ length: 30 }, look)).then(
        () => true,
        () => false,
      ),
    );
    // The first turn may still have looked at something when it was cut.
    kurisu.faults.splice(0);
    await kurisu.say("还在吗");
    expect(replies(kurisu)).toBe(2);
    expect(kurisu.faults).toEqual([]);
  });
});

const programs = findPostgresPrograms();

it.runIf(postgresIsThere() && programs !== undefined)(
  "the server is restarted while nothing happens, and while a question is open: nothing is lost or done twice",
  async () => {
    const server = await startPostgresServer(programs ?? "", { fsync: false });
    onTestFinished(() => server.dispose());
    const kurisu = new TestGateway({ place: { home: await createTemporaryFolder(), url: server.url } });
    onTestFinished(() => kurisu.dispose());
    await kurisu.start();
    await kurisu.say("poke a");
    await server.stop();
    await expect(kurisu.channel.deliver(makeMessage("确认"))).rejects.toSatisfy(isStoreFault);
    await server.start();
    await kurisu.say("确认");
    expect(kurisu.did()).toEqual(["a"]);
    expect(replies(kurisu)).toBe(1);
    await server.stop("immediate");
    await server.start();
    await kurisu.say("在吗");
    expect(replies(kurisu)).toBe(2);
    kurisu.faults.splice(0);
  },
);
