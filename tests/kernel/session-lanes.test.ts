import { AsyncLocalStorage } from "node:async_hooks";
import * as fc from "fast-check";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { createSessionLanes } from "../../src/kernel/lanes/session-lanes.ts";
import { Gate } from "../support/gate.ts";

interface Job {
  readonly session: string;
  readonly name: string;
}

function createLanes(work: (job: Job, signal: AbortSignal) => Promise<void>, concurrency = 4) {
  const faults: unknown[] = [];
  const lanes = createSessionLanes<Job>({
    concurrency: () => concurrency,
    work: (...given) => work(...given).then(() => "ended"),
    onFault: (error) => faults.push(error),
    retryMs: 5,
  });
  return { faults, lanes, push: (session: string, name: string) => lanes.push(session, { session, name }) };
}

async function until(condition: () => boolean): Promise<void> {
  for (let tries = 0; !condition(); tries += 1) {
    if (tries > 2_000) throw new Error("it never came");
    await sleep(1);
  }
}

describe("createSessionLanes", () => {
  it("createSessionLanes does one job of a session at a time, in order, and other sessions' jobs beside it", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ session: fc.constantFrom("a", "b", "c"), pause: fc.nat(3) }), { maxLength: 20 }),
        async (jobs) => {
          const running = new Set<string>();
          const order: string[] = [];
          let most = 0;
          const { push, lanes } = createLanes(async ({ session, name }) => {
            if (running.has(session)) throw new Error("two at once");
            running.add(session);
            most = Math.max(most, running.size);
            await sleep(jobs[Number(name)]?.pause ?? 0);
            order.push(name);
            running.delete(session);
          }, 2);
          for (const [index, { session }] of jobs.entries()) push(session, `${index}`);
          await until(() => order.length === jobs.length);
          for (const session of ["a", "b", "c"]) {
            const mine = order.map(Number).filter((index) => jobs[index]?.session === session);
            expect(mine).toEqual(mine.toSorted((a, b) => a - b));
          }
          expect(most).toBeLessThanOrEqual(2);
          await lanes.drain(1_000);
        },
      ),
      { numRuns: 30 },
    );
  });

  it("createSessionLanes retries a failed job before the next one of its session", async () => {
    const done: string[] = [];
    let failures = 2;
    const { push, faults, lanes } = createLanes(async ({ name }) => {
      await sleep(0);
      if (name === "1" && failures > 0) {
        failures -= 1;
        throw new Error("the disk is full");
      }
      done.push(name);
    });
    push("a", "1");
    push("a", "2");
    await until(() => done.length === 2);
    expect(done).toEqual(["1", "2"]);
    expect(faults).toHaveLength(2);
    await lanes.drain(1_000);
  });

  it("begins a job outside of the asynchronous context of whoever pushed it", async () => {
    const context = new AsyncLocalStorage<string>();
    const seen: unknown[] = [];
    const { push, lanes } = createLanes(async () => {
      await sleep(0);
      seen.push(context.getStore());
    });
    context.run("a turn of thought", () => push("a", "1"));
    context.run("a turn of thought", () => push("a", "2"));
    await until(() => seen.length === 2);
    expect(seen).toEqual([undefined, undefined]);
    await lanes.drain(1_000);
  });

  it("aborts what runs in one session and goes on with the next job", async () => {
    const gate = new Gate();
    const reasons: unknown[] = [];
    const done: string[] = [];
    const { push, lanes } = createLanes(async ({ name }, signal) => {
      if (name === "stuck") await gate.pass(signal).catch((error: unknown) => reasons.push((error as Error).message));
      done.push(name);
    });
    expect(lanes.abort("a")).toBe(false);
    push("a", "stuck");
    push("a", "next");
    await until(() => gate.waiting === 1);
    expect([lanes.isBusy("a"), lanes.isBusy("b"), lanes.abort("b"), lanes.abort("a")]).toEqual([
      true,
      false,
      false,
      true,
    ]);
    await until(() => done.length === 2);
    expect(reasons).toEqual(["stopped"]);
    expect(lanes.isBusy("a")).toBe(false);
    await lanes.drain(1_000);
  });

  it("drains: what runs may end, what waits stays, and after the grace it is aborted", async () => {
    const gate = new Gate();
    const done: string[] = [];
    const { push, lanes } = createLanes(async ({ name }, signal) => {
      await gate.pass(signal).catch((error: unknown) => done.push((error as Error).message));
      done.push(name);
    }, 1);
    push("a", "running");
    push("a", "waiting");
    push("b", "waiting too");
    await until(() => gate.waiting === 1);
    const draining = lanes.drain(20);
    push("c", "too late");
    await draining;
    expect(done).toEqual(["shutting down", "running"]);
    gate.open();
    await sleep(5);
    expect(done).toEqual(["shutting down", "running"]);
  });

  it("a waiting job holds up only those behind it, and is done again when it is woken or stopped", async () => {
    const done: string[] = [];
    let isDown = true;
    const lanes = createSessionLanes<string>({
      concurrency: () => 1,
      work: async (name, signal) => {
        if (isDown && name.startsWith("a") && !signal.aborted) return "waiting";
        done.push(signal.aborted ? `${name} stopped` : name);
        return "ended";
      },
      onFault: () => undefined,
      retryMs: 5,
    });
    for (const name of ["a1", "a2"]) lanes.push("a", name);
    lanes.push("b", "b1");
    await until(() => done.length === 1);
    expect([done, lanes.isBusy("a"), lanes.isBusy("b")]).toEqual([["b1"], true, false]);
    expect(lanes.abort("a", (name) => name === "a2")).toBe(false);
    expect(lanes.abort("a")).toBe(true);
    await until(() => done.length === 2);
    await sleep(5);
    isDown = false;
    lanes.wake("a");
    await until(() => done.length === 3);
    expect(done).toEqual(["b1", "a1 stopped", "a2"]);
    lanes.wake("a");
    isDown = true;
    lanes.push("a", "a3");
    await sleep(5);
    await lanes.drain(1_000);
    expect(done).toHaveLength(3);
  });

  it("a job that is woken just before it waits is done again at once", async () => {
    const done: string[] = [];
    const gate = new Gate();
    let isDown = true;
    const lanes = createSessionLanes<string>({
      concurrency: () => 1,
      work: async (name, signal) => {
        if (isDown) {
          await gate.pass(signal);
          return "waiting";
        }
        done.push(name);
        return "ended";
      },
      onFault: () => undefined,
      retryMs: 5,
    });
    for (const name of ["a1", "a2"]) lanes.push("a", name);
    await until(() => gate.waiting === 1);
    isDown = false;
    lanes.wake("a");
    gate.open();
    await until(() => done.length === 2);
    expect(done).toEqual(["a1", "a2"]);
    await lanes.drain(1_000);
  });

  it("a job woken while all places are taken stays the current one, can be stopped, and goes first", async () => {
    const gate = new Gate();
    const done: string[] = [];
    let isDown = true;
    const lanes = createSessionLanes<string>({
      concurrency: () => 1,
      work: async (name, signal) => {
        if (isDown && name === "a1") return "waiting";
        if (name.startsWith("b")) await gate.pass(signal);
        done.push(signal.aborted ? `${name} stopped` : name);
        return "ended";
      },
      onFault: () => undefined,
      retryMs: 5,
    });
    for (const name of ["a1", "a2"]) lanes.push("a", name);
    await until(() => lanes.findCurrent("a")?.isHeld === true);
    lanes.push("b", "b1");
    await until(() => gate.waiting === 1);
    isDown = false;
    lanes.wake("a");
    lanes.wake("a");
    await sleep(5);
    expect([done, lanes.isBusy("a"), lanes.findCurrent("a")]).toEqual([[], true, { job: "a1", isHeld: true }]);
    expect(lanes.abort("a", (name) => name === "a2")).toBe(false);
    // It takes nobody's place: it only writes down that it was stopped.
    expect(lanes.abort("a", (name) => name === "a1")).toBe(true);
    await until(() => done.length === 1);
    gate.open();
    await until(() => done.length === 3);
    expect(done).toEqual(["a1 stopped", "b1", "a2"]);
    await lanes.drain(1_000);
  });

  it.each([
    ["background jobs", { background: true }, { backgroundLimit: 2 }],
    ["jobs of one requester", { requester: "alice" }, { perUserLimit: () => 2 }],
  ])("runs no more %s at once than its limit, and others beside them", async (_, about, limit) => {
    const gate = new Gate();
    const begun: string[] = [];
    const lanes = createSessionLanes<string>({
      concurrency: () => 4,
      ...limit,
      work: async (name, signal) => {
        begun.push(name);
        await gate.pass(signal);
        return "ended";
      },
      onFault: () => undefined,
      retryMs: 5,
    });
    for (const name of ["a", "b", "c"]) lanes.push(name, name, about);
    lanes.push("d", "d", { requester: "bob" });
    lanes.push("e", "e");
    await until(() => gate.waiting === 4);
    expect(begun).toEqual(["a", "b", "d", "e"]);
    gate.open();
    await until(() => begun.length === 5);
    await lanes.drain(1_000);
  });
});
