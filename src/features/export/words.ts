import type { Language } from "../../core/conversation.ts";
import type { Translated } from "../../core/words/dictionary.ts";
import { kurisuCommand } from "../../core/kurisu-command.ts";
import { countOf } from "../../core/words/count-of.ts";

const zh = {
  exportUsage: "用法：/export、/export json（这里的对话）或 /export me（我这里存着的关于你的一切）。",
  exportMeInPrivate: "关于你的一切只在私聊里给。",
  exportMeTooLarge: `存着的东西太多，一个文件装不下。请管理员在机器上跑 ${kurisuCommand} memory export。`,
  exportedMe: "我这里存着的关于你的一切都在这个文件里了。别人说的话不在里面。",
  exportNotYours: "群里的对话是大家的，只有管理员或者群管理员能导出。",
  exportNotHere: "在这里我发不了文件。换个能收文件的聊天，或者用终端。",
  exportEmpty: "这里还没有说过话，没有可以导出的。",
  exported: (what: { readonly count: number; readonly isCut: boolean }) =>
    `导出了 ${what.count} 条${what.isCut ? "，更早的放不下，没有放进去" : ""}。`,
  menus: {
    export: {
      menu: "把这里的对话导出成文件",
      help: "/export  把这里的对话导出成文件（/export json）；群里要管理员或群管理员。/export me 是关于你的一切",
    },
  },
};

const en: Translated<typeof zh> = {
  exportUsage: "Usage: /export, /export json (this conversation) or /export me (everything kept of you).",
  exportMeInPrivate: "Everything about you is given in private only.",
  exportMeTooLarge: `There is too much for one file. Ask an owner to run ${kurisuCommand} memory export on the machine.`,
  exportedMe: "This file holds everything I keep of you. What others said is not in it.",
  exportNotYours: "A group's conversation is everybody's; only an owner or a group administrator may export it.",
  exportNotHere: "I cannot send files here. Use a chat that takes them, or a terminal.",
  exportEmpty: "Nothing was said here yet, so there is nothing to export.",
  exported: ({ count, isCut }) =>
    `Exported ${countOf(count, "message")}${isCut ? "; older ones had no room and are left out" : ""}.`,
  menus: {
    export: {
      menu: "this conversation as a file",
      help: "/export  this conversation as a file (/export json); in groups for owners and group administrators; /export me: everything kept of you",
    },
  },
};

const ja: Translated<typeof zh> = {
  exportUsage: "使い方：/export、/export json（ここの会話）、/export me（あなたについて残しているものすべて）。",
  exportMeInPrivate: "あなたについてのすべては個人チャットでだけ渡す。",
  exportMeTooLarge: `多すぎてひとつのファイルに入らない。管理者に ${kurisuCommand} memory export を実行してもらって。`,
  exportedMe: "あなたについて残しているものは全部このファイルに入れた。ほかの人の発言は入っていない。",
  exportNotYours: "グループの会話はみんなのもの。書き出せるのは管理者かグループの管理者だけ。",
  exportNotHere: "ここではファイルを送れない。ファイルを受け取れるチャットか端末で。",
  exportEmpty: "ここではまだ何も話していないから、書き出すものがない。",
  exported: ({ count, isCut }) =>
    `${count} 件を書き出した${isCut ? "。もっと古いものは入りきらず、入れていない" : ""}。`,
  menus: {
    export: {
      menu: "ここの会話をファイルに",
      help: "/export  ここの会話をファイルに書き出す（/export json）。グループでは管理者かグループの管理者。/export me はあなたについてのすべて",
    },
  },
};

export type ExportWords = Translated<typeof zh>;

export const exportWords: Readonly<Record<Language, ExportWords>> = { zh, en, ja };
