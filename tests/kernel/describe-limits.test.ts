import { describe, expect, it } from "vitest";
import { wordsFor } from "../../src/core/words/words.ts";
import { describeClose, describeReached } from "../../src/kernel/turns/describe-limits.ts";
import { percentOf, type LimitState } from "../../src/models/list-limits.ts";

const limitOf = (used: number, limit: number): LimitState => ({
  scope: "person",
  unit: "tokens",
  used,
  limit,
  key: "budget.tokens.person",
});

describe("the share of a limit in words", () => {
  it.each([
    [0, 1_000, 0],
    [290, 1_000, 29],
    [800, 1_000, 80],
    [999, 1_000, 99],
    [999_999, 1_000_000, 99],
    [1_000, 1_000, 100],
    [1_001, 1_000, 100],
    [5_720, 1_000, 572],
    [0.29, 1, 29],
    [1.15, 1, 115],
    [0, 0, 100],
    [Number.NaN, 1_000, 100],
  ])("%d of %d is %d percent", (used, limit, percent) => {
    expect(percentOf({ used, limit })).toBe(percent);
  });

  it.each([
    ["zh", 800, "（先说一声：你今天的额度用了 80%，800 / 1,000 token。）"],
    ["en", 800, "(Just so you know: you have used 80% of today's limit, 800 / 1,000 tokens.)"],
    ["ja", 800, "（念のため：今日のあなたの分を 80% 使った。800 / 1,000 トークン。）"],
    ["zh", 1_000, "说完这句，你今天的额度就用完了：100%，1,000 / 1,000 token。零点（UTC）一过就恢复。"],
    [
      "en",
      5_720,
      "With this, your limit of today is used up: 572%, 5,720 / 1,000 tokens. It begins anew at midnight (UTC).",
    ],
    ["ja", 5_720, "これで今日のあなたの分は使い切った：572%、5,720 / 1,000 トークン。0 時（UTC）を過ぎれば元に戻る。"],
  ] as const)("below a reply, in %s at %d", (language, used, text) => {
    expect(describeClose(limitOf(used, 1_000), "UTC", wordsFor(language))).toBe(text);
  });

  it.each([
    [
      "zh",
      false,
      "你今天的额度用完了：5,720 / 1,000 token（572%）。零点（UTC）一过就恢复。等不及就请管理员改 models.yaml 的 budget.tokens.person。",
    ],
    [
      "en",
      true,
      "Your limit of today is used up: 5,720 / 1,000 tokens (572%). It begins anew at midnight (UTC). If it can't wait, change budget.tokens.person in models.yaml; it counts once saved.",
    ],
    [
      "ja",
      false,
      "今日のあなたの分は使い切った：5,720 / 1,000 トークン（572%）。0 時（UTC）を過ぎれば元に戻る。待てないなら、管理者に models.yaml の budget.tokens.person を変えてもらって。",
    ],
  ] as const)("the text explains a reached limit, in %s (owner: %s)", (language, owner, text) => {
    expect(describeReached({ ...limitOf(5_720, 1_000), zone: "UTC" }, wordsFor(language), owner)).toBe(text);
  });
});
