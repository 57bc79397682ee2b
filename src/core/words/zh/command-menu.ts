/** 聊天软件输入「/」时列出的命令：名字和一句说明。 */
export const commandMenu = {
  help: "怎么用，全部命令",
  status: "现在的状态，等你答复的事",
  stop: "停下正在做的事",
  new: "放下之前的话题，重新开始",
  undo: "找回刚删掉的文件",
  todo: "待办清单",
  skills: "会的技能，开和关",
  plan: "计划模式：只看不动手",
  act: "关掉计划模式",
  worldline: "世界线：能回去的点",
  dmail: "回到一个点，从那里重新说",
  grants: "给出的许可",
  revoke: "收回一个许可",
  preferences: "我记下的你的习惯",
  usage: "今天用了多少",
  proof: "上一条回答有什么依据",
  mcp: "MCP 服务器",
  pair: "用配对码放人进来",
  trust: "信任一个人（管理员）",
  untrust: "收回信任（管理员）",
  resume: "全部停下之后恢复（管理员）",
} as const;

/** /start 的回答，跟在人格自己的一句问候后面；例子可以直接按。 */
export const welcome = {
  how: "直接说要做什么。要动手的事，我会先把内容给你看，你回复「确认」才做，「取消」就算了。",
  tryOne: "不知道说什么？先试一个：",
  helpLine: "/help 是全部命令。",
  examples: { clock: "现在几点？", files: "列出工作区里的文件", command: "运行 uname -a" },
} as const;
