import type { Words } from "../dictionary.ts";
import { kurisuCommand } from "../../kurisu-command.ts";

export const control: Words["control"] = {
  configuration: {
    refused: (files) => `設定に間違いがあるので、前の設定のまま：${files.join("、")}`,
    status: (keys) => `再起動待ち：${keys.join("、")}`,
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
    reached: {
      person: ({ what, percent }) => `今日のあなたの分は使い切った：${what}（${percent}%）。`,
      chat: ({ what, percent }) => `今日のこのチャットの分は使い切った：${what}（${percent}%）。`,
      all: ({ what, percent }) => `今日の予算は使い切った：${what}（${percent}%）。ここで止まる。`,
      model: ({ what, percent, model }) => `使えるモデルはどれも今日の上限。${model}：${what}（${percent}%）。`,
    },
    anew: (zone) => `0 時（${zone}）を過ぎれば元に戻る。`,
    remedy: (key) => `待てないなら、管理者に models.yaml の ${key} を変えてもらって。`,
    ownerRemedy: (key) => `待てないなら models.yaml の ${key} を変えて。保存すればすぐ効く。`,
    tokens: (text) => `${text} トークン`,
    close: ({ scope, percent, what }) =>
      `（念のため：今日の${scope === "chat" ? "このチャット" : "あなた"}の分を ${percent}% 使った。${what}。）`,
    passed: ({ scope, percent, what }) =>
      `これで今日の${scope === "chat" ? "このチャット" : "あなた"}の分は使い切った：${percent}%、${what}。`,
  },
};

/** Why no model answered. Only `waits` promises anything; the others say whether to send it once more. */
export const outage = {
  waits: ({ models, term }: { readonly models: number; readonly term: string }) =>
    `${models === 1 ? "モデルに" : models === 2 ? "モデルが二つとも" : `モデル ${models} つ全部に`}つながらない。あなたの言葉は預かっておく。${term}以内に戻れば答えるから。待てないなら /stop。`,
  givenUp: (of: { readonly term: string; readonly quotes: readonly string[]; readonly count: number }) => {
    const kept = `${of.term}待ったけど、モデルは戻らなかった。`;
    const [only] = of.quotes;
    if (of.count === 1)
      return `${kept}${only === undefined ? "この分" : `「${only}」`}は答えられないまま手放した。まだ必要ならもう一度送って。`;
    const left = of.count - of.quotes.length;
    const lines = of.quotes.map((text) => `· ${text}`);
    return [
      `${kept}次の ${of.count} 件は答えられないまま手放した：`,
      ...lines,
      ...(left > 0 ? [`· ……ほか ${left} 件`] : []),
      "まだ必要ならもう一度送って。",
    ].join("\n");
  },
  statusWaiting: ({ count, time }: { readonly count: number; readonly time: string }) =>
    `モデル待ち：${count} 件、${time} からつながっていない。`,
  stopped: "モデル待ちの分はやめた。返事はしていない。",
  unreachable: `モデルにつながらない。この分は答えられなかったし、預かってもいない。数分してからもう一度送って。続くようなら管理者に \`${kurisuCommand} doctor\` を頼んで。`,
  limited:
    "モデル側の回数制限（429）。落ちているわけじゃない。この分は答えられなかったから、数分してからもう一度送って。",
  keyRefused: `キーが拒否された（401）。ネットワークの問題じゃないし、送り直しても無駄。\`OPENAI_API_KEY\`（使っているところのキー）を入れ直して再起動してから呼んで。どれかは \`${kurisuCommand} doctor\` でわかる。`,
  noCredit: `モデルの残高がない（402）。送り直しても無駄。入金してから呼んで。どれかは \`${kurisuCommand} doctor\` でわかる。`,
  notFound:
    "そのモデルはないとサーバーが言っている（404）。送り直しても無駄。`KURISU_MODEL` の名前を直してから呼んで。",
  tooLong: "この会話は長すぎて、省けるものを省いてもモデルに入らない。短くするか、/new で最初から。",
  refused:
    "モデルのサーバーがこの要求を受け付けない。送り直しても同じ。あなたのせいじゃない。理由はサーバーの言うとおり。",
  serverWords: (words: string) => `サーバーの言葉：${words}`,
  forOthers: "今は答えられない。管理者の対応待ち。この分は預かっていないから、あとでもう一度送って。",
  /** To owners in private, when it was another person's message. */
  toOwner: (cause: string) => `誰かが呼んでいるのに答えられない。${cause}`,
  /** To an owner in private, once. */
  offlineModel: `先に言っておくけど、本物のモデルがつながってないから、決まった規則どおりにしか動けない。\`${kurisuCommand} setup\` でつなぐか Ollama を起動して、それから脳科学の話をしましょう。足りないものは \`${kurisuCommand} doctor\` でわかる。`,
} as const;

/** Answers to /trust and /untrust. */
export const trust = {
  usage: "使い方：/trust IDか名前、取り消しは /untrust。ID はプラットフォームの番号。同じ名前が複数あれば ID で。",
  given: ({ name, id }: { readonly name: string; readonly id: string }) =>
    `了解。${name}（${id}）を信頼する人にしました。次の発言から有効です。`,
  taken: ({ name, id }: { readonly name: string; readonly id: string }) =>
    `${name}（${id}）は信頼する人から外れ、ただのメンバーになりました。今すぐ有効です。`,
  unknown: (text: string) => `「${text}」という人を知りません。ID で指定するか、先にペアリングしてもらってください。`,
  several: (ids: readonly string[]) => `その名前の人は複数います：${ids.join("、")}。ID で指定してください。`,
  isOwner: (name: string) => `${name} はすでに管理者です。`,
  notTrusted: (name: string) => `${name} はもともと信頼する人ではありません。`,
  byConfiguration: (name: string) => `${name} は設定で信頼されています。channels.yaml の trusted を変えてください。`,
};
