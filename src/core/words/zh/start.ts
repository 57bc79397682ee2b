import { buildImageCommand, kurisuCommand } from "../../kurisu-command.ts";

/** The start of the program, and the frame of the chat in a terminal. */
export const start = {
  data: "数据",
  config: "配置",
  model: "模型",
  offline: "离线（按规则应答）",
  offlineRemedy: (keys: readonly string[]) =>
    `接真正的模型：${kurisuCommand} setup，或者设置 ${keys.join(" 或 ")}，或者启动 Ollama   → ${kurisuCommand} doctor`,
  keysLeftOffline: (keys: readonly string[]) =>
    `KURISU_MODEL=offline 让 ${keys.join("、")} 用不上；去掉 KURISU_MODEL，或者在里面写一个模型`,
  idleKey: (key: { readonly variable: string; readonly form: string }) =>
    `${key.variable} 设了，但没说用哪个模型：KURISU_MODEL=${key.form}`,
  on: "已开启",
  off: "关",
  channelRemedy: (variables: readonly string[]) => `设置 ${variables.join(" 或 ")}   → docs/channels.zh-CN.md`,
  process: "进程",
  roles: { all: "平台和回答", gateway: "只连平台，回答归 worker", worker: "只回答，平台归 gateway" },
  /** One of several processes on one database; `what` it does. */
  processOf: (one: { readonly what: string; readonly count: number }) => `${one.what}；这个数据库上共 ${one.count} 个`,
  sandbox: "沙箱",
  sandboxElsewhere: "这里不用：命令由 worker 执行",
  engineMissing: (engine: { readonly address: string }) =>
    `用不了：${engine.address} 没有容器引擎回应。启动 Docker，或者把 \`DOCKER_HOST\` 改对`,
  /** Its fault and the operator's remedy. */
  sandboxStates: {
    off: "关着（sandbox.yaml: `enabled`）",
    "engine-missing": "用不了：容器引擎没有回应。启动 Docker，或者设置 `DOCKER_HOST`",
    "image-missing": `用不了：没有沙箱镜像。构建它：\`${buildImageCommand}\``,
    "no-permission": "用不了：没有权限用容器引擎。把用户加进 docker 组再登录一次，或者设置 `DOCKER_HOST`",
    "workspace-unseen": "用不了：容器引擎看不到工作区。数据文件夹（`KURISU_HOME`）在两边要是同一个绝对路径",
  },
  sandboxReady: (status: { readonly engine: string; readonly image: string; readonly megabytes: number }) =>
    `就绪，容器引擎 ${status.engine}，镜像 ${status.image}（${status.megabytes} MB）`,
  owner: "管理员",
  ownerKnown: "已设置",
  ownerTerminal: `只有本机终端（${kurisuCommand} chat）`,
  ownerHere: "就是你（这个终端）",
  channel: {
    connecting: "连接中……",
    waiting: (at: string) => `在等 NapCat（或 LLBot）连到 ${at}`,
    connected: (as: string) => `已连上：${as}`,
    postedTo: (at: string) => `；消息发到 ${at}`,
    misses: { groups: "；隐私模式开着，群里只看得到命令、@ 和回复，不碍事", guilds: "；没有频道权限，频道里听不到" },
    standby: "待命中，由另一个进程连接",
    serving: (model: string) => `已开启：模型 ${model}，地址 /v1`,
  },
  chatElsewhere: `${kurisuCommand} chat 另开一个终端就能聊；Ctrl-C 停下`,
  chatHere: "试试 /start；/exit 离开",
  /** A second start for the same data folder. */
  alreadyRuns: (running: { readonly holder: string; readonly home: string }) =>
    `Kurisu 已经在运行（${running.holder}，数据文件夹 ${running.home}）。\n  跟她聊：${kurisuCommand} chat\n  要重新启动，先停下它；要再开一个，把 KURISU_HOME 设成别的文件夹。`,
  processNamed: (process: { readonly id: number; readonly purpose: string }) =>
    `进程 ${process.id}，kurisu ${process.purpose}`,
  processUnnamed: "另一个进程",
  ownerCode: "配对码",
  ownerRemedy: "私聊发给机器人，第一个发的人就是管理员",
  console: "控制台",
  consoleCode: (way: { readonly code: string }) => `打开它，用码 ${way.code} 登录（10 分钟内，一次）`,
  consolePassword: "打开它，用 KURISU_CONSOLE_PASSWORD 登录",
  consoleOpen: "在浏览器里打开它，用这个码登录（10 分钟内有效，一次）：",
  consoleNotRunning: (start: { readonly command: string }) =>
    `这里没有在运行的 Kurisu。先启动她，再运行一次：${start.command}`,
  hung: "我卡死了，怎么都缓不过来，先自己退出。重新启动就行：让我卡住的那条会被放到一边，其他的接着答。",
  stopping: "正在停下，把手上的事做完……",
  prompt: "你> ",
  questionPrompt: "确认 / 取消 [取消]> ",
  /** A call that the model is still writing. */
  preparing: (draft: { readonly call: string }) => `在准备：${draft.call}`,
  you: "你",
  folded: (rest: { readonly left: number; readonly path: string }) => `… 还有 ${rest.left} 行，全文在 ${rest.path}`,
};
