/**
 * Two lines a command: `menu` is what chat programs list behind "/", `help` its line in /help. One without `help` is in
 * the line of another command.
 */
export const commandMenu = {
  help: { menu: "怎么用，有哪些命令", help: "/help    这份说明" },
  status: { menu: "现在的状态，等你答复的事", help: "/status  看现在的状态和等你答复的事" },
  stop: { menu: "停下正在做的事", help: "/stop    停下正在做的事，等待中的也作废" },
  new: { menu: "放下之前的话题，重新开始", help: "/new     放下之前的话题，重新开始" },
  undo: { menu: "找回刚删掉的文件", help: "/undo    找回刚删掉的文件，或用 /undo 编号 指定" },
  todo: { menu: "待办清单", help: "/todo    看待办清单" },
  busy: { menu: "忙的时候又说话怎么办", help: "/busy    忙的时候你又说话：queue 排队，steer 插话，interrupt 打断" },
  lang: { menu: "用哪种语言：zh、en、ja、auto", help: "/lang    这里用哪种语言（zh、en、ja；auto 跟着你）" },
  model: { menu: "这里先问哪个模型", help: "/model   看有哪些模型、这里用哪个；管理员加名字就换" },
  persona: { menu: "这里由谁说话", help: "/persona 看有哪些人格、这里是谁；加名字就换，why 看起作用的设定" },
  plan: { menu: "计划模式：只看不动手", help: "/plan    计划模式：只看不动手（/plan 文件夹：只能改那里）" },
  act: { menu: "关掉计划模式", help: "/act     关掉计划模式" },
  grants: { menu: "给出的许可", help: "/grants  看给出的许可；/revoke 编号 收回" },
  revoke: { menu: "收回一个许可" },
  pair: { menu: "用配对码放人进来", help: "/pair    用配对码放人进来" },
  trust: { menu: "信任一个人（管理员）", help: "/trust   信任一个人（管理员），/untrust 收回" },
  untrust: { menu: "收回信任（管理员）" },
  resume: { menu: "全部停下之后恢复（管理员）", help: "/stop all  管理员：所有人的都停下（/resume 恢复）" },
} as const;

/** The answer to /start, below a greeting of the persona; the examples are buttons. */
export const welcome = {
  how: "直接说要做什么。要动手的事，我会先把内容给你看，你回复「确认」才做，「取消」就算了。",
  tryOne: "不知道说什么？先试一个：",
  helpLine: "常用的命令看 /help。",
  examples: { clock: "现在几点？", files: "列出工作区里的文件", command: "运行 uname -a" },
} as const;
