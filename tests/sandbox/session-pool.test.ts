import { expect, it } from "vitest";
import { createSessionPool } from "../../src/sandbox/session-pool.ts";
import { HandClock } from "../support/hand-clock.ts";

it("a removal that the engine drags out is over before the pool says what runs, so that a sweep finds what was left", async () => {
  const clock = new HandClock();
  const refused = Promise.withResolvers<void>();
  const pool = createSessionPool({
    limits: () => ({ idleMs: 1_000, ageMs: 60_000, commands: 10, kept: 1 }),
    make: () => "",
    open: () => ({
      run: "run",
      opening: Promise.resolve({
        runner: {
          run: () => Promise.reject(new Error("nothing runs here")),
          state: () => ({ kind: "ready" }) as const,
        },
        explainLoss: async (reason: string) => ({ reason }),
        remove: () => refused.promise,
      }),
    }),
    clock,
  });
  await pool.warm({ session: "s", workspace: "/w", image: "sha256:1", make: "" });
  clock.advance(1_000);
  let isOver = false;
  const tended = pool.tend().then(() => (isOver = true));
  await new Promise((resolve) => setImmediate(resolve));
  expect([isOver, pool.runs()]).toEqual([false, ["run"]]);
  refused.resolve();
  await tended;
  expect(pool.runs()).toEqual([]);
});
