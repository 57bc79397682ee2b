import type { Words } from "../dictionary.ts";

export const oversight: Words["oversight"] = {
  proof: {
    noAnswer: "ここにはまだ回答がないので、確かめるものもありません。",
    nothing: "直前の回答の裏付けになるツールの結果はありません。私が自分で言っただけで、確認はしていません。",
    heading: ({ count, time, turn }) =>
      `直前の回答（${time}、${turn}）の裏には ${count} 回のツール呼び出しがあります：`,
    done: "完了",
    failed: "失敗",
    denied: "実行せず",
    unknown: "実行されたか不明",
    took: (seconds) => `${seconds} 秒`,
    byAgent: (agent) => `（${agent} が実行）`,
    left: "（D メールで取り消され、回答には使われていません）",
    sources: (sources) => `出典：${sources.join("、")}`,
    approved: ({ code, name, time }) => `確認：${code}、${name} が ${time} に承認`,
    rejected: ({ code, name, time }) => `確認：${code}、${name} が ${time} に拒否`,
    audit: ({ seq, hash }) => `監査 ${seq} 行目、${hash}`,
  },
  configuration: {
    faulty: ({ lines, left }) =>
      `設定が変わったけど、間違いがあるので使っていない。前の正しい設定のまま動いている:\n${lines}${left > 0 ? `\n…ほかに ${left} か所。` : ""}\n直して保存すれば反映される。再起動はいらない。`,
    good: "設定はもう問題ない。新しい内容で動いている。",
  },
  pause: {
    done: "すべて停止しました。誰の作業もせず、ツールも使わず、質問はすべて無効です。再起動しても変わりません。届いたメッセージは預かります。再開は /resume（返事をしないなら /resume drop）。",
    already: "すでにすべて停止しています。再開は /resume。",
    stoppedHere: "管理者が緊急停止を押したので、ここでの作業は止まりました。再開したらもう一度言ってください。",
    questionClosed: (code) => `管理者が緊急停止を押したので、${code} は無効です。実行していません。`,
    kept: "今はすべて停止中です（管理者の緊急停止）。メッセージは預かって、再開したら返事します。",
    nothingRuns: "今はすべて停止中です。承認しても何も実行しません。",
    resumed: (count) => (count === 0 ? "再開しました。" : `再開しました。預かった ${count} 件に今から返事します。`),
    resumedWithout: (count) =>
      count === 0 ? "再開しました。" : `再開しました。預かった ${count} 件には返事をせず、本人に伝えました。`,
    dropped: "再開しました。停止中のメッセージは読んでいません。必要ならもう一度言ってください。",
    notPaused: "停止していません。",
    status: ({ by, time }) => `緊急停止：すべて停止中（${by}、${time}）。/resume で再開。`,
  },
  limits: {
    tooFast: (limit) => `速すぎます。1 分に ${limit} 件までです。これ以降は読まないので、1 分後にもう一度。`,
    tooBusy: (limit) =>
      `今はメッセージが多すぎます。1 分に ${limit} 件までです。これ以降は読まないので、1 分後にもう一度。`,
    personSpent: "今日の分のトークンを使い切りました。また明日。",
    allSpent: "今日の予算を使い切りました。明日まで止まります。",
    warning: ({ percent, what }) =>
      `今日の予算の ${percent}% を使いました（${what}）。まず安いモデルに替え、上限で止まります。詳細は /usage。`,
    mine: ({ tokens, calls, limit }) => `今日のあなた：${tokens} トークン、${calls} 回、上限 ${limit}`,
    all: ({ tokens, calls, limit }) => `今日の全員：${tokens} トークン、${calls} 回、上限 ${limit}`,
    cost: ({ cost, limit }) => `費用：${cost}、上限 ${limit}`,
    ofModel: ({ model, tokens }) => `  ${model}：${tokens}`,
    ofPerson: ({ person, tokens }) => `  ${person}：${tokens}`,
    estimated: (count) => `うち ${count} 回はサーバーが使用量を返さず、見積もりです。`,
    cheaper: "上限が近いので、今は安いモデルが答えます。",
    none: "なし",
  },
};
