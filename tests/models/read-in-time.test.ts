import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, it, vi } from "vitest";
import { readInTime } from "../../src/models/read-in-time.ts";

const limits = { firstTokenMs: 200, idleMs: 200, totalMs: 5_000 };
const calm = new AbortController().signal;
type Standing = "waiting" | "begun" | "ended";

afterEach(() => vi.restoreAllMocks());

/** Gives each piece after its pause, and never reacts to a signal by itself. */
async function* speak(pauses: readonly number[]) {
  for (const ms of pauses) {
    if (ms > 0) await sleep(ms);
    yield ms;
  }
}

interface Reading {
  readonly open?: (signal: AbortSignal) => Promise<AsyncIterable<number>>;
  readonly take?: (piece: number) => Standing;
  readonly signal?: AbortSignal;
  readonly limits?: typeof limits;
}

function read(pauses: readonly number[], more: Reading = {}) {
  const taken: number[] = [];
  let source: AbortSignal | undefined;
  const done = readInTime<number>({
    open: (signal) => {
      source = signal;
      return more.open?.(signal) ?? Promise.resolve(speak(pauses));
    },
    limits: more.limits ?? limits,
    signal: more.signal ?? calm,
    take: (piece) => {
      taken.push(piece);
      return more.take?.(piece) ?? "begun";
    },
  });
  return { done, taken, source: () => source };
}

it("an answer of many pieces, longer than each limit between two, is read whole, and its source is told the end", async () => {
  const answer = read([80, 80, 80, 80, 80]);
  await answer.done;
  expect(answer.taken).toHaveLength(5);
  expect(answer.source()?.reason).toBe("read to its end");
});

it("an answer whose pieces come at once takes one timer", async () => {
  const timers = vi.spyOn(globalThis, "setTimeout");
  await read(Array<number>(200).fill(0)).done;
  expect(timers).toHaveBeenCalledTimes(1);
});

it.each([
  { what: "before the first word", pauses: [600], words: "no first word in 200 ms", took: 200 },
  { what: "in the middle", pauses: [150, 600], words: "silent for 200 ms", took: 350 },
  { what: "at opening", words: "no first word", took: 200, open: () => new Promise<never>(() => undefined) },
])("silence $what is too slow, and its source is told to stop", async ({ pauses = [], words, took, open }) => {
  const began = performance.now();
  const answer = read(pauses, { ...(open && { open }) });
  await expect(answer.done).rejects.toThrow(words);
  expect(performance.now() - began).toBeGreaterThanOrEqual(took - 5);
  expect(answer.source()?.aborted).toBe(true);
  const { length } = answer.taken;
  await sleep(700);
  expect(answer.taken).toHaveLength(length);
});

it("an answer that goes on and on is cut at the limit of the whole", async () => {
  const slow = read(Array<number>(50).fill(20), { limits: { ...limits, totalMs: 300 } });
  await expect(slow.done).rejects.toThrow("no whole answer in 300 ms");
});

it("an answer that brings only what carries nothing is cut at the limit of the first word", async () => {
  const slow = read(Array<number>(50).fill(20), { take: () => "waiting" });
  await expect(slow.done).rejects.toThrow("no first word");
});

it("a fault or a stop behind the end of an answer takes nothing from it; one before is thrown", async () => {
  async function* breakOff() {
    yield 1;
    await sleep(1);
    throw new Error("reset");
  }
  const open = () => Promise.resolve(breakOff());
  await read([], { open, take: () => "ended" }).done;
  await expect(read([], { open }).done).rejects.toThrow("reset");
});

it("an abort is thrown at once, whatever the source does, and nothing is taken after it", async () => {
  const stop = new AbortController();
  const answer = read([0, 300, 0], { signal: stop.signal });
  await sleep(20);
  const began = performance.now();
  stop.abort(new Error("stopped by a person"));
  await expect(answer.done).rejects.toThrow("stopped by a person");
  expect(performance.now() - began).toBeLessThan(100);
  expect(answer.source()?.reason).toMatchObject({ message: "stopped by a person" });
  await sleep(400);
  expect(answer.taken).toHaveLength(1);
});

it("an abort by what is taken ends the reading with its reason", async () => {
  const stop = new AbortController();
  const take = (): Standing => {
    stop.abort(new Error("enough"));
    return "begun";
  };
  const answer = read([0, 0, 0], { signal: stop.signal, take });
  await expect(answer.done).rejects.toThrow("enough");
  expect(answer.taken).toHaveLength(1);
});

it("a signal that fired before opens nothing", async () => {
  const answer = read([0], { signal: AbortSignal.abort(new Error("too late")) });
  await expect(answer.done).rejects.toThrow("too late");
  expect(answer.source()).toBeUndefined();
});
