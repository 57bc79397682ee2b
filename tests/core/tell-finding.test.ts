import { describe, expect, it } from "vitest";
import { checkNames, findingWords } from "../../src/core/words/reasons/finding-words.ts";
import { tellFinding } from "../../src/core/words/tell-finding.ts";

describe("a line of the doctor", () => {
  it.each([
    ["zh", "owner", "who uses the terminal here (cli:owner)", "管理员: 用这台机器终端的人（cli:owner）"],
    ["ja", "database", "sqlite (new)", "データベース: sqlite（新規）"],
    ["en", "database", "sqlite (new)", "database: sqlite (new)"],
    ["zh", "skill a", "some words of a server", "技能 a: some words of a server"],
    [
      "zh",
      "qq",
      "off. Set ONEBOT_WS_URL or ONEBOT_ACCESS_TOKEN (NapCat, LLBot): docs/channels.md",
      "qq: 关着。设置 ONEBOT_WS_URL 或 ONEBOT_ACCESS_TOKEN（NapCat, LLBot）：docs/channels.md",
    ],
    ["ja", "model", "deepseek/x answered in 1.2 s (running)", "モデル: deepseek/x は 1.2 秒で答えた（実行中）"],
    [
      "zh",
      "sandbox",
      "No container engine answers at /x (ENOENT). Start Docker (sudo systemctl start docker), or set DOCKER_HOST to the engine's address.",
      "沙箱: /x 没有容器引擎回应（ENOENT）。启动 Docker（sudo systemctl start docker），或者把 DOCKER_HOST 设成引擎的地址。",
    ],
  ] as const)("tellFinding tells a line in %s: %s, %s", (language, check, detail, told) => {
    expect(tellFinding({ check, detail }, language)).toBe(told);
  });

  it("uses in each language the values that the sentence has", () => {
    const count = (text: string) => text.split(/\{~?\}/).length;
    const uneven = [...checkNames, ...findingWords].filter(([sentence, zh, ja]) =>
      [zh, ja].some((text) => count(text) !== count(sentence)),
    );
    expect(uneven).toEqual([]);
  });
});
