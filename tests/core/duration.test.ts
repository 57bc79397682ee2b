import { describe, expect, it } from "vitest";
import { byteSizeOption, parseByteSize } from "../../src/core/byte-size.ts";
import { durationOption, parseDuration } from "../../src/core/duration.ts";
import { describeDuration } from "../../src/core/words/describe-duration.ts";

describe("parseDuration", () => {
  it.each([
    ["250ms", 250],
    ["30s", 30_000],
    ["10m", 600_000],
    ["2h", 7_200_000],
    ["7d", 604_800_000],
    ["1.5h", 5_400_000],
    [" 5s ", 5000],
    ["0s", 0],
  ])("reads %j as %i ms", (text, milliseconds) => {
    expect(parseDuration(text)).toBe(milliseconds);
  });

  it.each(["", "30", "s", "30 s", "-5s", "5S", "1h30m", "1e3s", "٣s", "5sec"])("refuses %j", (text) => {
    expect(parseDuration(text)).toBeUndefined();
  });

  it("an option for durations refuses zero and more than a timer can hold", () => {
    expect(durationOption.safeParse("24d").data).toBe(2_073_600_000);
    expect(durationOption.safeParse("25d").error?.issues[0]?.message).toBe("must be more than no time and at most 24d");
    expect(durationOption.safeParse("0ms").success).toBe(false);
  });
});

describe("parseByteSize", () => {
  it.each([
    ["100b", 100],
    ["64k", 65_536],
    ["512m", 536_870_912],
    ["1g", 1_073_741_824],
    ["512MB", 536_870_912],
    ["1GiB", 1_073_741_824],
    ["0.5g", 536_870_912],
  ])("reads %j as %i bytes", (text, bytes) => {
    expect(parseByteSize(text)).toBe(bytes);
  });

  it.each(["", "512", "m", "-1m", "1 g", "1p"])("refuses %j", (text) => {
    expect(parseByteSize(text)).toBeUndefined();
  });

  it("an option for sizes refuses zero", () => {
    expect(byteSizeOption.safeParse("0k").error?.issues[0]?.message).toBe("must be more than nothing");
  });
});

describe("describeDuration", () => {
  it.each([
    [400, "不到 1 秒", "less than a second", "1 秒未満"],
    [1_999, "1 秒", "1 second", "1 秒"],
    [6_000, "6 秒", "6 seconds", "6 秒"],
    [59_999, "59 秒", "59 seconds", "59 秒"],
    [60_000, "1 分钟", "1 minute", "1 分"],
    [119_000, "1 分钟 59 秒", "1 minute 59 seconds", "1 分 59 秒"],
    [600_000, "10 分钟", "10 minutes", "10 分"],
    [659_999, "10 分钟", "10 minutes", "10 分"],
    [3_600_000, "1 小时", "1 hour", "1 時間"],
    [5_400_000, "1 小时 30 分钟", "1 hour 30 minutes", "1 時間 30 分"],
    [-5, "不到 1 秒", "less than a second", "1 秒未満"],
  ])("says %i ms without adding to it", (milliseconds, ...texts) => {
    expect((["zh", "en", "ja"] as const).map((language) => describeDuration(milliseconds, language))).toEqual(texts);
  });
});
