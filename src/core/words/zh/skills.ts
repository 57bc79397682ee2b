/** /skills 的回答。 */
export const skills = {
  heading: (count: number) =>
    `会的技能（${count}）。/skills off 编号 关掉，/skills on 编号 打开，/skills auto 编号 恢复默认：`,
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
  usage: "用法：/skills，/skills on 编号，/skills off 编号，/skills auto 编号。",
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
