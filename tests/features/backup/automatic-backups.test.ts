import { existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pino } from "pino";
import { expect, test } from "vitest";
import { createAutomaticBackups, describeBackups } from "../../../src/features/backup/automatic-backups.ts";
import { createMakeBackup } from "../../../src/features/backup/make-backup.ts";
import { listOutdated, nameBackup } from "../../../src/features/backup/retention.ts";
import { backupOptions } from "../../../src/store/backup/backup-options.ts";
import { HandClock } from "../../support/hand-clock.ts";
import { addSession, createTestStore } from "../../support/test-store.ts";

const hourMs = 3_600_000;
const start = Date.UTC(2026, 10, 22, 4, 5, 6);

interface Course {
  readonly hours: number;
  /** Hours between two backups. */
  readonly every: number;
  readonly hourly: number;
  readonly daily: number;
}

test.each<Course>([
  { hours: 5, every: 1, hourly: 24, daily: 7 },
  { hours: 24, every: 1, hourly: 24, daily: 7 },
  { hours: 24 * 30, every: 1, hourly: 24, daily: 7 },
  { hours: 24 * 30, every: 24, hourly: 24, daily: 7 },
  { hours: 24 * 3, every: 1, hourly: 1, daily: 1 },
])(
  "after $hours hours of a backup every $every, no more than $hourly + $daily are kept, and one of each of the last days",
  (course) => {
    let names: readonly string[] = [];
    for (let hour = 0; hour <= course.hours; hour += course.every) {
      names = [...names, nameBackup(start + hour * hourMs)];
      const outdated = listOutdated(names, course);
      names = names.filter((name) => !outdated.includes(name));
    }
    expect(names.at(-1)).toBe(nameBackup(start + course.hours * hourMs));
    expect(names.length).toBeLessThanOrEqual(course.hourly + course.daily);
    const span = names.map((name) => name.slice(8, 21));
    expect(new Set(span.map((one) => one.slice(0, 10))).size).toBeGreaterThanOrEqual(
      Math.min(course.daily, Math.floor(course.hours / 24)),
    );
  },
);

test("files of another name are never outdated, and the newest of each day stays beside the newest ones", () => {
  const at = (day: number, hour: number) => nameBackup(Date.UTC(2026, 10, day, hour));
  const names = [at(1, 5), at(1, 9), at(2, 1), at(2, 3), at(3, 1), at(3, 2), at(3, 3), "mine.tar.gz", "state.json"];
  expect(listOutdated(names, { hourly: 2, daily: 2 }).toSorted()).toEqual([at(1, 5), at(1, 9), at(2, 1), at(3, 1)]);
});

test("a backup is made every hour when something has changed, a failure is told, and the next one mends it", async () => {
  const store = await createTestStore();
  const clock = new HandClock();
  const { home } = store;
  const folder = join(home, "backups");
  const make = createMakeBackup({ home, store, clock });
  const options = backupOptions.parse({ files: "1k" });
  const log = pino({ level: "silent" });
  const automatic = createAutomaticBackups({ home, make, options: () => options, clock, log });
  const list = () => (existsSync(folder) ? readdirSync(folder).filter((name) => name !== "state.json") : []);
  const check = () => describeBackups(home, options, clock.now());

  expect(await check()).toMatchObject({ state: "ok", detail: expect.stringContaining("none yet") as string });
  await automatic.look();
  expect(list()).toEqual([nameBackup(clock.now())]);
  clock.advance(hourMs - 1);
  await addSession(store, "fake:a");
  await automatic.look();
  expect(list(), "it is not due yet").toHaveLength(1);
  clock.advance(1);
  await automatic.look();
  expect(list()).toHaveLength(2);
  clock.advance(hourMs);
  await automatic.look();
  expect(list(), "nothing has changed").toHaveLength(2);

  writeFileSync(join(home, "mcp-logins.json"), "{}");
  clock.advance(hourMs);
  // Something that is in the way, as a full disk would be.
  writeFileSync(join(folder, nameBackup(clock.now())), "");
  await automatic.look();
  expect(automatic.readiness()).toMatchObject({ backup: { state: "degraded" } });
  expect(await check()).toMatchObject({ state: "broken", detail: expect.stringContaining("exists already") as string });
  rmSync(join(folder, nameBackup(clock.now())));
  clock.advance(hourMs);
  await automatic.look();
  expect(automatic.readiness()).toEqual({});
  expect(list()).toHaveLength(3);
  expect(await check()).toMatchObject({ state: "ok", detail: expect.stringContaining("0 h old") as string });
});

test("an automatic backup that could fill the disk is not made, and says what to do", async () => {
  const store = await createTestStore();
  const clock = new HandClock();
  const { home } = store;
  const options = backupOptions.parse({ files: "1m" });
  let free = 1024 * 1024;
  const automatic = createAutomaticBackups({
    home,
    make: createMakeBackup({ home, store, clock }),
    options: () => options,
    clock,
    log: pino({ level: "silent" }),
    findFree: async () => free,
  });
  await automatic.look();
  expect(readdirSync(join(home, "backups"))).toEqual(["state.json"]);
  expect(automatic.readiness()).toMatchObject({
    backup: { state: "degraded", detail: expect.stringContaining("backup.hourly") as string },
  });
  free = 10 * 1024 ** 3;
  clock.advance(hourMs);
  await automatic.look();
  expect(readdirSync(join(home, "backups"))).toContain(nameBackup(clock.now()));
  expect(automatic.readiness()).toEqual({});
});

test("no backup is made by itself when it is switched off", async () => {
  const store = await createTestStore();
  const clock = new HandClock();
  const { home } = store;
  const options = backupOptions.parse({ every: "off" });
  const make = createMakeBackup({ home, store, clock });
  const automatic = createAutomaticBackups({
    home,
    make,
    options: () => options,
    clock,
    log: pino({ level: "silent" }),
  });
  await automatic.look();
  expect(existsSync(join(home, "backups"))).toBe(false);
  expect(await describeBackups(home, options, clock.now())).toMatchObject({ state: "warning" });
});
