import type { Language } from "../../core/conversation.ts";
import type { Translated } from "../../core/words/dictionary.ts";

const zh = {
  menus: {
    skills: { menu: "会的技能，开和关", help: "/skills  看会的技能，按聊天开关" },
  },
  extensions: {
    skill: (what: { id: string; version: string; name: string }) => `技能 ${what.id} ${what.version}（${what.name}）`,
    source: (source: string) => `来源：${source}`,
    commit: (commit: string) => `提交：${commit}`,
    digest: (digest: string) => `SHA-256：${digest}`,
    files: (what: { count: number; size: string }) => `文件 ${what.count} 个，共 ${what.size}：`,
    rights: "它要的权限：",
    noRights: "它不要任何权限，只给我看一段说明。",
    tools: (names: readonly string[]) => `用到的工具：${names.join("、")}`,
    network: (hosts: readonly string[]) => `命令可以访问（每次都要你确认）：${hosts.join("、")}`,
    scripts: (paths: readonly string[]) => `带的脚本（只在沙箱里跑）：${paths.join("、")}`,
    server: (line: string) => `在沙箱外启动或连接的 MCP 服务器：${line}`,
    variables: (names: readonly string[]) => `会读到的环境变量：${names.join("、")}`,
    needs: (what: { python: readonly string[]; node: readonly string[]; programs: readonly string[] }) =>
      `沙箱里要有：${[
        ...(what.python.length > 0 ? [`Python 模块 ${what.python.join("、")}`] : []),
        ...(what.node.length > 0 ? [`npm 包 ${what.node.join("、")}`] : []),
        ...(what.programs.length > 0 ? [`程序 ${what.programs.join("、")}`] : []),
      ].join("；")}`,
    findings: (count: number) => `检查发现 ${count} 处：`,
    noFindings: "检查没有发现问题。",
    firstUse: "这个技能是装来的，第一次在这里用。同意以后，它的说明会进到这个聊天里。",
    authored: "这是我从刚才的对话里写出来的技能，全文如下：",
    mcpServer: (name: string) => `MCP 服务器 ${name}`,
    registryEntry: (what: { name: string; version: string; registry: string }) =>
      `登记为 ${what.name} ${what.version}，来自 ${what.registry}`,
    runsOnHost: "它会在沙箱外启动一个程序。完整命令：",
    connectsTo: (url: string) => `它会连到 ${url}`,
    needsVariables: (names: readonly string[]) => `要先在环境里设好：${names.join("、")}`,
    undo: (command: string) => `撤销：${command}`,
  },
  servers: {
    walled: (line: string) => `在容器里跑的 MCP 服务器：${line}`,
    /** A line under a skill in /skills. */
    line: (one: { readonly name: string; readonly state: string }) => `    MCP ${one.name}：${one.state}`,
    nameTaken: "名字已经被别的服务器用了，没有启用",
  },
  heading: (count: number) =>
    `会的技能（${count}）。/skills off ID 关掉，/skills on ID 打开，/skills auto ID 恢复默认：`,
  none: "现在一个技能也没有。",
  missingHeading: "缺东西，现在用不了的：",
  ready: "可用",
  active: "正在用",
  off: "关了",
  missing: (what: readonly string[]) => `用不了，缺 ${what.join("、")}`,
  untrusted: "外来的，没打开（管理员说 /skills on 才用）",
  waiting: "装来的，这里还没用过（第一次用会问管理员）",
  disabled: (one: { readonly id: string; readonly problem: string }) => `✕ ${one.id}  装来的，停用了：${one.problem}`,
  asksFirst: (id: string) =>
    `${id} 是装来的：这里第一次用它之前，我会把来源和权限给管理员看，再等「确认」。直接说要做的事就行。`,
  unknown: (id: string) => `没有叫 ${id} 的技能，/skills 看有哪些。`,
  turnedOn: (id: string) => `好，这里可以用 ${id} 了。`,
  turnedOnForeign: (id: string) =>
    `好，这里可以用 ${id} 了。它是外来的：用到它的那一轮按读过外面的东西算，动手的事都会再问你。`,
  turnedOnMissing: (one: { readonly id: string; readonly missing: readonly string[] }) =>
    `${one.id} 打开了，但现在还用不了，缺 ${one.missing.join("、")}。`,
  turnedOff: (id: string) => `好，这里不再用 ${id}。`,
  auto: (id: string) => `好，${id} 恢复默认。`,
  ownerOnly: "外来的技能只有管理员能打开。",
  usage: "用法：/skills，/skills on ID，/skills off ID，/skills auto ID。",
};

