/** /skills 的回答。 */
export const skills = {
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

/** 技能自带的 MCP 服务器。 */
export const skillServers = {
  walled: (line: string) => `在容器里跑的 MCP 服务器：${line}`,
  /** /skills 里，技能下面的一行。 */
  line: (one: { readonly name: string; readonly state: string }) => `    MCP ${one.name}：${one.state}`,
  nameTaken: "名字已经被别的服务器用了，没有启用",
  waits: "还没启动（用到这个技能再启动）",
  notHere: (skill: string) => `它是技能 ${skill} 带的，那个技能在这里还不能用（看 /skills），所以没有去连它。`,
  of: (skill: string) => `（技能 ${skill} 带的）`,
};

/** Installing skills and servers, and the notes on what a person prefers. */
export const extensions = {
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
  ownTool:
    "这是主人自己写的工具，第一次用。它在一个没有文件、没有网络的进程里跑；同意的是下面这份代码，改一个字都要重新问。全文：",
  authored: "这是我从刚才的对话里写出来的技能，全文如下：",
  mcpServer: (name: string) => `MCP 服务器 ${name}`,
  registryEntry: (what: { name: string; version: string; registry: string }) =>
    `登记为 ${what.name} ${what.version}，来自 ${what.registry}`,
  runsOnHost: "它会在沙箱外启动一个程序。完整命令：",
  connectsTo: (url: string) => `它会连到 ${url}`,
  needsVariables: (names: readonly string[]) => `要先在环境里设好：${names.join("、")}`,
  undo: (command: string) => `撤销：${command}`,
};

/** 发来的角色卡：问题里写明它带来什么。 */
export const cards = {
  becomes: (what: { name: string; version: number; id: string }) =>
    `角色卡「${what.name}」（V${what.version}）会成为人格 ${what.id}。之后用 /persona ${what.id} 选它，下一句就生效。`,
  kept: (parts: readonly string[]) => `留下：${parts.join("、")}。`,
  description: (characters: number) => `设定 ${characters} 字`,
  greetings: (count: number) => `开场白 ${count} 句`,
  entries: (count: number) => `世界书 ${count} 条`,
  picture: "头像",
  files: (count: number) => `附带的文件 ${count} 个`,
  stored: "其余的字段原样存着，不进提示词，导出时都在。",
  instructionsLeft: "不带：它自己的 system_prompt 和 post_history_instructions。要不要带，是单独的一项。",
  bookLeft: (problem: string) => `不带：它的世界书，读不了（${problem}）。`,
  replaces: (id: string) =>
    `角色卡自己的指令会排在人格 ${id} 的提示词最前和最后。我的规矩、工具、审批都照旧。同意这一项，人格就连这些一起做。全文：`,
  alwaysOn: (count: number) => `世界书里有 ${count} 条一直生效，每一轮都进提示词：`,
  grantsNothing: "卡片是别人写的，改不了权限、工具和管理员。设定的开头：",
};

export const preferences = {
  heading: (count: number) => `我记下的你的习惯（${count} 条，只影响我怎么做，不改权限）：`,
  none: "还没有记下你的习惯。可以说「以后都用简体」，或者 /preferences add 内容。",
  item: (what: { number: number; text: string; origin: string }) => `${what.number}. ${what.text}（${what.origin}）`,
  said: "你说的",
  added: "你加的",
  learned: "看出来的",
  keeps: (tool: string) => `通常会同意 ${tool}`,
  refuses: (tool: string) => `多次拒绝了 ${tool}，先想别的办法`,
  option: (what: { tool: string; option: string; value: string }) =>
    `${what.tool} 的 ${what.option} 通常用 ${what.value}`,
  /** A choice that the person put right in their own words. */
  choices: {
    folder: (what: { tool: string; value: string }) => `${what.tool}：写到 ${what.value}`,
    ending: (what: { tool: string; value: string }) => `${what.tool}：存成 ${what.value}`,
    language: (what: { tool: string; value: string }) => `${what.tool}：用${what.value}写`,
    format: (what: { tool: string; value: string }) => `${what.tool}：用 ${what.value} 格式`,
  },
  changes: (what: { tool: string; option: string }) => `${what.tool} 的 ${what.option} 常要改，拿不准先问`,
  noted: (text: string) => `记下了：${text}`,
  edited: (what: { before: string; after: string }) => `改好了：${what.before} → ${what.after}`,
  unfit: {
    permission: "这是权限的事，不是习惯：我照样每次问你，不记。",
    secret: "看着像密码或密钥，我不记这种东西。",
  },
  full: (most: number) => `最多记 ${most} 条，先用 /preferences forget 编号 删一条。`,
  tooLong: (most: number) => `一条最多 ${most} 个字。`,
  forgotten: (text: string) => `忘掉了：${text}`,
  forgotAll: (count: number) => `${count} 条都忘掉了。`,
  unknown: (number: string) => `没有第 ${number} 条。发 /preferences 看编号。`,
  privateOnly: "这是你自己的事，别人会看到。私聊里发 /preferences；在群里只能 add 和 forget all。",
  usage: "用法：/preferences，/preferences add 内容，/preferences edit 编号 新内容，/preferences forget 编号（或 all）",
};
