/** 编辑器里（Agent Client Protocol）。 */
export const editor = {
  place: (cwd: string) => `（编辑器打开的是 ${cwd}。我的文件工具不在那里，只动我自己的工作区。）`,
  serversLeftOut: (names: readonly string[]) =>
    `（编辑器带来的 MCP 服务器没有接：${names.join("、")}。要用，就写进我自己的 mcp.json。）`,
  allow: "确认，就这一次",
  reject: "取消",
  you: "你",
  several: (count: number) => `${count} 件事，一起答复`,
  leftOut: (count: number) => `（更早的 ${count} 条没有列出来。）`,
  stopped: "Kurisu 停下了。你说的话留着，下次启动之后接着答。",
  modes: {
    act: { name: "动手", description: "看和做；有影响的事先问你" },
    plan: { name: "计划", description: "只看不动手" },
  },
} as const;
