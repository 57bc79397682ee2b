import { describe, expect, it } from "vitest";
import { createMarkQueue } from "../../src/channels/mark-queue.ts";
import type { Mark } from "../../src/channels/types.ts";

const place = { platform: "p", account: "a", chat: "c", thread: null };

/** `refusals`: after how many milliseconds the first puts may be tried again. */
function start(pace: { readonly patienceMs: number; readonly everyMs: number }, refusals: readonly number[] = []) {
  const stopping = new AbortController();
  const put: { readonly id: string; readonly mark: Mark; readonly at: number }[] = [];
  const left = [...refusals];
  const mark = createMarkQueue({
    pace,
    signal: stopping.signal,
    put: (_, id, mark) => {
      put.push({ id, mark, at: performance.now() });
      return Promise.resolve(left.shift());
    },
  });
  return { mark: (id: string, what: Mark) => mark(place, id, what), put, stop: () => stopping.abort() };
}

describe("marks", () => {
  it("the queue never puts a mark on a message that is answered at once", async () => {
    const { mark, put } = start({ patienceMs: 60, everyMs: 0 });
    await mark("1", "seen");
    await mark("2", "seen");
    await mark("1", "done");
    await expect.poll(() => put.length).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 80));
    expect(put.map(({ id, mark }) => [id, mark])).toEqual([["2", "seen"]]);
  });

  it("the queue puts a failure mark however quick the turn was", async () => {
    const { mark, put } = start({ patienceMs: 200, everyMs: 0 });
    await mark("1", "seen");
    await mark("1", "failed");
    await expect.poll(() => put.map(({ mark }) => mark)).toEqual(["failed"]);
  });

  it("keep their distance, and wait as long as they are told", async () => {
    const { mark, put } = start({ patienceMs: 0, everyMs: 40 }, [90]);
    await mark("1", "seen");
    await expect.poll(() => put.length).toBe(1);
    await mark("1", "done");
    await mark("2", "seen");
    await expect.poll(() => put.length).toBe(3);
    // The first was not taken; what came meanwhile stands for it.
    expect(put.map(({ id, mark }) => `${id} ${mark}`)).toEqual(["1 seen", "1 done", "2 seen"]);
    expect((put[1]?.at ?? 0) - (put[0]?.at ?? 0)).toBeGreaterThan(85);
    expect((put[2]?.at ?? 0) - (put[1]?.at ?? 0)).toBeGreaterThan(35);
  });

  it("the queue gives a mark up after a few tries, and all marks at a stop", async () => {
    const { mark, put, stop } = start(
      { patienceMs: 0, everyMs: 0 },
      Array.from({ length: 20 }, () => 1),
    );
    await mark("1", "seen");
    await expect.poll(() => put.length).toBe(10);
    stop();
    await mark("2", "seen");
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(put).toHaveLength(10);
  });
});
