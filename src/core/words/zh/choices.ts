import { kurisuCommand } from "../../kurisu-command.ts";

/** The findings of the persona's checks, by the names that people read. */
const breaks = {
  "ai-self-disclosure": "自称 AI",
  "assistant-ese": "客服腔",
  "report-style": "闲聊里写报告",
  lecture: "说教",
  confession: "感情直说",
  cuteness: "卖萌",
  superstition: "当真谈玄学",
  "unsupported-claim": "没做的事说做了",
  "accepted-nickname": "认了不认的称呼",
  "admitted-label": "承认了从不承认的性格",
  "prompt-leak": "复述设定",
  "reasoning-leak": "露出推理过程",
  "tool-json": "把工具调用写成了文字",
  empty: "没有内容",
  "forbidden-word": "忌讳的词",
  placeholder: "没填的空位",
  honorific: "敬称",
  emoji: "表情符号",
  "repeated-opening": "总是同一个开头",
  "wrong-language": "用错了语言",
};

/** /persona: the one who speaks here. */
const persona = {
  speaks: (who: { readonly id: string; readonly name: string }) => `这里说话的是${who.name}（${who.id}）。`,
  chosen: (who: { readonly id: string; readonly name: string }) =>
    `从下一句起，这里说话的是${who.name}（${who.id}）。/persona auto 换回来。`,
  unknown: "没有这个人格。有这些：",
  hasFaults: "（文件有错，用不了）",
  faulty: (id: string) => `人格 ${id} 的文件有错，用不了。在机器上跑 ${kurisuCommand} persona list 看是哪一行。`,
  usage: "/persona 名字 换一个，/persona auto 换回平常的，/persona why 看现在起作用的是什么。",
  becauseUsual: "这是管理员定的平常的人格；这里没有另选。",
  becauseChosen: "这是在这里用 /persona 选的。",
  background: (what: { readonly soul: number; readonly lore: number; readonly entries: number }) =>
    `设定 ${what.soul} 字，经历 ${what.lore} 字，世界书 ${what.entries} 条。`,
  rules: (what: { readonly forbidden: number; readonly rejected: string; readonly honorifics: string }) =>
    `每句话发出前都查：${what.forbidden} 个忌讳的词${what.rejected !== "" ? `；不认的称呼：${what.rejected}` : ""}${what.honorifics !== "" ? `；不用的敬称：${what.honorifics}` : ""}。`,
  tones: (what: { readonly avoided: string; readonly examples: number }) =>
    `避开的口气：${what.avoided}；自己的例句 ${what.examples} 句。`,
  sound: (voice: string) => `说话的声音：${voice}。`,
  memories: "每个人格各记各的：换了人格，记得的事也换。",
  breaks,
  mended: {
    none: "启动以来，这里还没有哪句要改。",
    stripped: (last: Mended) => `最近一次（${last.ago}前，${last.model}）：去掉了几句，因为${last.kinds}。`,
    rewritten: (last: Mended) => `最近一次（${last.ago}前，${last.model}）：让它重写了一遍，因为${last.kinds}。`,
    replaced: (last: Mended) => `最近一次（${last.ago}前，${last.model}）：整句换成了我自己的话，因为${last.kinds}。`,
  },
};

interface Mended {
  readonly ago: string;
  readonly model: string;
  readonly kinds: string;
}

/** The choices of one chat: persona, language and model. */
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

/** /busy: the ways of words that come while she is busy. */
export const busy = {
  chosen: {
    queue: "好，手上的事做完再看你后面说的。",
    steer: "好，手上的事还没完你又说话，我下一步就会看到。",
    interrupt: "好，你再说话，我就停下手上的事先听你的。已经做了的不会撤回。",
  },
  now: {
    queue: "现在是排队：手上的事做完再看后面的话。",
    steer: "现在是插话：后面的话在我下一步时就看到。",
    interrupt: "现在是打断：后面的话一来，我就停下手上的事。",
  },
  usage:
    "用法：/busy 排队、/busy 插话、/busy 打断（queue、steer、interrupt）。群里，只有提要求的那个人能插话或打断；管理员也能打断。",
  notHere: "这里每句话都各有各的回答，插不了话。用 /busy 排队 或 /busy 打断。",
} as const;
