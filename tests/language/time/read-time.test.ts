import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Language } from "../../../src/core/conversation.ts";
import { readSchedule } from "../../../src/language/time/read-schedule.ts";
import { readTime } from "../../../src/language/time/read-time.ts";
import { findNext } from "../../../src/core/schedule/schedule.ts";
import { formatIso } from "../../../src/core/schedule/zoned-time.ts";
import { workTime } from "../../support/work-time.ts";

/** Language, sentence, its time, and what is left of it. Said on a Monday, 2026-11-23, at 10:00 in Shanghai. */
const rows = readFileSync(new URL("sentences.tsv", import.meta.url), "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => line.split("\t"));

async function read(text: string, language: Language, zone: string, now: string): Promise<readonly [string, string]> {
  const at = Date.parse(now);
  const reading = await readTime(text, { now: at, zone, language });
  const show = (instant: number): string => formatIso(instant, zone).slice(0, 19).replace("T", " ").replace(/:00$/, "");
  const { rest } = reading;
  switch (reading.kind) {
    case "at":
    case "past":
      return [`${reading.kind} ${show(reading.at)}`, rest];
    case "recurring": {
      const { schedule } = reading;
      if (schedule.kind === "cron") return [`cron ${schedule.cron}`, rest];
      if (schedule.kind === "every")
        return [`every ${schedule.everyMs / 60_000} min from ${show(schedule.from)}`, rest];
      return ["once", rest];
    }
    case "ambiguous":
      return [`ask ${reading.why}${"options" in reading ? ` ${reading.options.map(show).join(" or ")}` : ""}`, rest];
    case "none":
      return ["none", ""];
  }
}

describe("readTime", () => {
  it("reads the sentences of three languages, and takes nothing else for a time", async () => {
    const wrong: string[] = [];
    for (const [language = "", text = "", expected, rest = ""] of rows) {
      const [found, left] = await read(text, language as Language, "Asia/Shanghai", "2026-11-23T02:00:00Z");
      if (found !== expected || left !== rest) wrong.push(`${text}: ${found} | ${left}, not ${expected} | ${rest}`);
    }
    expect(wrong).toEqual([]);
    expect(rows.filter(([, , expected]) => expected !== "none").length).toBeGreaterThanOrEqual(120);
    expect(rows.filter(([, , expected]) => expected === "none").length).toBeGreaterThanOrEqual(40);
  });

  it.each([
    // Clocks in Berlin go forward at 02:00 on 28 March 2027 and back at 03:00 on 31 October.
    ["明天凌晨两点半", "zh", "Europe/Berlin", "2027-03-27T12:00Z", "at 2027-03-28 03:30"],
    ["三小时后", "zh", "Europe/Berlin", "2027-03-28T00:30Z", "at 2027-03-28 05:30"],
    ["in 3 hours", "en", "Europe/Berlin", "2027-03-28T00:30Z", "at 2027-03-28 05:30"],
    ["一天后", "zh", "Europe/Berlin", "2027-03-27T09:00Z", "at 2027-03-28 10:00"],
    ["tomorrow at 9am", "en", "Europe/Berlin", "2027-03-27T09:00Z", "at 2027-03-28 09:00"],
    ["明日の朝9時", "ja", "Europe/Berlin", "2027-10-30T09:00Z", "at 2027-10-31 09:00"],
    ["in 3 days", "en", "Europe/Berlin", "2027-10-29T08:00Z", "at 2027-11-01 10:00"],
    ["明早八点", "zh", "America/New_York", "2027-03-13T15:00Z", "at 2027-03-14 08:00"],
    ["tomorrow at 2:30am", "en", "America/New_York", "2027-03-13T15:00Z", "at 2027-03-14 03:30"],
    ["二月二十九号", "zh", "Asia/Shanghai", "2026-11-23T02:00Z", "at 2028-02-29 09:00"],
    // It is already another day where the person is.
    ["明早八点", "zh", "Asia/Tokyo", "2026-11-23T15:30Z", "at 2026-11-25 08:00"],
    ["今晚八点", "zh", "America/Los_Angeles", "2026-11-23T20:00Z", "at 2026-11-23 20:00"],
  ] as const)("readTime reads %j by the clock of the place (%s, %s)", async (text, language, zone, now, expected) => {
    expect((await read(text, language, zone, now))[0]).toBe(expected);
  });

  it.each([
    ["八点", "2026-11-22T23:00Z", "ask half 2026-11-23 08:00 or 2026-11-23 20:00"],
    ["八点", "2026-11-23T02:00Z", "at 2026-11-23 20:00"],
    ["八点", "2026-11-23T13:00Z", "at 2026-11-24 08:00"],
    ["三点", "2026-11-23T13:00Z", "ask half 2026-11-24 03:00 or 2026-11-24 15:00"],
    ["早上八点", "2026-11-22T23:00Z", "at 2026-11-23 08:00"],
    ["今天早上八点", "2026-11-23T02:00Z", "past 2026-11-23 08:00"],
    ["今晚", "2026-11-23T13:00Z", "ask hour"],
    ["十二点", "2026-11-23T05:00Z", "ask half 2026-11-24 00:00 or 2026-11-24 12:00"],
  ])("%j at %s means %s", async (text, now, expected) => {
    expect((await read(text, "zh", "Asia/Shanghai", now))[0]).toBe(expected);
  });

  it("finds the next time of what comes back", async () => {
    const now = Date.parse("2026-11-23T02:00:00Z");
    const reading = await readTime("周一到周五每天早上九点", { now, zone: "Asia/Shanghai", language: "zh" });
    if (reading.kind !== "recurring") throw new Error(reading.kind);
    expect(formatIso(findNext(reading.schedule, now) ?? 0, "Asia/Shanghai")).toBe("2026-11-24T09:00:00+08:00");
  });

  it("takes no longer for long texts than their length", async () => {
    const measure = async (text: string): Promise<number> => {
      const start = workTime();
      await readTime(text, { now: 0, zone: "UTC", language: "zh" });
      return workTime() - start;
    };
    for (const piece of ["周一、", "两个", "每天", "1:", "明天三点和", "in a "]) {
      const text = piece.repeat(1000 / piece.length).slice(0, 1000);
      await measure(text);
      expect({ piece, isQuick: (await measure(text)) < 250 }).toEqual({ piece, isQuick: true });
    }
    expect((await readTime("明".repeat(2000), { now: 0, zone: "UTC", language: "zh" })).kind).toBe("none");
  });
});

describe("the clock of a place", () => {
  const read = (at: string, language: Language) =>
    readSchedule({ at }, { now: Date.parse("2026-11-23T02:00:00Z"), zone: "Asia/Shanghai", language });

  it.each([
    ["tomorrow at 8pm Kathmandu time", "en", "Kathmandu"],
    ["9 PM Buenos Aires time stand-up", "en", "Buenos Aires"],
    ["明天加州省时间早上八点开会", "zh", "加州省"],
    ["ストックホルム時間の8時に会議", "ja", "ストックホルム"],
  ] as const)("the reader asks for the unknown place of %j", async (text, language, place) => {
    expect(await read(text, language)).toEqual({ fault: { kind: "ask", why: "place", place } });
  });

  it.each([
    ["tomorrow at 8pm New York time", "en", "2026-11-24T01:00:00.000Z"],
    ["tomorrow at 8pm dinner time", "en", "2026-11-24T12:00:00.000Z"],
    ["明天开会时间下午三点", "zh", "2026-11-24T07:00:00.000Z"],
    ["明日のバイト時間 午後3時", "ja", "2026-11-24T07:00:00.000Z"],
  ] as const)("the reader knows the place of %j, or sees that none is meant", async (text, language, at) => {
    expect(await read(text, language)).toMatchObject({ schedule: { kind: "once", at: Date.parse(at) } });
  });
});
