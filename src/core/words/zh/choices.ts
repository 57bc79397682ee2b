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
} as const;
