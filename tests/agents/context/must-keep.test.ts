import { describe, expect, it } from "vitest";
import { findTerms } from "../../../src/agents/context/find-terms.ts";
import { findLost, listMustKeep } from "../../../src/agents/context/must-keep.ts";
import { extractSummary } from "../../../src/agents/context/write-summary.ts";
import { estimateTokens } from "../../../src/core/estimate-tokens.ts";

const say = (text: string, senderName = "alice") => ({
  message: { role: "user" as const, text, senderId: `fake:${senderName}`, senderName },
});
const place = { id: 1, position: 1, turn: "t", taint: "user", at: 0, tokens: 1 } as const;

describe("what a summary must hold:", () => {
  it.each([
    ["房租是 3,200 元", ["3,200"], "房租 3200 元", "房租 2300 元"],
    ["12 个人", ["12"], "来 12 人", "2012 年的人"],
    ["会议在 2026-11-25 14:30", ["2026-11-25", "14:30"], "2026-11-25 14:30 开会", "25 日下午开会"],
    ["写到 docs/plan.md 里", ["docs/plan.md"], "在 docs/plan.md", "在 docs/plans.md"],
    ["看 https://example.com/a?b=1。", ["https://example.com/a?b=1"], "https://example.com/a?b=1", "example.com"],
    ["门牌「梧桐里」", ["梧桐里"], "住在梧桐里", "住在别处"],
    ["下午三点半见", ["三点"], "三点半见面", "四点见面"],
    ["代号 KX-42，写给 a@b.org", ["KX-42", "a@b.org"], "kx-42 与 a@b.org", "KX 与 a@b.org"],
    ["就选第二家吧，别忘了订位", [], "他们就选第二家，不要忘了订位", "他们谈了吃饭"],
    ["I'll send the draft tomorrow", [], "She will send the draft tomorrow", "They talked"],
  ])("%j", (text, items, good, bad) => {
    const keep = listMustKeep([say(text)]);
    expect(keep.items).toEqual(items);
    expect(findLost(good, keep)).toEqual([]);
    expect(findLost(bad, keep)).not.toEqual([]);
  });

  it("names everybody where several speak, and nobody where one does", () => {
    expect(listMustKeep([say("早"), say("早啊", "bob")]).items).toEqual(["alice", "bob"]);
    expect(listMustKeep([say("早"), say("在吗")]).items).toEqual([]);
  });
});

it("an extract holds all of it that there is room for, and says how much there was none for", () => {
  const texts = ["密码是 K7-99-XX", "明天记得带伞", "哈哈", "钱放在 /srv/box 里，一共 450 元"];
  const piece = texts.map((text, index) => ({ ...place, position: index + 1, ...say(text) }));
  const keep = listMustKeep(piece);
  expect(findLost(extractSummary(piece, keep, 200), keep)).toEqual([]);
  const dense = Array.from({ length: 18 }, (_, index) => `第 ${index + 100} 条：数据和昨天差不多，先去吃饭了。`).map(
    (text, index) => ({ ...place, position: index + 1, ...say(text) }),
  );
  expect(findLost(extractSummary(dense, listMustKeep(dense), 120), listMustKeep(dense))).toEqual([]);
  const many = [{ ...place, ...say(Array.from({ length: 5_000 }, (_, index) => `n${index}`).join(" ")) }];
  const bounded = extractSummary(many, listMustKeep(many), 60);
  expect(estimateTokens(bounded)).toBeLessThan(90);
  expect(bounded).toContain("more; they can be found by their words");
});

it.each([
  ["我妹妹对花生过敏", ["我妹", "妹妹", "妹对", "对花", "花生", "生过", "过敏", "妹", "花", "生", "敏"]],
  ["Deploy the API on port 8080", ["deploy", "api", "port", "8080"]],
  ["猫", ["猫"]],
  ["の", []],
])("%j is found by its words", (text, terms) => {
  expect(findTerms(text)).toEqual(terms);
});
