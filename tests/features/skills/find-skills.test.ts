import { describe, expect, it } from "vitest";
import { skillSchema, type Skill } from "../../../src/features/skills/loader/types.ts";
import { normalizeUtterance } from "../../../src/core/learning/normalize-utterance.ts";
import { loadAllSkills } from "../../support/all-skills.ts";
import { createMatch } from "../../support/match-skills.ts";
import { workTime } from "../../support/work-time.ts";

function makeSkill(id: string, given: { keywords?: string[]; topics?: string[]; sentences?: string[] }): Skill {
  const { keywords = [], topics = [], sentences = [] } = given;
  const { examples: _, ...parsed } = skillSchema.parse({
    id,
    name: id,
    version: "1.0.0",
    type: "knowledge",
    trigger: { keywords, topics },
  });
  return { ...parsed, examples: [], sentences, folder: "", origin: "config", mcpServers: [] };
}

const tides = makeSkill("tides", {
  sentences: ["明天青岛几点涨潮", "退潮是什么时候", "查一下今天的潮汐", "赶海去哪儿好", "when is high tide"],
});

describe("the shipped skills", () => {
  const match = createMatch(loadAllSkills().list());

  it("a message in any of three languages finds its skills, also several at once", () => {
    expect(match("纽约现在几点了")).toEqual(["time"]);
    expect(match("what's the weather in Berlin tomorrow")).toEqual(["web-search"]);
    expect(match("ファイルの一覧を見せて")).toEqual(["file-tools"]);
    expect([...match("搜一下今天的新闻，整理成 news.md 存到工作区")].sort()).toEqual(["file-tools", "web-search"]);
  });

  it("small talk finds no skill", () => {
    for (const text of ["哈哈哈哈", "今天好累啊", "時間が経つのは早いね", "time flies when you're having fun", "晚安"])
      expect(match(text)).toEqual([]);
  });

  it("full width and capitals find the same skill", () => {
    expect(match("ＷＨＡＴ ＴＩＭＥ ＩＳ ＩＴ")).toEqual(["time"]);
  });

  it("a skill is found at both ends of a pasted megabyte, without delay", () => {
    const pasted = "a".repeat(1_000_000);
    expect(match(`现在几点了？\n${pasted}`)).toEqual(["time"]);
    expect(match(`${pasted}\n现在几点了？`)).toEqual(["time"]);
    expect(match(pasted)).toEqual([]);
  });

  it("take time in line with the text: no run of characters is slow", () => {
    const start = workTime();
    for (const piece of ["的上", "，", "。 ", "and then ", "a.", "!?", " ", "\u200b", "ﷺ", "明天的", "x然后"])
      for (let round = 0; round < 20; round += 1) match(piece.repeat(50_000));
    // 220 texts; each would take minutes if time grew with the square of the length.
    expect(workTime() - start).toBeLessThan(15_000);
  });
});

describe("a skill with five sentences of its own", () => {
  const match = createMatch([...loadAllSkills().list(), tides]);

  it("other sentences like its own find the skill", () => {
    for (const text of [
      "后天厦门几点涨潮",
      "今天什么时候退潮啊",
      "帮我查潮汐表",
      "周末想赶海，去哪儿",
      "is it high tide yet",
    ])
      expect([text, match(text)[0]]).toEqual([text, "tides"]);
  });

  it("sentences of other skills and small talk do not find the skill", () => {
    for (const text of ["现在几点", "这股国潮真好看", "你好呀", "帮我查一下明天的天气", "what time is it"])
      expect(match(text)).not.toContain("tides");
  });
});

describe("a skill in a language that the table does not have", () => {
  const weather = ["내일 부산 날씨 어때", "오늘 비 와?", "주말 날씨 알려줘", "우산 필요해?", "지금 기온 몇 도야"];
  const match = createMatch([...loadAllSkills().list(), makeSkill("weather", { sentences: weather })]);

  it("sentences like its own find the skill, a word in common alone does not", () => {
    expect([match("내일 서울 비 와?"), match("안녕 잘 지내?"), match("배고파")]).toEqual([["weather"], [], []]);
  });
});

describe("words of a skill", () => {
  it("call for it: a keyword always, a topic where something is asked", () => {
    const skills = [...loadAllSkills().list(), makeSkill("tea", { keywords: ["泡茶"], topics: ["龙井"] })];
    const match = createMatch(skills);
    expect(match("昨天泡茶了")).toContain("tea");
    expect(match("帮我查一下龙井多少钱")).toContain("tea");
    expect(match("龙井真好喝啊")).toEqual([]);
  });

  it("words of foreign skills count less: no single character, and after the same word of the operator's skill", () => {
    const words = { keywords: ["的", "a", "泡茶"], topics: ["我"] };
    const mine = makeSkill("tea", { keywords: ["泡茶"] });
    const theirs = { ...makeSkill("brew", words), installed: { digest: "", source: "" } };
    const match = createMatch([theirs, mine]);
    expect(match("我的 a 的我，帮我看看我的")).toEqual([]);
    expect(match("泡茶去")).toEqual(["tea", "brew"]);
  });

  it("a word matches whole words in Latin letters, and any characters in other scripts", () => {
    const match = createMatch([makeSkill("dates", { keywords: ["date", "日期"] })]);
    expect([match("the update"), match("a date!"), match("看日期吧")]).toEqual([[], ["dates"], ["dates"]]);
  });
});

describe("normalizeUtterance", () => {
  it("folds width, capitals, traditional characters and invisible ones", () => {
    expect(normalizeUtterance(" ＷＨＡＴ　現在\u200b幾點 ")).toBe("what 现在几点");
  });
});
