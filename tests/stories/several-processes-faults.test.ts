// full: several starts of the program on one Postgres database, which is restarted and cut off
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { lookIntoStore } from "../support/kurisu-process/look-into-store.ts";
import { answerSlowly, numberIn, openNodes, people } from "../support/kurisu-process/open-nodes.ts";
import { callTools, lastWords, type ModelScript, resultsOfThisTurn } from "../support/kurisu-process/scripted-model.ts";
import { testLimitMs } from "../support/patience.ts";
import { findPostgresPrograms, runOnServer, startPostgresServer } from "../support/postgres-server.ts";
import { openPostgresProxy } from "../support/postgres-proxy.ts";
import { postgresIsThere } from "../support/postgres.ts";
import { waitUntil } from "../support/wait-until.ts";
import { startSite } from "../support/web-server.ts";

const frozenMs = 30_000;
const loss = "a claim was lost";
const waiting = "waits for a sign of life";
const writes = /^(?:insert|update|delete)\b/i;

/** A fixed course of pseudo-random numbers below a bound. */
function createRandom(seed: number): (bound: number) => number {
  let state = seed;
  return (bound) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * bound);
  };
}

describe.runIf(postgresIsThere())("several processes on one database", () => {
  it(
    "all messages are answered once and in order when the database is restarted in the middle of turns, and no process loses a claim",
    { timeout: 2 * testLimitMs },
    async () => {
      const server = await startPostgresServer(findPostgresPrograms() ?? "", { fsync: false });
      onTestFinished(() => server.dispose());
      const { hearAll, sayAll, start, story } = await openNodes({ url: server.url });
      const nodes = [await start("gateway"), await start("worker"), await start("worker")];
      sayAll(1, 2);
      await waitUntil("turns of both workers", () => story.model.requests.length >= people.length);
      await server.stop("immediate");
      sayAll(3);
      await server.start();
      nodes.push(await start("worker"));
      sayAll(4);
      await hearAll(1, 2, 3, 4);
      await story.quiet();
      for (const node of nodes) {
        expect(node.stderr()).not.toContain(loss);
        expect((await node.stop()).code).toBe(0);
      }
    },
  );

  it(
    "all messages are answered once and in order while connections of both workers are cut in a COMMIT",
    { timeout: 2 * testLimitMs },
    async () => {
      const { hearAll, sayAll, start, story } = await openNodes();
      const proxy = await openPostgresProxy(story.folder.url ?? "");
      const nodes = [await start("gateway")];
      for (const _ of ["first", "second"]) nodes.push(await start("worker", { DATABASE_URL: proxy.url }));
      const random = createRandom(11);
      for (const number of [1, 2, 3, 4]) {
        sayAll(number);
        for (let cut = 0; cut < 5; cut += 1) {
          await proxy.cutCommit(random(2) === 0 ? "before" : "after", writes);
          await pause(random(300));
        }
      }
      await hearAll(1, 2, 3, 4);
      await story.quiet();
      for (const node of nodes) expect((await node.stop()).code).toBe(0);
    },
  );

  it(
    "each call happens once when a worker freezes in the middle of its calls, and all that it writes when it wakes is refused",
    { timeout: 2 * testLimitMs },
    async () => {
      const rung: string[] = [];
      let isSlow = false;
      const bell = await startSite((request, response) => {
        rung.push(request.url ?? "");
        setTimeout(() => response.setHeader("content-type", "application/json").end("{}"), isSlow ? 3_000 : 0);
      });
      const tool = {
        description: "Rings.",
        endpoint: `${bell.origin}/{who}/{which}`,
        method: "POST",
        level: "safe",
        arguments: { who: { description: "Who." }, which: { description: "Which." } },
      };
      const script: ModelScript = (request) => {
        const number = numberIn(lastWords(request));
        // The result is text of a stranger, so a second round of calls would need an approval.
        if (number !== "2" || resultsOfThisTurn(request).length > 0) return answerSlowly(request);
        const who = /冈部(5\d{3})/.exec(JSON.stringify(request.messages))?.[1] ?? "?";
        return callTools(...["first", "second"].map((which) => ({ name: "ring", arguments: { who, which } })));
      };
      const { hearAll, sayAll, start, story } = await openNodes({
        script,
        files: { "system/tools.yaml": JSON.stringify({ http: { ring: tool } }) },
      });
      const gateway = await start("gateway");
      const frozen = await start("worker");
      sayAll(1);
      await hearAll(1);
      isSlow = true;
      sayAll(2);
      await waitUntil("calls of the worker", () => rung.length === people.length);
      frozen.kill("SIGSTOP");
      const thaw = pause(frozenMs);
      const other = await start("worker");
      isSlow = false;
      sayAll(3);
      await thaw;
      frozen.kill("SIGCONT");
      await hearAll(1, 2, 3);
      const records = (action: string, call: string) =>
        lookIntoStore(story.folder, `select turn from audit where action = '${action}' and call = '${call}'`);
      // The first call is unknown to the new holder, and once more to the late one; the second is done by the former alone.
      await waitUntil("the refusals", async () => (await records("tool.denied", "1.2")).length >= people.length);
      expect(await records("tool.unknown", "1.1")).toHaveLength(2 * people.length);
      const ledger = await lookIntoStore(story.folder, "select call, state from tool_ledger order by call");
      expect(ledger.map(({ call, state }) => `${call} ${state}`)).toEqual([
        ...people.map(() => "1.1 started"),
        ...people.map(() => "1.2 done"),
      ]);
      const wanted = people.flatMap((id) => [`/${id}/first`, `/${id}/second`]);
      expect(rung.toSorted()).toEqual(wanted);
      await story.quiet();
      for (const node of [gateway, frozen, other]) expect((await node.stop()).code).toBe(0);
    },
  );

  it(
    "no message is lost or doubled when each worker is stopped and started again in the middle of turns",
    { timeout: 2 * testLimitMs },
    async () => {
      const { hearAll, sayAll, start, story } = await openNodes();
      const gateway = await start("gateway");
      const workers = [await start("worker"), await start("worker")];
      for (const [index, worker] of workers.entries()) {
        sayAll(3 * index + 1, 3 * index + 2);
        const asked = story.model.requests.length;
        await waitUntil("turns of both workers", () => story.model.requests.length >= asked + people.length);
        const ended = worker.stop();
        sayAll(3 * index + 3);
        expect((await ended).code).toBe(0);
        workers[index] = await start("worker");
      }
      await hearAll(1, 2, 3, 4, 5, 6);
      await story.quiet();
      // A stopped worker hands its chats over at once; the other one does not wait for its silence.
      for (const { url } of workers)
        expect(await (await fetch(`${url}/metrics`)).text()).toContain(
          'kurisu_claims_taken_total{after_silence="true"} 0\n',
        );
      for (const node of [gateway, ...workers]) expect((await node.stop()).code).toBe(0);
    },
  );

  it("a start waits for a process whose last sign of life is young, but not for its own predecessor in the folder", async () => {
    const { hearAll, sayAll, start, story } = await openNodes();
    const home = { KURISU_HOME: story.folder.home };
    const killed = await start("all", home);
    sayAll(1);
    await hearAll(1);
    await killed.crash();
    const successor = await start("all", home);
    expect(successor.stderr()).not.toContain(waiting);
    sayAll(2);
    await hearAll(1, 2);
    await successor.crash();
    const stranger = await start("all");
    expect(stranger.stderr()).toContain(waiting);
    sayAll(3);
    await hearAll(1, 2, 3);
    await story.quiet();
    expect((await stranger.stop()).code).toBe(0);
  });

  it("a process goes on when a start of an older version is refused on tables that a newer one has changed", async () => {
    const { hearAll, sayAll, start, story } = await openNodes();
    const node = await start("all");
    const ledger = "select name from kurisu_migrations order by name";
    await runOnServer(
      story.folder.url ?? "",
      "insert into kurisu_migrations (name, timestamp) values ('9999-of-tomorrow', '2030-01-01T00:00:00.000Z')",
    );
    const before = await lookIntoStore(story.folder, ledger);
    const older = await story.tryStart({ role: "worker" });
    expect(older).toMatchObject({ kind: "ended", exit: { code: 69 } });
    const said = older.kind === "ended" ? older.process.stderr() : "";
    expect(said).toMatch(/newer Kurisu.*Install that version/);
    expect(await lookIntoStore(story.folder, ledger)).toEqual(before);
    sayAll(1);
    await hearAll(1);
    await story.quiet();
    expect((await node.stop()).code).toBe(0);
  });
});
