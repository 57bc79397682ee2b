import type { Language } from "../../core/conversation.ts";
import type { Translated } from "../../core/words/dictionary.ts";
import { countOf } from "../../core/words/count-of.ts";

const zh = {
  missed: {
    groupsOnly: "这里只有你和我，没有错过什么。在群里用 /missed。",
    usage: "用法：/missed（从你上次说话算起），或者 /missed 3（最近 3 小时，最多 6）。",
    notHeard:
      "这个群里我只听得到对我说的话（observe 没有打开），大家之间说了什么我不知道。要我都听着，管理员在 channels.yaml 里给这个渠道写上 observe: true。只想看对我说的那些，就直接问我「我错过了什么」。",
    order: "我错过了什么？",
    orderHours: (hours: number) => `最近 ${hours} 小时群里说了什么？`,
  },
  menus: {
    missed: { menu: "群里我错过了什么", help: "/missed  群里从你上次说话起说了什么；/missed 3 看最近 3 小时" },
  },
  /** The messages that a laid-out log has no room for. */
  messagesLeftOut: (count: number) => `（还有 ${count} 条没列出来）`,
};

const en: Translated<typeof zh> = {
  missed: {
    groupsOnly: "It's just you and me here, so you missed nothing. Use /missed in a group.",
    usage: "Usage: /missed (since you last spoke), or /missed 3 (the last 3 hours, 6 at most).",
    notHeard:
      'In this group I hear only what is said to me (observe is off), so I do not know what people said to each other. To have me hear all of it, an owner writes observe: true under this channel in channels.yaml. For what was said to me, just ask "what did I miss".',
    order: "What did I miss?",
    orderHours: (hours) => `What was said in the group in the last ${countOf(hours, "hour")}?`,
  },
  menus: {
    missed: {
      menu: "What I missed in this group",
      help: "/missed  what was said in this group since you last spoke; /missed 3: in the last 3 hours",
    },
  },
  messagesLeftOut: (count) => `(${count} more left out)`,
};

const ja: Translated<typeof zh> = {
  missed: {
    groupsOnly: "ここにはあなたと私しかいないから、見逃した話はない。/missed はグループで。",
    usage: "使い方：/missed（前に話してから）か /missed 3（直近 3 時間、最大 6）。",
    notHeard:
      "このグループでは私への言葉しか聞いていない（observe がオフ）から、みんなの会話は分からない。全部聞かせるなら、管理者が channels.yaml のこのチャネルに observe: true を。私に言われたことだけなら「何か見逃した話はある？」と聞いて。",
    order: "何か見逃した話はある？",
    orderHours: (hours) => `直近 ${hours} 時間、グループで何の話があった？`,
  },
  menus: {
    missed: { menu: "このグループで見逃した話", help: "/missed  前に話してからの話。/missed 3 は直近 3 時間" },
  },
  messagesLeftOut: (count) => `（ほか${count}件は省きました）`,
};

export type ChatlogWords = Translated<typeof zh>;

export const chatlogWords: Readonly<Record<Language, ChatlogWords>> = { zh, en, ja };
