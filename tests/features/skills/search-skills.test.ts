import { describe, expect, it, test } from "vitest";
import { skillSchema, type Skill } from "../../../src/features/skills/loader/types.ts";
import { searchSkills } from "../../../src/features/skills/matching/search-skills.ts";
import { loadAllSkills } from "../../support/all-skills.ts";
import { createMatch } from "../../support/match-skills.ts";
import { workTime } from "../../support/work-time.ts";

function makeSkill(id: string, description: string, context = ""): Skill {
  const { examples: _, ...parsed } = skillSchema.parse({
    id,
    name: id,
    version: "1.0.0",
    type: "knowledge",
    description,
    context,
  });
  return {
    ...parsed,
    examples: [],
    sentences: [],
    folder: "",
    origin: "config",
    mcpServers: [],
    installed: { digest: "", source: "" },
  };
}

/** Described in English alone, as most skills that people share are. */
const skills: readonly Skill[] = [
  makeSkill(
    "letters",
    "Writes letters and contracts as Word documents with headings, tables of contents and page numbers.",
  ),
  makeSkill(
    "paper-cutter",
    "Merge, split and rotate PDF files, add watermarks. Do not use for spreadsheets or Word documents.",
  ),
  makeSkill("talks", "Builds slide decks and presentations with speaker notes."),
  makeSkill("ledger", "Opens spreadsheets, adds columns and formulas, draws charts of the numbers."),
  makeSkill("bug-hunt", "Finds the root cause of a bug, a crash or a failing test before anything is fixed."),
  makeSkill("ideas", "Brainstorming of ideas and requirements before a feature is built."),
  makeSkill("publish", "Deploys a website to a hosting provider."),
  makeSkill("garden", "Advice on plants.", "How to prune roses and when to repot an orchid."),
  makeSkill("tickets", "把客户的工单整理成表，按优先级排序。"),
];
const all = [...loadAllSkills().list(), ...skills];

describe("a search finds skills by names, descriptions and texts:", () => {
  it.each([
    ["letters", "把合同写成 word 文档，加上目录"],
    ["paper-cutter", "这几个 PDF 合并一下再加水印"],
    ["talks", "做一份介绍产品的幻灯片"],
    ["ledger", "这张电子表格里加一列求和公式"],
    ["bug-hunt", "程序一打开就崩溃，找找原因"],
    ["ideas", "我们来头脑风暴，想几个点子"],
    ["publish", "把网站部署到线上"],
    ["tickets", "客户工单太乱了，按优先级排一下"],
    ["letters", "write a contract as a word document"],
    ["paper-cutter", "rotate the pages of this pdf"],
    ["talks", "I need slides for my presentation"],
    ["ledger", "put a chart into the spreadsheet"],
    ["bug-hunt", "why does this test keep failing"],
    ["garden", "how do I prune my roses"],
    ["publish", "deploying our website"],
  ])("%s for %s", (id, query) => expect(searchSkills(all, query)[0]?.id).toBe(id));

  it("a skill is not found by what its description excludes", () => {
    const ids = searchSkills(all, "a spreadsheet").map(({ id }) => id);
    expect(ids).toContain("ledger");
    expect(ids).not.toContain("paper-cutter");
  });
});

describe("the matcher", () => {
  const match = createMatch(all);

  it("calls for a skill without sentences by the words of its description", () => {
    expect(match("rotate the pages of this pdf and add a watermark")).toContain("paper-cutter");
    expect(match("把合同写成 word 文档，加上目录和页码")).toContain("letters");
  });

  it("calls for the shipped skills as before, and for none in small talk", () => {
    expect(match("纽约现在几点了")).toEqual(["time"]);
    for (const text of [
      "今天好累啊",
      "你好呀，吃饭了吗",
      "晚安，明天见",
      "我昨天跟朋友去看电影了",
      "what do you think about love",
      "my cat is sleeping on my keyboard",
      "thanks, see you tomorrow",
      "I can't wait for the weekend",
    ])
      expect([text, match(text)]).toEqual([text, []]);
  });
});

test("a long text and many skills are searched in little time", () => {
  const many = Array.from({ length: 300 }, (_, n) =>
    makeSkill(`s-${n}`, `does thing ${n}`, "some words of a text ".repeat(500)),
  );
  const start = workTime();
  searchSkills(many, "thing 7");
  for (let round = 0; round < 20; round += 1) searchSkills(many, "浏览器 thing 的上".repeat(100_000));
  expect(workTime() - start).toBeLessThan(15_000);
});
