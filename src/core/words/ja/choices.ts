import { kurisuCommand } from "../../kurisu-command.ts";

import type { Words } from "../dictionary.ts";

/** /persona：ここで話すのは誰か。 */
const persona: Words["choices"]["persona"] = {
  speaks: ({ id, name }) => `ここで話しているのは${name}（${id}）。`,
  chosen: ({ id, name }) => `次のメッセージから、ここで話すのは${name}（${id}）。/persona default で戻す。`,
  unknown: "そのペルソナはない。あるのはこれ：",
  hasFaults: "（ファイルに誤りがあって使えない）",
  faulty: (id) =>
    `ペルソナ ${id} のファイルに誤りがある。マシンで ${kurisuCommand} persona list を実行すると行がわかる。`,
  usage: "/persona 名前 で変える、/persona default で戻す、/persona why で今の設定を見る。",
  becauseUsual: "管理者が決めたいつものペルソナ。ここでは別に選ばれていない。",
  becauseChosen: "ここで /persona を使って選ばれた。",
  background: ({ soul, lore, entries }) => `設定 ${soul} 字、経歴 ${lore} 字、ロアブック ${entries} 件。`,
  rules: ({ forbidden, rejected, honorifics }) =>
    `どの文も送る前に調べる：禁句 ${forbidden} 件${rejected !== "" ? `、認めない呼び名：${rejected}` : ""}${honorifics !== "" ? `、使わない敬称：${honorifics}` : ""}。`,
  sound: (voice) => `声：${voice}。`,
  memories: "記憶はペルソナごとに別。変えると、覚えていることも変わる。",
};

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
