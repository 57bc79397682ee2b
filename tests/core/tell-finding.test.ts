import { describe, expect, it } from "vitest";
import { checkNames } from "../../src/core/words/reasons/check-names.ts";
import { findingWords } from "../../src/core/words/reasons/finding-words.ts";
import { tellFinding } from "../../src/core/words/tell-finding.ts";

describe("a line of the doctor", () => {
  it.each([
    ["zh", "owner", "who uses the terminal here (cli:owner)", "管理员: 用这台机器终端的人（cli:owner）"],
    ["ja", "database", "sqlite (new)", "データベース: sqlite（新規）"],
    ["en", "database", "sqlite (new)", "database: sqlite (new)"],
    ["zh", "cli", "2 connected (running)", "cli: 连着 2 个（运行中）"],
    ["ja", "model", "openai:deepseek-chat ready (running)", "モデル: openai:deepseek-chat は使える（実行中）"],
    [
      "zh",
      "environment",
      "KURISU_PROT of .env is not a known variable; did you mean KURISU_PORT?",
      "环境变量: .env 里的 KURISU_PROT 不是认识的变量；是不是想写 KURISU_PORT？",
    ],
    [
      "zh",
      "browser",
      "The container engine has no image kurisu-browser:latest for the browser. Build it: npm run sandbox:image -- --browser. Or let it run on this machine, where a page that breaks out of it reaches everything: tools.browser.host: true in tools.yaml.",
      "浏览器: 容器引擎里没有浏览器的镜像 kurisu-browser:latest。构建它：npm run sandbox:image -- --browser。也可以让浏览器直接在这台机器上跑（tools.yaml 的 tools.browser.host: true），不过页面一旦逃出来就什么都够得着。",
    ],
    ["ja", "backup", "2026-01-01-0000.tgz, 0 h old, 1.2 MB", "バックアップ: 2026-01-01-0000.tgz、0 時間前、1.2 MB"],
    [
      "zh",
      "qq",
      "waiting for a OneBot implementation to connect to ws://127.0.0.1:10485/onebot (running)",
      "qq: 等 OneBot 实现连到 ws://127.0.0.1:10485/onebot（运行中）",
    ],
    [
      "zh",
      "skill a",
      "off: skills/a/skill.yaml:1:1 is no valid YAML: Unexpected scalar. Mend that, or take it away: ./kurisu skills remove a",
      "技能 a: 关着：skills/a/skill.yaml:1:1 不是正确的 YAML（Unexpected scalar）。改好它，或者拿掉：./kurisu skills remove a",
    ],
    [
      "zh",
      "configuration",
      "config/system/models.yaml:4 window.block has no effect any more, so delete the line: window.tokens limits the conversation in a prompt",
      "配置: config/system/models.yaml:4 window.block 已经不起作用，把这一行删掉：提示词里的对话由 window.tokens 限制",
    ],
    [
      "ja",
      "process a:1",
      "worker 1.0.0, silent for 12 s: others get its work",
      "プロセス a:1: worker 1.0.0、12 秒応答なし：その仕事はほかのプロセスに移る",
    ],
    [
      "zh",
      "backup",
      "none by itself on Postgres; see docs/backup.md",
      "备份: Postgres 上没有自动备份；见 docs/backup.md",
    ],
    [
      "zh",
      "cluster",
      "gateway, one of 1 process, 0 conversations here, no process answers: start one with --role worker (running)",
      "多进程: gateway，只有这个进程，这里有 0 个会话；没有进程在回答：用 --role worker 启动一个（运行中）",
    ],
    [
      "zh",
      "workers",
      "no process answers: each worker is silent, or has other rules than the newest process",
      "回答的进程: 没有进程在回答：每个 worker 不是没有动静，就是规则和最新的进程不一样",
    ],
    ["zh", "skill a", "some words of a server", "技能 a: some words of a server"],
    [
      "zh",
      "qq",
      "off. Set ONEBOT_WS_URL or ONEBOT_ACCESS_TOKEN (NapCat, LLBot): docs/channels.md",
      "qq: 关着。设置 ONEBOT_WS_URL 或 ONEBOT_ACCESS_TOKEN（NapCat, LLBot）：docs/channels.zh-CN.md",
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
