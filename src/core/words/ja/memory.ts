import type { Words } from "../dictionary.ts";
import { erasure } from "./erasure.ts";

export const memory: Words["memory"] = {
  erasure,
  forgetAll: "あなたに関するすべてを忘れる：覚えたこと、チャット記録の中のあなたの言葉とその索引。元には戻せない。",
  messagesLeftOut: (count) => `（ほか${count}件は省きました）`,
  none: "まだ何も覚えていない。「私は猫が好きって覚えておいて」か、/remember 私は猫が好き。",
  heading: (count) => `覚えていること（${count}）：`,
  item: ({ day, foreign, id, pinned, text }) =>
    `#${id} ${text}（${day}${pinned ? "、固定" : ""}${foreign ? "、あなたの言葉だけではない" : ""}）`,
  kept: ({ id, text }) => `覚えた：${text}（#${id}）`,
  changed: ({ id, text }) => `${text} に直した（#${id}）。前のは /memory history ${id}`,
  known: ({ id, text }) => `それはもう覚えている：${text}（#${id}）`,
  refused: {
    empty: "何を覚える？ /remember 私は猫が好き",
    "too-long": "長すぎる。一文で：/remember 私は猫が好き",
    "too-many": "覚えていることが多すぎる。先にいくつか忘れさせて：/forget 番号",
    secret: "パスワードか鍵に見えるので覚えない。パスワード管理ソフトに入れて。",
  },
  unknown: (which) => `${which} はない。番号は /memory で。`,
  nothingLike: (words) => `「${words}」は言葉では見つからない。言い方を変えるか、/memory を見て。`,
  which: "どれのこと？ /forget と番号で：",
  forgotten: (count) => (count > 1 ? `忘れた。前のものも含めて ${count} 件。` : "忘れた。"),
  stay: "同じ言葉を含むこれらはまだ覚えている：",
  withOlder: ({ memory, older }) => `${memory}（前のもの：${older.join("；")} も一緒に）`,
  pinned: (text) => `いつも覚えておく：${text}`,
  unpinned: (text) => `固定をやめた：${text}`,
  origin: {
    said: "話の中であなたが言ったので覚えた。",
    tool: "話の中で大事だと思って覚えた。",
    extracted: "話のあとで、あなたの言葉からまとめた。",
    command: "覚えるように言われた。",
  },
  quote: ({ text, when }) => `元の言葉（${when}）：「${text}」`,
  before: ({ text, until }) => `その前：${text}（${until} まで）`,
  events: {
    remembered: "覚えた",
    confirmed: "もう一度言われた",
    superseded: "新しいものに替わった",
    pinned: "固定した",
    unpinned: "固定をやめた",
    forgotten: "忘れた",
  },
  usage:
    "使い方：/memory、/memory why 番号、/memory search 言葉、/memory pin 番号、/memory unpin 番号、/memory history 番号。",
  rememberUsage: "こう書く：/remember 私はピーナッツアレルギー",
  forgetUsage: "使い方：/forget 番号、/forget 言葉、/forget all（あなたのすべて）。番号は /memory で。",
  orderForgetAll: "私のことを全部忘れて",
};
