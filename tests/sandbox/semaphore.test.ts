// quick: reads and writes no container
import { describe, expect, it } from "vitest";
import { createSemaphore } from "../../src/core/semaphore.ts";

const never = new AbortController().signal;

describe("the semaphore", () => {
  it("lets in as many as there are places, and the others in order", async () => {
    const semaphore = createSemaphore(2);
    const order: string[] = [];
    const first = await semaphore.acquire(never);
    await semaphore.acquire(never);
    const third = semaphore.acquire(never).then((release) => (order.push("third"), release));
    const fourth = semaphore.acquire(never).then((release) => (order.push("fourth"), release));
    expect(order).toEqual([]);
    first?.();
    const release = await third;
    expect(order).toEqual(["third"]);
    release?.();
    await fourth;
    expect(order).toEqual(["third", "fourth"]);
  });

  it("gives a place back once, however often it is asked to", async () => {
    const semaphore = createSemaphore(1);
    const release = await semaphore.acquire(never);
    release?.();
    release?.();
    await semaphore.acquire(never);
    const stop = new AbortController();
    const waiting = semaphore.acquire(stop.signal);
    stop.abort();
    expect(await waiting).toBeUndefined();
  });

  it("lets go of who no longer waits, and keeps the place for the next", async () => {
    const semaphore = createSemaphore(1);
    const release = await semaphore.acquire(never);
    const stop = new AbortController();
    const impatient = semaphore.acquire(stop.signal);
    const patient = semaphore.acquire(never);
    stop.abort();
    expect(await impatient).toBeUndefined();
    release?.();
    expect(await patient).toBeTypeOf("function");
    expect(await semaphore.acquire(AbortSignal.abort())).toBeUndefined();
  });
});
