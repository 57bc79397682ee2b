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
