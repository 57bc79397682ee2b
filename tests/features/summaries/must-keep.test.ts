import { describe, expect, it } from "vitest";
import { findWords } from "../../../src/store/search/find-words.ts";
import { findLost, listMustKeep } from "../../../src/features/summaries/must-keep.ts";
import { chooseSentences } from "../../../src/features/summaries/write-remarks.ts";
import { extractSummary, fitPiece } from "../../../src/features/summaries/write-summary.ts";
import { estimateTokens } from "../../../src/core/estimate-tokens.ts";

const say = (text: string, senderName = "alice") => ({
  message: { role: "user" as const, text, senderId: `fake:${senderName}`, senderName },
});
const place = { id: 1, position: 1, turn: "t", taint: "user", at: 0, tokens: 1 } as const;

describe("a summary must hold:", () => {
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

  it.each<[string, readonly string[], string]>([
    ["我住在杭州，妻子叫林晓", ["杭州", "林晓"], "用户住在杭州，妻子是林小"],
    ["我对花生严重不耐受", ["花生"], "用户对某种坚果严重不耐受"],
    ["狗叫豆豆，五岁了", ["豆豆"], "用户有一只狗，五岁"],
    ["我同事王建国下个月结婚", ["王建国"], "一位同事下个月结婚"],
    ["给我看病的是李医生", ["李医生"], "用户看过医生"],
    ["我爸妈住在成都", ["成都"], "用户的父母住在南方"],
    ["エビが苦手です", ["エビ"], "苦手なものがある"],
    ["我不吃香菜", ["香菜"], "用户不吃某种菜"],
    ["房东姓欧阳，电话 138-0013-7788", ["欧阳", "138-0013-7788"], "房东的电话是 138-0013-7788"],
    ["我答应周五把显微镜还给桥田", [], "他们谈了实验室"],
    ["我是左撇子，血型是 B 型", [], "他们谈了身体"],
    ["My wife is called Anna", ["Anna"], "The wife is called Hannelore"],
    [
      "my doctor is Miller, on Baker Street 12",
      ["Miller", "Baker", "Street", "12"],
      "The doctor is on Baker Street 12",
    ],
    ["I'm allergic to peanuts and shrimp", ["peanuts", "shrimp"], "Allergic to peanuts"],
    ["We moved to Lisbon in March", ["Lisbon", "March"], "They moved in March"],
    ["our dog is named biscuit", ["biscuit"], "There is a dog with a name"],
    ["I promised to give Dana the keys in /srv/keys.txt back", ["Dana", "/srv/keys.txt"], "Keys are promised to Dana"],
    ["妻の由美は看護師です", ["由美"], "妻は看護師"],
    ["犬のポチは三歳です", ["ポチ"], "犬は三歳"],
    ["私はそばアレルギーです", ["そば"], "私はアレルギーです"],
    ["田中さんに来週お金を返す約束をした", ["田中"], "お金を返す約束をした"],
    ["京都に住んでいて、上司は佐藤といいます", ["京都", "佐藤"], "京都に住んでいる"],
    ["会議は14:30に決定、資料は docs/plan.md", ["14:30", "docs/plan.md"], "会議は午後に決定、資料は docs/plan.md"],
  ])("a fact about a person survives: %j", (text, items, bad) => {
    const keep = listMustKeep([say(text)]);
    expect(keep.items).toEqual(expect.arrayContaining([...items]));
    expect(keep.items.length + keep.sentences.length).toBeGreaterThan(0);
    expect(findLost(text, keep)).toEqual([]);
    expect(findLost(bad, keep)).not.toEqual([]);
  });

  it.each([
    "今天天气不错，我在家里写了一会儿代码",
    "叫外卖吧，叫我起床",
    "It rained. We stayed in and read.",
    "今日はいい天気だね",
  ])("small talk binds nothing: %j", (text) => {
    expect(listMustKeep([say(text)])).toEqual({ items: [], sentences: [] });
  });

  it("the summary names each person where several speak, and none where one does", () => {
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

it("a piece is cut until its extract loses nothing; one message that has more stays as it was said, or is bounded", () => {
  const fits = { limit: 100, longest: 300 };
  const facts = Array.from(
    { length: 40 },
    (_, index) => `第 ${index + 100} 号房住着王建${"国军民华"[index % 4]}，他对花生过敏`,
  );
  const place40 = facts.map((text, index) => ({ ...place, position: index + 1, ...say(text) }));
  const fitting = fitPiece(place40, fits);
  expect(fitting.isWhole).toBe(true);
  expect(fitting.piece.length).toBeLessThan(10);
  expect(findLost(fitting.extract, listMustKeep(fitting.piece))).toEqual([]);
  const one = fitPiece([{ ...place, ...say(facts.slice(0, 12).join("。")) }, ...place40], fits);
  expect(one).toMatchObject({ isWhole: false, piece: [{ position: 1 }] });
  expect(findLost(one.extract, one.keep)).toEqual([]);
  const huge = fitPiece([{ ...place, ...say(facts.join("。").repeat(20)) }], fits);
  expect(estimateTokens(huge.extract)).toBeLessThan(330);
  expect(huge.extract).toContain("more; they can be found by their words");
});

it("chooseSentences finds the beginning and the binding sentences of a very long message", () => {
  const long = Array.from({ length: 500 }, (_, index) => `闲话${index}说了又说。`).join("");
  const chosen = chooseSentences(`${long}我对花生过敏。`);
  expect(chosen).toHaveLength(48);
  expect([chosen[0], chosen.at(-1)]).toEqual(["闲话0说了又说。", "我对花生过敏。"]);
});

it.each([
  ["我妹妹对花生过敏", ["我妹", "妹妹", "妹对", "对花", "花生", "生过", "过敏", "妹", "花", "生", "敏"]],
  ["Deploy the API on port 8080", ["deploi", "api", "port", "8080"]],
  ["猫", ["猫"]],
  ["の", []],
])("%j is found by its words", (text, terms) => {
  expect(findWords(text)).toEqual(terms);
});
