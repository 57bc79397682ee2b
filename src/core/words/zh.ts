import { describeDuration } from "./describe-duration.ts";
import { busy, choices } from "./zh/choices.ts";
import { approval, nearNo, nearYes, sources } from "./zh/approval.ts";
import { commandMenu, welcome } from "./zh/command-menu.ts";
import { times } from "./zh/times.ts";
import { toolNames } from "./zh/tool-names.ts";
import { cli, editor } from "./zh/cli.ts";
import { start } from "./zh/start.ts";
import { setup } from "./zh/setup.ts";
import { control, outage, trust } from "./zh/control.ts";
import { kurisuCommand } from "../kurisu-command.ts";

/** The gateway's fixed texts in Chinese. This file is the source of the dictionary's type; en.ts and ja.ts follow it. */
export const zh = {
  duration: (milliseconds: number) => describeDuration(milliseconds, "zh"),
  question: {
    heading: (count: number) => (count === 1 ? "要做的是这个：" : `要做的是这 ${count} 件事：`),
    /** `network` = it reaches the hosts of `canReach`. */
    placeSandbox: (limits: { readonly seconds: number; readonly network: boolean }) =>
      `在沙箱容器里，${limits.network ? "网络只通到下面列的主机" : "没有网络"}，只读系统，最多 ${limits.seconds} 秒`,
    canReach: (reach: { readonly hosts: readonly string[]; readonly calls: number }) =>
      `${reach.calls > 1 ? "这些命令" : "这条命令"}可以访问：${reach.hosts.join("、")}。工作区里的内容也能发到那里。`,
    placeWorkspace: "只动这个会话自己的工作区",
    placeNetwork: "会访问网络",
    placeGateway: "由我这边直接办，不进沙箱",
    askedByAgent: (agent: string) => `这是我派去的 ${agent} 要做的。`,
    afterReading: (read: { readonly sources: readonly string[]; readonly more: number }) =>
      `刚读过 ${read.sources.join("、")}${read.more > 0 ? ` 等 ${read.sources.length + read.more} 处` : ""}，所以要你亲口确认。`,
    afterEarlier: (read: { readonly sources: readonly string[]; readonly more: number }) =>
      `这段对话之前读过 ${read.sources.join("、")}${read.more > 0 ? ` 等 ${read.sources.length + read.more} 处` : ""}，所以要你亲口确认。`,
    /** The one line that says what can be answered, the two words first. */
    waysToAnswer: (ways: readonly string[]) => `${ways.join("；")}。`,
    howToAnswer: "回复「确认」执行，「取消」放弃",
    howToAnswerInGroup: (who: { readonly asker: string; readonly code: string }) =>
      `${who.asker}，引用这条说「确认」或者「取消」就行，也可以发「确认 ${who.code}」「取消 ${who.code}」`,
    approveButton: "确认",
    rejectButton: "取消",
    previewButton: "预览",
    howToPreview: "「预览」先在副本上试",
    /** For the model, in the conversation: the record that a question is open. */
    waitingNote: (what: { readonly code: string; readonly calls: string }) =>
      `已经问过，编号 ${what.code}，正在等对方答复：${what.calls}。不要重复发起，也不要当作已经执行。`,
  },
  outcome: {
    approved: "✓ 已确认",
    rejected: "✗ 已取消",
    expired: "⌛ 已过期，没有执行",
    voided: "⊘ 已作废，没有执行",
  },
  decision: {
    expiredNotice: (over: { readonly code: string; readonly what: string }) =>
      `刚才那个 ${over.code}（${over.what}）过期了，没有执行。还要的话说「重来」。`,
    lateForExpired: (code: string) => `${code} 已经过期，没有可确认的事。`,
    lateForApproved: (code: string) => `${code} 之前已经确认过了，不会再执行一遍。`,
    lateForRejected: (code: string) => `${code} 已经取消了，没有执行。`,
    lateForVoided: (code: string) => `${code} 已经作废，没有执行。`,
    noneOpen: "现在没有等你答复的事。",
    /** `example` = what was typed, with a code. */
    severalOpen: (open: { readonly codes: readonly string[]; readonly example: string }) =>
      `现在有 ${open.codes.length} 件事在等：${open.codes.join("、")}。说的是哪件，带上编号，比如「${open.example}」。`,
    codeNeeded: (meant: { readonly example: string }) =>
      `刚才还有一件事结束了，怕弄混。说的是这件的话，回复「${meant.example}」，或者引用那条消息。`,
    nearYes,
    nearNo,
    noForApproved: (code: string) => `${code} 之前已经确认过，收不回了。还在做的话，发 /stop 叫停。`,
    alreadyExpired: (code: string) => `${code} 已经过期，没有执行。`,
    unknownCode: (code: string) => `没有编号是 ${code} 的事在等答复。`,
    notSentYet: (early: { readonly code: string; readonly example: string }) =>
      `这句话是在 ${early.code} 发出之前说的，不算数。先看清楚要做什么，再回复「${early.example}」，或者引用那条消息答复。`,
    notYours: (asker: string) => `这件事是 ${asker} 要做的，得 ${asker} 本人来答复。`,
    notAllowed: "这一类操作你没有权限确认，请找管理员。",
    wrongChat: "这件事不是在这个聊天里问的",
    quoteThePrompt: "你引用的不是那条询问。引用它本身，或者带上编号。",
    editedIgnored: "改过的消息不算答复，请重新发一条。",
    forwardedIgnored: "转发来的消息不算答复，请自己发一条。",
    captionIgnored: "图片和文件的说明不算答复，请单独发一条文字。",
    voiceIgnored: "语音不算答复，请打字。",
    policyChanged: (code: string) => `权限或工具的设置变了，${code} 已作废，没有执行。还需要的话再跟我说一次。`,
    cancelledByStop: (codes: readonly string[]) => `${codes.join("、")} 也一并作废，没有执行。`,
    takenBack: (code: string) => `${code} 的确认还没来得及执行，就被叫停了，什么都没做。`,
    stillWaiting: (question: { readonly code: string; readonly term: string }) =>
      `我刚重启过。${question.code} 还在等你答复，还有 ${question.term}。`,
    decidedToast: "收到",
  },
  display: {
    more: (count: number) => `还有 ${count} 个结果没展示。`,
    left: (count: number) => `还有 ${count} 行没显示。`,
  },
  previews: {
    cannotPreview: (code: string) => `${code} 是服务器在问话，没有东西可预览。`,
    startedToast: "先在副本上试一遍",
    started: (code: string) => `好，${code} 先在工作区的副本上试一遍。`,
    running: (code: string) => `${code} 的预览还没跑完，等一下。`,
    unsupported: (what: { readonly code: string; readonly calls: string }) =>
      `${what.code} 没法预览：${what.calls} 不只动工作区里的文件。`,
    outdated: (code: string) =>
      `${code} 的预览是按之前的工作区做的，后来变过（或者比不出来），实际结果可能和预览不一样。`,
  },
  turn: {
    stopped: "好，停下了。",
    unfinished: "（这条没做完，停在这里了。）",
    droppedBehind: (count: number) => `后面排着的 ${count} 条也放下了。`,
    nothingToStop: "现在没有正在做的事。",
    newConversation: "好，从头开始。之前聊的先放下，记住的事还在。",
    continueOffer: "先到这儿，还没做完。要接着做就说「继续」。",
    putAside: (id: string) =>
      `这条我一碰就死机，先放到一边了，不会再试。换个说法重新发一次吧。编号 ${id}，管理员用 ${kurisuCommand} audit show ${id} 能看到原因。`,
    failed: (id: string) =>
      `这次没做成，问题在我这边。编号 ${id}，管理员用 ${kurisuCommand} audit show ${id} 能看到原因。`,
    unknownOutcome: (call: string) =>
      `我刚才断了一下。${call} 可能执行了，也可能没有，我没有再跑一次。要我看看结果吗？`,
  },
  todo: {
    empty: "待办是空的。",
    heading: (sum: { readonly done: number; readonly all: number }) => `待办，做完 ${sum.done}/${sum.all}：`,
  },
  mode: {
    plan: "好，进入计划模式：我只看不动手，先把计划给你。说 /act 再动手。",
    planWithin: (paths: readonly string[]) =>
      `好，进入计划模式：只能改 ${paths.join("、")} 里的文件，别的只看。说 /act 恢复。`,
    act: "好，计划模式关了，可以动手了。该你点头的还是要你点头。",
    wrongPath: (path: string) => `「${path}」不是工作区里的路径。用法：/plan，或者 /plan notes drafts。`,
    status: (paths: readonly string[]) =>
      paths.length === 0 ? "计划模式：只看不动手（/act 关掉）" : `计划模式：只能改 ${paths.join("、")}（/act 关掉）`,
  },
  message: {
    empty: "这条消息是空的。",
    tooLong: (size: { readonly length: number; readonly limit: number }) =>
      `这条有 ${size.length} 个字，最多 ${size.limit} 个。拆开发，或者存成文件发来。`,
    wholeInFile: "（太长了，全文在下面的文件里。）",
    moreWaits: "（还没说完。随便回我一句，我接着发。）",
    attachmentOnly: (what: string) => `收到了（${what}），但我还看不懂这类内容。想让我做什么，用文字说。`,
  },
  busy,
  attachment: {
    kinds: {
      file: "文件",
      image: "图片",
      voice: "语音",
      audio: "音频",
      video: "视频",
      animation: "动图",
      sticker: "表情",
      contact: "名片",
      location: "位置",
      poll: "投票",
      dice: "骰子",
      card: "卡片",
      forward: "聊天记录",
      share: "分享",
      music: "音乐",
      other: "其他内容",
    },
    seconds: (length: { readonly seconds: number }) => `${length.seconds} 秒`,
    /** For the model, in the person's message: where a file was put. */
    saved: (file: Readonly<Record<"path" | "type" | "size", string>>) =>
      `已存到工作区 ${file.path}（${file.type}，${file.size}）`,
    lost: (what: { readonly why: string }) => `没能取到：${what.why}`,
    tooLarge: (size: { readonly limit: string }) => `超过 ${size.limit} 的上限`,
    tooMany: (most: { readonly count: number }) => `一条消息最多收 ${most.count} 个文件`,
    shareFull: (size: { readonly limit: string }) => `这个人在本群的空间（${size.limit}）用完了，先删掉一些东西`,
    guest: "访客在群里发的文件不保存，要管理员先放行",
    workspaceFull: "工作区满了，先删掉一些东西",
    unavailable: "平台没有给出取它的办法",
    stopped: "被叫停了",
  },
  file: {
    /** In the terminal: where a file that was sent there is. */
    delivered: (file: { readonly name: string; readonly path: string }) => `文件 ${file.name}：${file.path}`,
  },
  access: {
    noOwner: "我还没有管理员。是你搭的我，就把启动画面上的配对码私聊发给我。",
    strangerHint: (code: string) => `我还不认识你。请管理员批准这个配对码：${code}`,
    ownerWelcome: (name: string) => `配对好了，${name}。从现在起你是管理员。发 /help 看我会什么。`,
    memberWelcome: (name: string) => `${name}，管理员批准了，我们可以聊了。发 /help 看我会什么。`,
    wrongCode: "配对码不对，或者已经过期。",
    personApproved: (name: string) => `好，${name} 可以和我聊了。`,
    groupOff: "这个群还没开启。发 /pair 就开启。",
    chatGone: (lost: { readonly chat: string; readonly reason: string }) =>
      `${lost.chat} 那边我说不了话了（${lost.reason}）。没送到的就到此为止。把我拉回去，或者解除拉黑，我就回来。`,
    givenUp: (lost: { readonly session: string; readonly reason: string }) =>
      `${lost.session} 那边有消息一直送不到，我放弃了（${lost.reason}）。今天那里再有，就不重复说了。`,
    filesStay:
      "这个聊天里的文件超过了我能带到其他机器上的量（64 MiB、1 万个文件），从现在起只留在其中一台上。删掉不需要的，我就会继续带着它们。",
    chatsGone: "这一小时里，我说不了话的聊天太多，后面的不一条条说了。",
    groupOn: "这个群开启了。@ 我，或者回复我，我就会应。命令也要带上我，比如「@我 /status」。",
    ownerOnly: "这个命令只有管理员能用。",
    pairUsage: "用法：/pair 配对码",
  },
  command: {
    helpIntro: "直接说话就行。有危险的操作我会先给你看内容，你回复「确认」才执行，「取消」就放弃。",
    helpAll: "/help all  全部命令",
    helpOutro: "拿不准就先说「预览」，在副本上试一遍。做到一半停下时说「继续」，过期的事说「重来」。",
    unknown: (name: string) => `没有 ${name} 这个命令，/help all 里有全部。`,
    undone: (path: string) => `找回来了：${path}`,
    trashEmpty: "回收站是空的。",
    trashHas: (items: readonly string[]) => `没有这个编号。回收站里有：\n${items.slice(0, 10).join("\n")}`,
    undoOccupied: (path: string) => `${path} 那里已经有东西了，先改名或删掉它。`,
    undoFailed: (reason: string) => `没找回来。${reason}`,
    statusModel: (model: string) => `模型：${model}`,
    statusSandbox: (state: string) => `沙箱：${state}`,
    statusBusy: "正在做上一件事。",
    statusIdle: "现在空着。",
    statusTasksHeading: (count: number) => `派出去在做的有 ${count} 件：`,
    statusTask: (task: {
      readonly agent: string;
      readonly what: string;
      readonly background: boolean;
      readonly code?: string;
    }) =>
      `${task.agent}：${task.what}${task.background ? "（在后台）" : ""}${task.code === undefined ? "" : `（在等 ${task.code} 的答复）`}`,
    statusNoneOpen: "没有等你答复的事。",
    statusOpenHeading: (count: number) => `等你答复的有 ${count} 件：`,
    statusOpenItem: (item: { readonly code: string; readonly summary: string; readonly term: string }) =>
      `${item.code}  ${item.summary}（还有 ${item.term}）`,
  },
  cli,
  start,
  /** To people who talk by another program. */
  program: {
    goesOn: "还在做，这次的时间到了。随便再发一句，做完的结果会先给你。",
    noAnswer: "这条没有回答：被叫停了，或者现在全都暂停着，再不然就是一分钟里说得太多了。",
  },
  payload: {
    whole: (size: { readonly total: number; readonly lines: number; readonly digest: string }) =>
      `（全文在下面，${size.lines} 行、${size.total} 个字符，SHA-256 ${size.digest}；「┆」开头的接在上一行后面）`,
    cut: (part: { readonly omitted: number; readonly total: number; readonly digest: string }) =>
      `（中间省略 ${part.omitted} 个字符，共 ${part.total} 个，SHA-256 ${part.digest}）`,
    hiddenCharacters: "里面有看不见的字符，已用 ⟨U+…⟩ 标出来。",
  },
  approval,
  choices,
  commandMenu,
  editor,
  toolNames,
  /** A mention that a group refused. */
  refusedMention: {
    here: (text: string) => `这条本来要在群里说，群里没收，所以在这里说：\n${text}`,
    toOwners: ({ who, text, reason }: { readonly who: string; readonly text: string; readonly reason: string }) =>
      `给 ${who} 的话发不出去（${reason}），你转告一下：\n${text}`,
  },
  /** Above memories of the same words when one is forgotten. */
  stillRemembered: "还记着说到同样的话的这几条：",
  times,
  outage,
  control,
  sources,
  trust,
  /** Too much was written while she was away. */
  missed: {
    there: (chat: string) => `我不在的时候 ${chat} 的消息太多，只补到最近的大约 250 条，更早的没看到。`,
    here: "我不在的时候这里的消息太多，只补到最近的大约 250 条，更早的没看到。要紧的再说一遍。",
  },
  setup,
  welcome,
} as const;
