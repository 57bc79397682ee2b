import type { Language } from "../../core/conversation.ts";
import type { Translated } from "../../core/words/dictionary.ts";
import { countOf } from "../../core/words/count-of.ts";

const zh = {
  braked: ({ chat, sender, minutes }: { readonly chat: string; readonly sender: string; readonly minutes: number }) =>
    `${sender} 在 ${chat} 一直像机器一样接我的话，旁边没有别人。我先不理它 ${minutes} 分钟，还这样就更久（最多一小时）。命令和确认照常有效。`,
  overheard: "群里旁边的对话",
};

const en: Translated<typeof zh> = {
  braked: ({ chat, sender, minutes }) =>
    `${sender} keeps answering me in ${chat} like a machine, with nobody else there. I stay silent towards them for ${countOf(minutes, "minute")}, and longer if it goes on (an hour at most). Commands and confirmations still count.`,
  overheard: "talk in the group",
};

const ja: Translated<typeof zh> = {
  braked: ({ chat, sender, minutes }) =>
    `${sender} が ${chat} で機械みたいに返事を続けてくる。ほかに誰もいない。${minutes} 分は相手にしない。まだ続くならもっと長く（最長一時間）。コマンドと確認はいつも通り有効よ。`,
  overheard: "グループでの会話",
};

export type GroupSenseWords = Translated<typeof zh>;

export const groupSenseWords: Readonly<Record<Language, GroupSenseWords>> = { zh, en, ja };
