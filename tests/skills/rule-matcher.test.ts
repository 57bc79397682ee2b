import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { formatFault } from "../../src/core/yaml-file.ts";
import { loadSkills } from "../../src/skills/loader/load-skills.ts";
import { createSkillRegistry } from "../../src/skills/skill-registry.ts";
import { loadAllSkills, shippedSkillsFolder } from "../support/all-skills.ts";
import { createMatch } from "../support/match-skills.ts";

const registry = loadAllSkills();
const { faults } = registry;
const skills = registry.list();
const match = createMatch(createSkillRegistry(skills));

const cases: Readonly<Record<string, readonly string[]>> = {
  time: [
    "现在几点了？",
    "几点了",
    "今天几号",
    "今天是星期几来着",
    "东京那边现在几点",
    "三天后是星期几",
    "距离春节还有几天",
    "离高考还有多少天？",
    "今年中秋是几号",
    "农历今天初几",
    "北京和纽约时差多少",
    "两个小时后是几点",
    "2028年是闰年吗",
    "把下午三点换算成伦敦时间",
    "时间过得真快，现在几点了",
    "what time is it in Tokyo",
    "what day is it today?",
    "how many days until Christmas",
    "今何時？",
    "明日は何曜日",
    "クリスマスまであと何日",
    "報個時間，现在几点",
  ],
  "web-search": [
    "搜一下海马体的最新研究",
    "帮我查查明天上海的天气",
    "查一下人民币对日元汇率",
    "明天会下雨吗",
    "高铁几点的票还有",
    "北京到上海的高铁最早几点",
    "昨晚的决赛谁赢了",
    "故宫几点开门",
    "这款显卡现在多少钱？",
    "网上有没有这本书的评测",
    "帮我找几篇关于睡眠和记忆的论文",
    "今天有什么新闻",
    "百度一下这个人",
    "Node 24 最新版本是多少",
    "search for papers on sleep",
    "what's the latest news on fusion",
    "will it rain tomorrow",
    "look up the exchange rate",
    "最新のニュースを教えて",
    "脳科学の論文を調べて",
    "明日の天気は？",
  ],
  "file-tools": [
    "读一下 notes.txt",
    "帮我把 notes.txt 里的 TODO 都列出来，整理成 todo.md",
    "当前目录下有哪些文件",
    "把这段话保存成文件",
    "新建一个文件夹叫 backup",
    "删除那个日志文件",
    "看看 ./src/main.ts 写了什么",
    "在代码文件里搜一下 TODO",
    "统计一下 data.csv 有几行",
    "把结果存到 result.json",
    "打开上次的文档",
    "文件里面写了什么",
    "list the files here",
    "read the file and summarize it",
    "write this to a file",
    "what's in the folder",
    "ファイルを開いて",
    "このログから探して",
  ],
  none: [
    "时间过得真快",
    "找不到文件柜",
    "今天天气真好",
    "你有时间吗",
    "我查了半天也没结果",
    "客服说查一下就没下文了",
    "提醒你一下，别熬夜",
    "我有几点想法",
    "这段时间太累了",
    "算法的时间复杂度是多少",
    "讲讲时间旅行",
    "你几点睡的",
    "签证文件要带哪些",
    "你好",
    "海马体是干什么的",
    "冈部又在发疯",
    "我明天要去医院检查",
    "他被调查了",
    "哈哈哈哈",
    "谢谢你",
    "讲个笑话",
    "我好困",
    "那可不算什么新闻",
    "time flies",
    "that's news to me",
    "I want to file a complaint",
    "long time no see",
    "I updated my profile",
    "thanks, that's all",
    "node.js 好学吗",
    "お疲れさま",
    "眠い",
    "確認",
    "取消",
    "你怎么看自由意志",
    "晚安",
    "有空再聊",
    "为什么人会做梦",
    "时间线变动了吗",
    "文件精神要学习",
  ],
};

describe("the shipped skills", () => {
  it("load without a fault", () => {
    expect(faults.map(formatFault)).toEqual([]);
    const shipped = loadSkills(shippedSkillsFolder, {}).skills.map(({ id }) => id);
    expect(shipped).toEqual(readdirSync(shippedSkillsFolder).toSorted());
    expect(shipped).toContain("web-search");
    expect(skills.every(({ mcpServers }) => mcpServers.length === 0)).toBe(true);
  });

  describe.each(Object.entries(cases))("%s", (id, utterances) => {
    it.each(utterances)("%s", (utterance) => {
      expect(match(utterance)).toEqual(id === "none" ? [] : [id]);
    });
  });

  it("can be wanted together, the surer first", () => {
    const ids = match("搜一下今天的新闻，整理成 news.md 存到工作区");
    expect([...ids].sort()).toEqual(["file-tools", "web-search"]);
  });

  it("reads full width and capitals the same", () => {
    expect(match("ＷＨＡＴ ＴＩＭＥ ＩＳ ＩＴ")).toEqual(["time"]);
  });
});

describe("a pasted megabyte", () => {
  it("holds nobody up, and what is asked before or after it still counts", () => {
    const pasted = "a".repeat(1_000_000);
    expect(match(`现在几点了？\n${pasted}`)).toEqual(["time"]);
    expect(match(`${pasted}\n现在几点了？`)).toEqual(["time"]);
    expect(match(pasted)).toEqual([]);
  });
});

describe("what is to be translated", () => {
  it.each([
    "把“现在几点”翻译成法语",
    'translate "where is the file" into Chinese',
    "翻译成英文：今天天气怎么样",
    "「git commit」怎么读",
  ])("is no request: %s", (text) => {
    expect(match(text)).toEqual([]);
  });

  it("is one where it is named", () => {
    expect(match("把 readme.md 翻译成英文")).toContain("file-tools");
    expect(match("translate https://example.com/a.html please: open it in the browser")).toContain("browser");
    expect(match("把“旧名字”在 notes.txt 里都改成“新名字”")).toContain("file-tools");
  });
});
