import { pino } from "pino";
import { expect, it } from "vitest";
import { createLiveWatch } from "../../src/kernel/turns/live-watch.ts";
import { createTaskViews } from "../../src/kernel/turns/live-reply.ts";
import type { TurnAtWork } from "../../src/kernel/turns/turn-at-work.ts";
import type { TurnProgress } from "../../src/kernel/agent/types.ts";

const session = "telegram:bot:7";
const progress: TurnProgress = { kind: "tool", call: { id: "1.1", name: "poke", arguments: {} }, summary: "a" };
const beginTask = (turn: string) =>
  ({ task: { parent: "turn_parent", parentCall: "1.1" }, input: {}, lease: { turn } }) as unknown as TurnAtWork;

it("late progress of a sub-agent that has ended opens no view, and a task that goes on is shown again", async () => {
  const liveWatch = createLiveWatch(pino({ level: "silent" }));
  const running = new Set<number>();
  let opened = 0;
  const views = createTaskViews(() => {
    const number = (opened += 1);
    running.add(number);
    const watched = liveWatch.begin(session, `view_${number}`, async () => ({ turn: "", text: "", tools: [] }));
    return {
      update: () => watched.changed(),
      async settle() {
        running.delete(number);
        watched.end();
      },
    };
  });
  const work = beginTask("turn_task");
  views.update(work, progress);
  expect(running.size).toBe(1);
  await views.leave(work);
  views.update(work, progress);
  expect([opened, running.size]).toEqual([1, 0]);
  const again = beginTask("turn_task");
  views.update(again, progress);
  expect(running.size).toBe(1);
  await views.leave(again);
  expect(running.size).toBe(0);
});
