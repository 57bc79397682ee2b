import { describe, expect, it } from "vitest";
import { findPersonSettings, savePersonSettings } from "../../../../src/store/queries/person-settings.ts";
import {
  advanceReminder,
  cancelReminder,
  changeReminder,
  countReminders,
  findNextDue,
  findReminder,
  holdReminder,
  insertReminder,
  listAllReminders,
  listDueReminders,
  listReminders,
  releaseReminders,
} from "../../../../src/features/reminders/queries/reminders.ts";
import { listEngines } from "../../../support/store-engines.ts";
import { createTestStore } from "../../../support/test-store.ts";

describe.each(listEngines())("reminders on %s:", (engine) => {
  async function open() {
    const { main } = await createTestStore(engine);
    const set = (id: string, person: string, nextDue: number) =>
      insertReminder(main, {
        id,
        person,
        name: "甲",
        session: "s",
        text: `喝水\0${id}`,
        task: id === "c",
        schedule: { kind: "every", everyMs: 100, from: nextDue },
        zone: "Asia/Shanghai",
        language: "zh",
        taint: "untrusted",
        sources: ["web:a.test"],
        nextDue,
        now: 1,
      });
    await set("a", "t:1", 50);
    await set("b", "t:2", 30);
    await set("c", "t:1", 40);
    return main;
  }
  const ids = (reminders: readonly { readonly id: string }[]) => reminders.map(({ id }) => id).join("");

  it("each is listed for its people and by its time, until it is cancelled or done", async () => {
    const main = await open();
    expect(await findReminder(main, "c")).toMatchObject({
      person: "t:1",
      task: true,
      schedule: { kind: "every", everyMs: 100, from: 40 },
      taint: "untrusted",
      sources: ["web:a.test"],
      state: "active",
      nextDue: 40,
      heldDue: null,
      lastDue: null,
    });
    expect(ids(await listReminders(main, ["t:1"]))).toBe("ca");
    expect(ids(await listReminders(main, ["t:1", "t:2"]))).toBe("bca");
    expect(ids(await listAllReminders(main))).toBe("bca");
    expect(await countReminders(main, ["t:1"])).toBe(2);
    expect(await findNextDue(main)).toBe(30);
    expect(ids(await listDueReminders(main, 40, 9))).toBe("bc");
    expect(ids(await listDueReminders(main, 40, 1))).toBe("b");

    expect(await cancelReminder(main, "b", 2)).toBe(true);
    expect(await cancelReminder(main, "b", 3)).toBe(false);
    expect(await changeReminder(main, "b", { text: "别的", now: 3 })).toBe(false);
    expect(await changeReminder(main, "a", { text: "别的", nextDue: 35, now: 3 })).toBe(true);
    expect(await findReminder(main, "a")).toMatchObject({ text: "别的", nextDue: 35, task: false, updatedAt: 3 });
    expect(ids(await listDueReminders(main, 40, 9))).toBe("ac");
  });

  it("one of two runners fires a due time, and never a runner that saw another time", async () => {
    const main = await open();
    const seen = await findReminder(main, "a");
    if (!seen) throw new Error("the reminder is missing");
    const step = { due: 50, next: 150, now: 60 };
    expect([await advanceReminder(main, seen, step), await advanceReminder(main, seen, step)]).toEqual([true, false]);
    expect(await findReminder(main, "a")).toMatchObject({ nextDue: 150, lastDue: 50, state: "active" });
    const now = await findReminder(main, "a");
    expect(now && (await advanceReminder(main, now, { due: 150, next: undefined, now: 160 }))).toBe(true);
    expect(await findReminder(main, "a")).toMatchObject({ nextDue: null, lastDue: 150, state: "done" });
    expect(ids(await listReminders(main, ["t:1"]))).toBe("c");
  });

  it("one that is held keeps the time it was due at, until it is released", async () => {
    const main = await open();
    for (const until of [500, 900]) {
      const seen = await findReminder(main, "a");
      if (seen) await holdReminder(main, seen, until);
    }
    expect(await findReminder(main, "a")).toMatchObject({ nextDue: 900, heldDue: 50 });
    await releaseReminders(main, ["t:2"]);
    expect(await findReminder(main, "a")).toMatchObject({ nextDue: 900 });
    await releaseReminders(main, ["t:1"]);
    expect(await findReminder(main, "a")).toMatchObject({ nextDue: 50, heldDue: null });
  });

  it("a setting on one account holds for all of its person's, the newest first", async () => {
    const { main } = await createTestStore(engine);
    const accounts = ["t:1", "q:1"];
    const nothing = { zone: null, quietFrom: null, quietUntil: null };
    expect(await findPersonSettings(main, accounts)).toEqual(nothing);
    await savePersonSettings(main, "t:1", accounts, { zone: "Asia/Tokyo", now: 1 });
    await savePersonSettings(main, "q:1", accounts, { quietFrom: 1380, quietUntil: 420, now: 2 });
    expect(await findPersonSettings(main, accounts)).toEqual({ zone: "Asia/Tokyo", quietFrom: 1380, quietUntil: 420 });
    await savePersonSettings(main, "t:1", accounts, { quietFrom: null, quietUntil: null, now: 3 });
    expect(await findPersonSettings(main, accounts)).toEqual({ ...nothing, zone: "Asia/Tokyo" });
    expect(await findPersonSettings(main, ["x:1"])).toEqual(nothing);
  });
});
