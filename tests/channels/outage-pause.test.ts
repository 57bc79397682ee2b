import { expect, it } from "vitest";
import { createOutagePause } from "../../src/channels/outage-pause.ts";

it("counts requests that fail beside each other as one, and waits longer each time", () => {
  let now = 1_000;
  const pause = createOutagePause(() => now);
  expect([pause.next(), pause.next(), pause.next()]).toEqual([2_000, 2_000, 2_000]);
  now += 500;
  expect(pause.next()).toBe(1_500);
  now += 1_500;
  expect(pause.next()).toBe(5_000);
  for (const expected of [10_000, 30_000, 60_000, 60_000]) {
    now += 60_000;
    expect(pause.next()).toBe(expected);
  }
  pause.over();
  expect(pause.next()).toBe(2_000);
});
