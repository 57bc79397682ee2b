import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { toWallTime } from "../../../src/core/schedule/zoned-time.ts";
import { listAllReminders } from "../../../src/features/reminders/queries/reminders.ts";
import type { Said } from "../../support/fake-channel.ts";
import { TestGateway } from "../../support/gateway.ts";

const alice: Said = { chat: "alice", user: "alice" };

describe("the first zone that a person names", () => {
  let kurisu: TestGateway;
  beforeEach(async () => {
    kurisu = new TestGateway();
    await kurisu.start();
    await kurisu.say("hello there, how are you", alice);
  });
  afterEach(() => kurisu.dispose());

  const dues = async () =>
    new Map((await listAllReminders(kurisu.store.main)).map(({ text, nextDue }) => [text, nextDue ?? 0]));
  const hours = (before = 0, after = 0) => (after - before) / 3_600_000;

  it("moves reminders set by the clock, daily ones too, and leaves those set by a length or with a zone of their own", async () => {
    for (const [text, when] of [
      ["tea", "in 3 days at 7am tea"],
      ["gym", "every day at 6pm gym"],
      ["cake", "in 30 minutes cake"],
      ["call", "tomorrow at 8pm New York time call"],
    ] as const) {
      await kurisu.say(`/remind ${when}`, alice);
      expect([...(await dues()).keys()]).toContain(text);
    }
    const before = await dues();
    await kurisu.say("/reminders zone Asia/Tokyo", alice);
    const after = await dues();
    expect(hours(before.get("tea"), after.get("tea"))).toBe(-1);
    expect(Math.abs(hours(before.get("gym"), after.get("gym"))) % 24).toBe(1);
    expect(after.get("cake")).toBe(before.get("cake"));
    expect(after.get("call")).toBe(before.get("call"));
    const answer = kurisu.lastText();
    const [moved = "", kept = ""] = answer.split("These stay");
    expect(moved).toMatch(/keep their clock time.*7:00.*tea/s);
    expect(moved).toContain("gym");
    expect(kept).toMatch(/cake.*call.*set it again/s);
    // A second zone moves nothing.
    await kurisu.say("/reminders zone Europe/Berlin", alice);
    expect(await dues()).toEqual(after);
    expect(kurisu.lastText()).toMatch(/from now on times are those of Europe\/Berlin/);
  });

  it("leaves a reminder whose clock time would be past, and says so", async () => {
    // In two hours, as clocks in Shanghai show it.
    const { hour, minute } = toWallTime(kurisu.clock.now() + 2 * 3_600_000, "Asia/Shanghai");
    const clock = `${hour % 12 || 12}:${String(minute).padStart(2, "0")}${hour < 12 ? "am" : "pm"}`;
    await kurisu.say(`/remind at ${clock} tea`, alice);
    const before = await dues();
    expect(before.size).toBe(1);
    await kurisu.say("/reminders zone Pacific/Auckland", alice);
    expect(await dues()).toEqual(before);
    expect(kurisu.lastText()).toMatch(/would be past.*\n.*tea/);
  });

  it("counts the reminders beyond five", async () => {
    for (let day = 2; day < 9; day += 1) await kurisu.say(`/remind in ${day} days at 7am tea ${day}`, alice);
    await kurisu.say("/reminders zone Asia/Tokyo", alice);
    expect(kurisu.lastText()).toContain("And 2 more");
    expect(kurisu.lastText()).not.toContain("tea 8");
  });
});
