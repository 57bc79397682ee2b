import type { Words } from "../dictionary.ts";
import { kurisuCommand } from "../../kurisu-command.ts";

/** /persona：ここで話すのは誰か。 */
export const persona: Words["choices"]["persona"] = {
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
