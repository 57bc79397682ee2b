import { describe, expect, it } from "vitest";
import { createAlarm } from "../../../src/core/schedule/alarm.ts";
import { createWakeLoop, type WakeLoop } from "../../../src/core/schedule/wake-loop.ts";
import { untilTestEnds } from "../../support/keep-until.ts";
import { waitUntil } from "../../support/wait-until.ts";

const never = 3_600_000;

function keep(loop: WakeLoop): WakeLoop {
  untilTestEnds(() => loop.stop());
  return loop;
}

describe("a wake loop", () => {
  it("looks when it is rung, and each ring resolves after a look that began later", async () => {
    let looks = 0;
    const loop = keep(createWakeLoop({ look: () => Promise.resolve(((looks += 1), never)) }));
    await loop.ring();
    expect(looks).toBe(1);
    await loop.ring();
    expect(looks).toBe(2);
  });

  it("looks once more for all rings that come while it looks, and never twice at a time", async () => {
    let looks = 0;
    const gates = [Promise.withResolvers<number>(), Promise.withResolvers<number>()];
    const loop = keep(createWakeLoop({ look: () => gates[looks++]?.promise ?? Promise.resolve(never) }));
    const first = loop.ring();
    const later = [loop.ring(), loop.ring()];
    expect(looks).toBe(1);
    gates[0]?.resolve(never);
    await first;
    await waitUntil("look 2", () => looks === 2);
    gates[1]?.resolve(never);
    await Promise.all(later);
    expect(looks).toBe(2);
  });

  it("looks by itself when the time that a look named is over, and when its alarm rings", async () => {
    let looks = 0;
    const alarm = createAlarm();
    const look = () => Promise.resolve((looks += 1) === 1 ? 1 : never);
    const loop = keep(createWakeLoop({ alarm, look }));
    await loop.ring();
    await waitUntil("look 2", () => looks === 2);
    alarm.ring();
    await waitUntil("look 3", () => looks > 2);
    expect(looks).toBe(3);
  });

  it("stop waits for the look that has begun, and a ring after it resolves without a look", async () => {
    let looks = 0;
    const gate = Promise.withResolvers<number>();
    const loop = createWakeLoop({ look: () => ((looks += 1), gate.promise) });
    const ringing = loop.ring();
    let stopped = false;
    const stopping = loop.stop().then(() => (stopped = true));
    await Promise.resolve();
    expect(stopped).toBe(false);
    gate.resolve(0);
    await Promise.all([ringing, stopping, loop.ring()]);
    expect(looks).toBe(1);
  });
});