const en: Translated<typeof zh> = {
  menus: {
    skills: {
      menu: "Skills: which there are, on and off",
      help: "/skills  list the skills, switch them on or off in this chat",
    },
  },
  extensions: {
    skill: (what) => `Skill ${what.id} ${what.version} (${what.name})`,
    source: (source) => `Source: ${source}`,
    commit: (commit) => `Commit: ${commit}`,
    digest: (digest) => `SHA-256: ${digest}`,
    files: (what) => `${what.count} ${what.count === 1 ? "file" : "files"}, ${what.size}:`,
    rights: "It asks for:",
    noRights: "It asks for no rights; it only gives me a text to read.",
    tools: (names) => `tools it works with: ${names.join(", ")}`,
    network: (hosts) => `hosts for commands, each time after a yes: ${hosts.join(", ")}`,
    scripts: (paths) => `scripts, which run in the sandbox only: ${paths.join(", ")}`,
    server: (line) => `an MCP server started or reached outside of the sandbox: ${line}`,
    variables: (names) => `environment variables it is given: ${names.join(", ")}`,
    needs: (what) =>
      `It needs in the sandbox: ${[
        ...(what.python.length > 0 ? [`python: ${what.python.join(", ")}`] : []),
        ...(what.node.length > 0 ? [`npm: ${what.node.join(", ")}`] : []),
        ...(what.programs.length > 0 ? [`programs: ${what.programs.join(", ")}`] : []),
      ].join("; ")}`,
    findings: (count) => `The checks found ${count} ${count === 1 ? "thing" : "things"}:`,
    noFindings: "The checks found nothing.",
    firstUse: "This skill was installed and is used here for the first time. With a yes its text comes into this chat.",
    authored: "I wrote this skill from our conversation. All of it:",
    mcpServer: (name) => `MCP server ${name}`,
    registryEntry: (what) => `Registered as ${what.name} ${what.version} in ${what.registry}`,
    runsOnHost: "It starts a program outside of the sandbox. The whole command:",
    connectsTo: (url) => `It connects to ${url}`,
    needsVariables: (names) => `To be set in the environment first: ${names.join(", ")}`,
    undo: (command) => `To undo: ${command}`,
  },
  servers: {
    walled: (line) => `MCP server that runs in a container: ${line}`,
    line: ({ name, state }) => `    MCP ${name}: ${state}`,
    nameTaken: "left out, another server has the name",
  },
  heading: (count) => `Skills (${count}). /skills off ID, /skills on ID, /skills auto ID for the default:`,
  none: "There is not a single skill.",
  missingHeading: "Not available, because something is missing:",
  ready: "ready",
  active: "in use",
  off: "off",
  missing: (what) => `cannot be used, missing: ${what.join(", ")}`,
  untrusted: "from outside, not switched on (an owner says /skills on)",
  waiting: "installed, never used here (its first use asks the owner)",
  disabled: ({ id, problem }) => `✕ ${id}  installed, and off: ${problem}`,
  asksFirst: (id) =>
    `${id} was installed: before its first use here I show an owner where it comes from and what it may do, and wait for a "confirm". Just say what you want done.`,
  unknown: (id) => `There is no skill ${id}; /skills lists them.`,
  turnedOn: (id) => `Fine, ${id} can be used here.`,
  turnedOnForeign: (id) =>
    `Fine, ${id} can be used here. It comes from outside: a turn that uses it counts as having read something foreign, and I will ask before I do anything.`,
  turnedOnMissing: ({ id, missing }) => `${id} is on, but cannot be used yet: missing ${missing.join(", ")}.`,
  turnedOff: (id) => `Fine, ${id} is not used here any more.`,
  auto: (id) => `Fine, ${id} is back to the default.`,
  ownerOnly: "Only an owner may switch on a skill from outside.",
  usage: "Usage: /skills, /skills on ID, /skills off ID, /skills auto ID.",
};

