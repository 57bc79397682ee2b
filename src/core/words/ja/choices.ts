import type { Words } from "../dictionary.ts";
import { kurisuCommand } from "../../kurisu-command.ts";

/** /persona: the one who speaks here. */
const persona: Words["choices"]["persona"] = {
  speaks: ({ id, name }) => `ここで話しているのは${name}（${id}）。`,
  chosen: ({ id, name }) => `次のメッセージから、ここで話すのは${name}（${id}）。/persona auto で戻す。`,
  unknown: "そのペルソナはない。あるのはこれ：",
  hasFaults: "（ファイルに誤りがあって使えない）",
  faulty: (id) =>
    `ペルソナ ${id} のファイルに誤りがある。マシンで ${kurisuCommand} persona list を実行すると行がわかる。`,
  usage: "/persona 名前 で変える、/persona auto で戻す、/persona why で今の設定を見る。",
  becauseUsual: "管理者が決めたいつものペルソナ。ここでは別に選ばれていない。",
  becauseChosen: "ここで /persona を使って選ばれた。",
  background: ({ soul, lore, entries }) => `設定 ${soul} 字、経歴 ${lore} 字、ロアブック ${entries} 件。`,
  rules: ({ forbidden, rejected, honorifics }) =>
    `どの文も送る前に調べる：禁句 ${forbidden} 件${rejected !== "" ? `、認めない呼び名：${rejected}` : ""}${honorifics !== "" ? `、使わない敬称：${honorifics}` : ""}。`,
  tones: ({ avoided, examples }) => `避ける口調：${avoided}。自分の例文は ${examples} 件。`,
  sound: (voice) => `声：${voice}。`,
  memories: "記憶はペルソナごとに別。変えると、覚えていることも変わる。",
  breaks: {
    "ai-self-disclosure": "AI の自称",
    "assistant-ese": "接客の口調",
    "report-style": "雑談で報告書",
    lecture: "説教",
    confession: "気持ちの告白",
    cuteness: "かわいこぶり",
    superstition: "オカルトの信用",
    "unsupported-claim": "虚偽の完了報告",
    "accepted-nickname": "認めない呼び名への返事",
    "admitted-label": "否定している性格の自認",
    "prompt-leak": "設定の繰り返し",
    "reasoning-leak": "推論の露出",
    "tool-json": "文章でのツール呼び出し",
    empty: "空の返事",
    "forbidden-word": "禁句",
    placeholder: "埋めていない空欄",
    honorific: "敬称",
    emoji: "絵文字",
    "repeated-opening": "いつも同じ書き出し",
    "wrong-language": "別の言語",
  },
  mended: {
    none: "起動してから、ここで直した返事はない。",
    stripped: ({ ago, model, kinds }) => `最後は${ago}前（${model}）：理由は${kinds}。その文を取り除いた。`,
    rewritten: ({ ago, model, kinds }) => `最後は${ago}前（${model}）：理由は${kinds}。書き直させた。`,
    replaced: ({ ago, model, kinds }) => `最後は${ago}前（${model}）：理由は${kinds}。自分の言葉に替えた。`,
  },
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
};

/** /busy: the ways of words that come while she is busy. */
export const busy = {
  chosen: {
    queue: "わかった。今の作業が終わってから読む。",
    steer: "わかった。作業中の言葉は次の一手で読む。",
    interrupt: "わかった。話しかけられたら今の作業を止めて聞く。済んだことは戻らない。",
  },
  now: {
    queue: "今は順番待ち：作業中の言葉は終わってから読む。",
    steer: "今は割り込み：作業中の言葉は次の一手で読む。",
    interrupt: "今は中断：話しかけられたら作業を止める。",
  },
  usage:
    "使い方：/busy 順番、/busy 割り込み、/busy 中断（queue、steer、interrupt）。グループでは、その作業を頼んだ人だけが割り込みや中断をできる。管理者も中断できる。",
  notHere: "ここでは一言ごとに答えを返すので、割り込めない。/busy 順番 か /busy 中断 を使って。",
} as const;
