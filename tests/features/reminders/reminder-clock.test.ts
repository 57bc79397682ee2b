import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createLog } from "../../../src/core/log.ts";
import { loadPersona } from "../../../src/core/persona/load-persona.ts";
import { createReminderClock } from "../../../src/features/reminders/reminder-clock.ts";
import type { Store } from "../../../src/store/open-store.ts";
import { openStore } from "../../support/open-store.ts";
import type { InboxItem } from "../../../src/store/queries/inbox.ts";
import { createPersonaWrapper } from "../../../src/kernel/tools/persona-wrapper.ts";
import { findReminder, insertReminder } from "../../../src/features/reminders/queries/reminders.ts";
import { HandClock } from "../../support/hand-clock.ts";
import { untilTestEnds } from "../../support/keep-until.ts";
import { createStorePlace, listEngines } from "../../support/store-engines.ts";
import { addSession, openTestStore } from "../../support/test-store.ts";
import { waitUntil } from "../../support/wait-until.ts";

const hourMs = 3_600_000;
const loaded = loadPersona(join(import.meta.dirname, "../../../config/personas/default"), {});
if (loaded.kind === "faulty") throw new Error("the shipped persona must load");
const { persona } = loaded;

describe.each(listEngines())("the clock of reminders on %s:", (engine) => {
  const setReminder = ({ main }: Store, id: string, due: number, everyMs?: number) =>
    insertReminder(main, {
      id,
      person: "fake:alice",
      name: "alice",
      session: "s",
      text: `喝水 ${id}`,
      task: false,
      schedule: everyMs === undefined ? { kind: "once", at: due } : { kind: "every", everyMs, from: due },
      zone: "UTC",
      language: "zh",
      taint: "user",
      sources: [],
      nextDue: due,
      now: 0,
    });

  /** A machine whose timers end when the test says so, whatever the wall clock did meanwhile. */
  function startClock(store: Store, clock: HandClock) {
    const fired: InboxItem[] = [];
    const waits: number[] = [];
    const faults: unknown[] = [];
    let timer = Promise.withResolvers<boolean>();
    const reminders = createReminderClock({
      store,
      clock,
      alarm: {
        ring: () => timer.resolve(true),
        async wait(milliseconds, signal) {
          waits.push(milliseconds);
          const ended = new Promise<boolean>((resolve) =>
            signal.addEventListener("abort", () => resolve(false), { once: true }),
          );
          return Promise.race([timer.promise, ended]);
        },
      },
      take: (item) => void fired.push(item),
      onFault: (error) => faults.push(error),
      retryMs: 5,
      wakeOutbox: () => undefined,
      voice: () => createPersonaWrapper(persona),
      scrub: String,
      zone: () => "UTC",
      log: createLog({ level: "silent", secrets: [] }),
    });
    reminders.start();
    untilTestEnds(() => reminders.stop());
    const tick = () => {
      const now = timer;
      timer = Promise.withResolvers();
      now.resolve(false);
    };
    return { fired, waits, faults, tick };
  }

  it("a machine that slept over the time is late by one short wait at most, and tells it once", async () => {
    const clock = new HandClock();
    const store = await openTestStore(await createStorePlace(engine));
    await addSession(store, "s");
    const due = clock.now() + 2 * hourMs;
    await setReminder(store, "once", due);
    await setReminder(store, "often", due, hourMs);
    const { fired, waits, tick } = startClock(store, clock);
    await waitUntil("the first wait", () => waits.length === 1);
    // A timer that is set for the whole time would go on standing still by as much as the machine slept.
    expect(waits[0]).toBeLessThanOrEqual(20_000);
    clock.advance(9 * hourMs);
    tick();
    await waitUntil("the waits after it", () => waits.length === 2);
    const jobs = fired.map(({ payload }) => JSON.parse(payload) as { due: number; firedAt: number; missed: number });
    jobs.sort((one, next) => one.missed - next.missed);
    expect(jobs.map(({ due: at, firedAt, missed }) => [at, firedAt - at, missed])).toEqual([
      [due, 7 * hourMs, 0],
      [due, 7 * hourMs, 7],
    ]);
    tick();
    await waitUntil("one more wait", () => waits.length === 3);
    expect(fired).toHaveLength(2);
    expect(await findReminder(store.main, "often")).toMatchObject({ nextDue: due + 8 * hourMs });
  });

  it("a clock that is put back fires nothing a second time", async () => {
    const clock = new HandClock();
    const store = await openTestStore(await createStorePlace(engine));
    await addSession(store, "s");
    await setReminder(store, "once", clock.now() - 1);
    const { fired, waits, tick } = startClock(store, clock);
    await waitUntil("the reminder", () => fired.length === 1 && waits.length === 1);
    clock.advance(-5 * hourMs);
    tick();
    await waitUntil("the next wait", () => waits.length === 2);
    clock.advance(6 * hourMs);
    tick();
    await waitUntil("the last wait", () => waits.length === 3);
    expect(fired).toHaveLength(1);
  });

  // A data folder takes one process only (store/lock-data-folder); on a server a lost lock can leave two for a moment.
  it.runIf(engine === "postgres")("two processes that look at once share what is due, each of it once", async () => {
    const clock = new HandClock();
    const place = await createStorePlace(engine);
    const store = await openTestStore(place);
    await addSession(store, "s");
    for (let index = 0; index < 40; index += 1) await setReminder(store, `r${index}`, clock.now() - index, hourMs);
    const other = await openStore(place);
    untilTestEnds(() => other.close());
    const both = [startClock(store, clock), startClock(other, clock)];
    await waitUntil("both to be done", () => both.every(({ waits }) => waits.length > 0));
    expect(both.flatMap(({ faults }) => faults)).toEqual([]);
    const rows = await store.main.selectFrom("inbox").select("id").execute();
    expect(rows).toHaveLength(40);
    const taken = both.flatMap(({ fired }) => fired.map(({ id }) => id));
    expect(new Set(taken).size).toBe(40);
    expect(taken).toHaveLength(40);
  });
});
