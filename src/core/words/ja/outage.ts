import { kurisuCommand } from "../../kurisu-command.ts";

/** Why no model answered. Nothing is kept until it answers again, so each says whether to send it once more. */
export const outage = {
  unreachable: `モデルにつながらない。この分は答えられなかったし、預かってもいない。数分してからもう一度送って。続くようなら管理者に \`${kurisuCommand} doctor\` を頼んで。`,
  limited:
    "モデル側の回数制限（429）。落ちているわけじゃない。この分は答えられなかったから、数分してからもう一度送って。",
  keyRefused: `キーが拒否された（401）。ネットワークの問題じゃないし、送り直しても無駄。\`OPENAI_API_KEY\`（使っているところのキー）を入れ直して再起動してから呼んで。どれかは \`${kurisuCommand} doctor\` でわかる。`,
  noCredit: `モデルの残高がない（402）。送り直しても無駄。入金してから呼んで。どれかは \`${kurisuCommand} doctor\` でわかる。`,
  notFound:
    "そのモデルはないとサーバーが言っている（404）。送り直しても無駄。`KURISU_MODEL` の名前を直してから呼んで。",
  tooMuch: "この会話はモデルが受け付けない。たぶん長すぎる。短くするか、/new で最初から。",
  forOthers: "今は答えられない。管理者の対応待ち。この分は預かっていないから、あとでもう一度送って。",
  /** To owners in private, when it was somebody else's message. */
  toOwner: (cause: string) => `誰かが呼んでいるのに答えられない。${cause}`,
  /** To an owner in private, once. */
  offlineModel: `先に言っておくけど、本物のモデルがつながってないから、決まった規則どおりにしか動けない。\`OPENAI_API_KEY\` を設定するか Ollama を起動して、それから脳科学の話をしましょう。足りないものは \`${kurisuCommand} doctor\` でわかる。（一度しか言わないから。）`,
} as const;
