import { describe, expect, it } from "vitest";
import { describeRepetition } from "../../src/core/words/describe-time.ts";

describe("a recurring schedule in words", () => {
  it.each([
    ["0 9 28 * *", "每月 28 号 09:00"],
    ["0 9 31 * *", "每月 31 号 09:00（没有 31 号的月份跳过）"],
    ["0 9 15 3,6,9,12 *", "每年 3、6、9、12 月的 15 号 09:00"],
    ["0 9 31 3,6,9,12 *", "每年 3、6、9、12 月的 31 号 09:00（没有 31 号的月份跳过）"],
    ["0 9 31 1,7 *", "每年 1、7 月的 31 号 09:00"],
    ["0 9 29 2 *", "每年 2 月 29 日 09:00（只有闰年才有这一天）"],
    ["0 9 1 1-3 *", "按 0 9 1 1-3 *"],
  ])("%s says which months are left out", (cron, expected) => {
    expect(describeRepetition({ kind: "cron", cron, zone: "Asia/Shanghai" }, "zh")).toBe(expected);
  });
});