const ja: Translated<typeof zh> = {
  menus: {
    skills: { menu: "スキルの一覧、オンとオフ", help: "/skills  スキルの一覧。このチャットでのオン・オフ" },
  },
  extensions: {
    skill: (what) => `スキル ${what.id} ${what.version}（${what.name}）`,
    source: (source) => `入手元：${source}`,
    commit: (commit) => `コミット：${commit}`,
    digest: (digest) => `SHA-256：${digest}`,
    files: (what) => `ファイル ${what.count} 個、計 ${what.size}：`,
    rights: "求めている権限：",
    noRights: "権限は求めていない。わたしが読む説明だけ。",
    tools: (names) => `使うツール：${names.join("、")}`,
    network: (hosts) => `コマンドが届くホスト（毎回確認する）：${hosts.join("、")}`,
    scripts: (paths) => `付属スクリプト（サンドボックスの中だけで動く）：${paths.join("、")}`,
    server: (line) => `サンドボックスの外で起動または接続する MCP サーバー：${line}`,
    variables: (names) => `渡される環境変数：${names.join("、")}`,
    needs: (what) =>
      `サンドボックスに必要なもの：${[
        ...(what.python.length > 0 ? [`Python モジュール ${what.python.join("、")}`] : []),
        ...(what.node.length > 0 ? [`npm パッケージ ${what.node.join("、")}`] : []),
        ...(what.programs.length > 0 ? [`プログラム ${what.programs.join("、")}`] : []),
      ].join("；")}`,
    findings: (count) => `検査で ${count} 件見つかった：`,
    noFindings: "検査では何も見つからなかった。",
    firstUse: "このスキルは入れたもので、ここで使うのは初めて。承認すると、その説明がこのチャットに入る。",
    authored: "さっきの会話からわたしが書いたスキル。全文：",
    mcpServer: (name) => `MCP サーバー ${name}`,
    registryEntry: (what) => `${what.registry} に ${what.name} ${what.version} として登録`,
    runsOnHost: "サンドボックスの外でプログラムを起動する。コマンド全体：",
    connectsTo: (url) => `${url} に接続する`,
    needsVariables: (names) => `先に環境に設定するもの：${names.join("、")}`,
    undo: (command) => `取り消すには：${command}`,
  },
  servers: {
    walled: (line) => `コンテナの中で動く MCP サーバー：${line}`,
    line: ({ name, state }) => `    MCP ${name}：${state}`,
    nameTaken: "同じ名前のサーバーがあるので使っていない",
  },
  heading: (count) => `スキル（${count}）。/skills off ID で止める、/skills on ID で使う、/skills auto ID で元に戻す：`,
  none: "スキルはまだ一つもないわ。",
  missingHeading: "足りないものがあって、今は使えない:",
  ready: "使える",
  active: "使用中",
  off: "オフ",
  missing: (what) => `使えない。足りないもの：${what.join("、")}`,
  untrusted: "外から来たもの。まだオフ（管理者が /skills on で許可）",
  waiting: "インストール済み。ここではまだ使っていない（初回は管理者に確認する）",
  disabled: ({ id, problem }) => `✕ ${id}  インストール済み、停止中：${problem}`,
  asksFirst: (id) =>
    `${id} はインストールしたもの。ここで初めて使う前に、出どころと権限を管理者に見せて「確認」を待つ。やりたいことをそのまま言って。`,
  unknown: (id) => `${id} というスキルはないわ。/skills で一覧を見て。`,
  turnedOn: (id) => `いいわ、ここでは ${id} を使う。`,
  turnedOnForeign: (id) =>
    `いいわ、ここでは ${id} を使う。外から来たものだから、使った回は外の文章を読んだ扱いになって、何かする前に必ず確認する。`,
  turnedOnMissing: ({ id, missing }) => `${id} はオンにしたけど、まだ使えない。足りないもの：${missing.join("、")}。`,
  turnedOff: (id) => `いいわ、ここでは ${id} を使わない。`,
  auto: (id) => `いいわ、${id} は元の設定に戻した。`,
  ownerOnly: "外から来たスキルをオンにできるのは管理者だけよ。",
  usage: "使い方：/skills、/skills on ID、/skills off ID、/skills auto ID。",
};

export type SkillWords = Translated<typeof zh>;

export const skillWords: Readonly<Record<Language, SkillWords>> = { zh, en, ja };
