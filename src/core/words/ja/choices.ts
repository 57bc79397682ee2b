import { kurisuCommand } from "../../kurisu-command.ts";

import type { Words } from "../dictionary.ts";
import { persona } from "./persona.ts";

export const choices: Words["choices"] = {
  persona,
  languageChosen: "了解、ここではこれから日本語で。/lang auto なら、書いた言葉に合わせる。",
  languageIs: "ここは日本語に決まっている。/lang zh で中国語、/lang en で英語、/lang auto なら書いた言葉に合わせる。",
  languageFollows: "書いた言葉に合わせて答える。決めたいなら /lang zh、/lang en、/lang ja。",
  languageUsage: "使い方：/lang zh、/lang en、/lang ja、/lang auto。",
  modelUsual: (model) => `ここはいつもの順番で、最初に ${model} に聞く。`,
  modelChosen: (model) => `ここでは最初に ${model} に聞く。答えなければ、いつもの順番でほかに聞く。`,
  modelUnknown: "そのモデルは設定されていない。あるのはこれ：",
  modelFailing: "（今は答えない）",
  modelUsage: "/model 名前 で変える、/model auto でいつもの順番に戻す。",
  exportUsage: "使い方：/export、/export json（ここの会話）、/export me（あなたについて残しているものすべて）。",
  exportMeInPrivate: "あなたについてのすべては個人チャットでだけ渡す。",
  exportMeTooLarge: `多すぎてひとつのファイルに入らない。管理者に ${kurisuCommand} memory export を実行してもらって。`,
  exportedMe: "あなたについて残しているものは全部このファイルに入れた。ほかの人の発言は入っていない。",
  exportNotYours: "グループの会話はみんなのもの。書き出せるのは管理者かグループの管理者だけ。",
  exportNotHere: "ここではファイルを送れない。ファイルを受け取れるチャットか端末で。",
  exportEmpty: "ここではまだ何も話していないから、書き出すものがない。",
  exported: ({ count, isCut }) =>
    `${count} 件を書き出した${isCut ? "。もっと古いものは入りきらず、入れていない" : ""}。`,
};

/** /missed：グループで見逃した話。 */
export const missed: Words["missed"] = {
  groupsOnly: "ここにはあなたと私しかいないから、見逃した話はない。/missed はグループで。",
  usage: "使い方：/missed（前に話してから）か /missed 3（直近 3 時間、最大 6）。",
  notHeard:
    "このグループでは私への言葉しか聞いていない（observe がオフ）から、みんなの会話は分からない。全部聞かせるなら、管理者が channels.yaml のこのチャネルに observe: true を。私に言われたことだけなら「何か見逃した話はある？」と聞いて。",
  order: "何か見逃した話はある？",
  orderHours: (hours) => `直近 ${hours} 時間、グループで何の話があった？`,
};
