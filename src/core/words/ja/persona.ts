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
    "ai-self-disclosure": "自分を AI と呼ぶ",
    "assistant-ese": "接客の口調",
    "report-style": "雑談で報告書",
    lecture: "説教",
    confession: "気持ちの告白",
    cuteness: "かわいこぶり",
    superstition: "オカルトを本気にする",
    "unsupported-claim": "していないことをしたと言う",
    "accepted-nickname": "認めない呼び名に応じる",
    "admitted-label": "否定している性格を認める",
    "prompt-leak": "設定の繰り返し",
    "reasoning-leak": "推論の露出",
    "tool-json": "ツール呼び出しを文章で書く",
    empty: "中身がない",
    "forbidden-word": "禁句",
    placeholder: "埋めていない空欄",
    honorific: "敬称",
    emoji: "絵文字",
    "repeated-opening": "いつも同じ書き出し",
    "wrong-language": "違う言語",
  },
  mended: {
    none: "起動してから、ここで直した返事はない。",
    stripped: ({ ago, model, kinds }) => `最後は${ago}前（${model}）：${kinds}の文を取り除いた。`,
    rewritten: ({ ago, model, kinds }) => `最後は${ago}前（${model}）：${kinds}のため書き直させた。`,
    replaced: ({ ago, model, kinds }) => `最後は${ago}前（${model}）：${kinds}のため自分の言葉に替えた。`,
  },
};
