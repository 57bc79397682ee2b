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
    persona: "列出、选择、导入、导出和检查人设",
    "engine-guard": "让一个容器只能为沙箱使用容器引擎",
  },
  more: (kurisu: string) => `${kurisu} COMMAND --help 有更多说明（英文）。`,
  unknownCommand: (name: string) => `没有 ${name} 这个命令。`,
};
