// full: starts workers on a Postgres database, kills one and freezes another
import { describe, expect, it } from "vitest";
import { isKept, measureQueue } from "../bench/scale/measure-queue.ts";
import { createTestDatabase, postgresIsThere } from "./support/postgres.ts";

// The whole of it: npm run bench scale.
describe.runIf(postgresIsThere())("the claim queue", () => {
  it("answers 1,200 messages once and in order while a worker is killed and another one is frozen", async () => {
    const figures = await measureQueue(await createTestDatabase(), {
      sessions: 40,
      messages: 1_200,
      workers: 2,
      maxTurns: 8,
      pauseMs: 20,
      everyMessages: 500,
      freezeMs: 16_000,
    });
    expect(figures).toMatchObject({ lost: 0, doubled: 0, reordered: 0, kills: 1, freezes: 1 });
    expect(isKept(figures)).toBe(true);
    expect(figures.sent).toBe(1_200);
    expect(figures.takeoverMs).not.toEqual([]);
  });
});
