/** The list of the commands of ./kurisu. */
export const cli = {
  commands: {
    start: "启动 Kurisu",
    setup: "问几个问题，试一试，写好 .env",
    chat: "在终端里跟 Kurisu 说话，或者在脚本里说一句",
    acp: "在编辑器里跟 Kurisu 说话（Agent Client Protocol）",
    doctor: "检查装好了什么，告诉你剩下的怎么办",
    tools: "列出工具，说明它们能做什么",
    approvals: "列出等着回答的问题，回答它们",
    audit: "查看决定过什么、执行过什么，核对没有人改动过",
    "migrate-store": "把 SQLite 数据库搬到 Postgres，并核对两边",
    restore: "恢复备份，放进空的数据目录，或加 --replace",
    console: "打印网页控制台的地址和一个新的登录码",
    persona: "列出、选择、导入、导出和检查人设",
    "engine-guard": "让一个容器只能为沙箱使用容器引擎",
  },
  more: (kurisu: string) => `${kurisu} COMMAND --help 有更多说明（英文）。`,
  faultWhileRunning: (fault: string) =>
    `配置有错，正在跑的 Kurisu 用的还是上一份好的，这条命令也是；她下次启动会停在这里：\n${fault}\n`,
  unknownCommand: (name: string) => `没有 ${name} 这个命令。`,
};

/** In an editor (Agent Client Protocol). */
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
