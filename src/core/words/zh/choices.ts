import { kurisuCommand } from "../../kurisu-command.ts";
import { persona } from "./persona.ts";

/** 一个聊天自己选的：语言和模型。 */
export const choices = {
  persona,
  languageChosen: "好，这里从现在起都用中文。/lang auto：你用什么语言，我就用什么。",
  languageIs: "这里定了用中文。/lang en 用英文，/lang ja 用日文，/lang auto：你用什么语言，我就用什么。",
  languageFollows: "你用什么语言，我就用什么。想定下来：/lang zh、/lang en、/lang ja。",
  languageUsage: "用法：/lang zh、/lang en、/lang ja、/lang auto。",
  modelUsual: (model: string) => `这里照平常的顺序，先问 ${model}。`,
  modelChosen: (model: string) => `这里先问 ${model}；它答不上来，再按平常的顺序问别的。`,
  modelUnknown: "没有配置这个模型。有这些：",
  modelFailing: "（现在答不上来）",
  modelUsage: "/model 名字 换一个，/model auto 照平常的顺序。",
  exportUsage: "用法：/export、/export json（这里的对话）或 /export me（我这里存着的关于你的一切）。",
  exportMeInPrivate: "关于你的一切只在私聊里给。",
  exportMeTooLarge: `存着的东西太多，一个文件装不下。请管理员在机器上跑 ${kurisuCommand} memory export。`,
  exportedMe: "我这里存着的关于你的一切都在这个文件里了。别人说的话不在里面。",
  exportNotYours: "群里的对话是大家的，只有管理员或者群管理员能导出。",
  exportNotHere: "在这里我发不了文件。换个能收文件的聊天，或者用终端。",
  exportEmpty: "这里还没有说过话，没有可以导出的。",
  exported: (what: { readonly count: number; readonly isCut: boolean }) =>
    `导出了 ${what.count} 条${what.isCut ? "，更早的放不下，没有放进去" : ""}。`,
} as const;

/** /missed：群里错过的话。 */
export const missed = {
  groupsOnly: "这里只有你和我，没有错过什么。在群里用 /missed。",
  usage: "用法：/missed（从你上次说话算起），或者 /missed 3（最近 3 小时，最多 6）。",
  notHeard:
    "这个群里我只听得到对我说的话（observe 没有打开），大家之间说了什么我不知道。要我都听着，管理员在 channels.yaml 里给这个渠道写上 observe: true。只想看对我说的那些，就直接问我「我错过了什么」。",
  order: "我错过了什么？",
  orderHours: (hours: number) => `最近 ${hours} 小时群里说了什么？`,
} as const;
