import { getEventListeners } from "node:events";
import { expect, it } from "vitest";
import { raceAbort, sleep } from "../../src/core/abort.ts";

const reason = new Error("enough");

it("sleep answers whether the time went by", async () => {
  const stop = new AbortController();
  expect(await sleep(1)).toBe(true);
  expect(await sleep(1, stop.signal)).toBe(true);
  const waiting = sleep(60_000, stop.signal);
  stop.abort(reason);
  expect(await waiting).toBe(false);
  expect(await sleep(60_000, stop.signal)).toBe(false);
  expect(getEventListeners(stop.signal, "abort")).toEqual([]);
});

it("raceAbort answers what the work comes to, and leaves no listener behind", async () => {
  const { signal } = new AbortController();
  expect(await raceAbort(Promise.resolve("done"), signal)).toBe("done");
  await expect(raceAbort(Promise.reject(reason), signal)).rejects.toBe(reason);
  expect(getEventListeners(signal, "abort")).toEqual([]);
});

it("raceAbort rejects with the reason when the signal fires, before or while it waits, whatever the work does later", async () => {
  const stop = new AbortController();
  const work = Promise.withResolvers<string>();
  const raced = raceAbort(work.promise, stop.signal);
  stop.abort(reason);
  await expect(raced).rejects.toBe(reason);
  await expect(raceAbort(Promise.resolve("done"), stop.signal)).rejects.toBe(reason);
  await expect(raceAbort(Promise.reject(new Error("late")), stop.signal)).rejects.toBe(reason);
  work.reject(new Error("late, too"));
  expect(getEventListeners(stop.signal, "abort")).toEqual([]);
});
