import { buildImageCommand, kurisuCommand } from "../../kurisu-command.ts";
import type { Words } from "../dictionary.ts";

export const start: Words["start"] = {
  data: "データ",
  config: "設定",
  model: "モデル",
  offline: "オフライン（ルール応答）",
  offlineRemedy: (keys) =>
    `本物につなぐには ${kurisuCommand} setup、または ${keys.join(" か ")} を設定するか Ollama を起動   → ${kurisuCommand} doctor`,
  keysLeftOffline: (keys) =>
    `KURISU_MODEL=offline のため ${keys.join("、")} は使われない。KURISU_MODEL を消すか、モデルを書く`,
  idleKey: ({ variable, form }) => `${variable} はあるがモデルの指定がない：KURISU_MODEL=${form}`,
  on: "オン",
  off: "オフ",
  channelRemedy: (variables) => `${variables.join(" か ")} を設定   → docs/channels.md`,
  process: "プロセス",
  roles: { all: "接続と応答", gateway: "接続だけ。応答は worker", worker: "応答だけ。接続は gateway" },
  processOf: ({ count, what }) => `${what}。このデータベースに ${count} 個`,
  sandbox: "サンドボックス",
  sandboxElsewhere: "ここでは不要：コマンドは worker が実行する",
  engineMissing: ({ address }) =>
    `使えない：${address} でコンテナエンジンが応答しない。Docker を起動するか \`DOCKER_HOST\` を直す`,
  sandboxStates: {
    off: "切（sandbox.yaml: `enabled`）",
    "engine-missing": "使えない：コンテナエンジンが応答しない。Docker を起動するか `DOCKER_HOST` を設定",
    "image-missing": `使えない：イメージがない。作るには \`${buildImageCommand}\``,
    "no-permission":
      "使えない：コンテナエンジンの権限がない。ユーザーを docker グループに入れて再ログインするか `DOCKER_HOST` を設定",
    "workspace-unseen": "使えない：コンテナエンジンからワークスペースが見えない。`KURISU_HOME` は両側で同じ絶対パスに",
  },
  sandboxReady: (status: { readonly engine: string; readonly image: string; readonly megabytes: number }) =>
    `準備完了、コンテナエンジン ${status.engine}、イメージ ${status.image}（${status.megabytes} MB）`,
  owner: "管理者",
  ownerKnown: "設定済み",
  ownerTerminal: `この端末だけ（${kurisuCommand} chat）`,
  ownerHere: "あなた（この端末）",
  channel: {
    connecting: "接続中……",
    waiting: (at: string) => `NapCat（または LLBot）が ${at} に接続するのを待っている`,
    connected: (as: string) => `接続済み：${as}`,
    postedTo: (at: string) => `；メッセージは ${at} に届く`,
    misses: {
      groups: "；プライバシーモードがオン。グループで見えるのはコマンド、メンション、返信だけで、問題はない",
      guilds: "；チャンネルの権限がないので、そこでは何も聞こえない",
    },
    standby: "待機中（別のプロセスが接続している）",
    serving: (model: string) => `オン：モデル ${model}、アドレス /v1`,
  },
  chatElsewhere: `別の端末で ${kurisuCommand} chat を実行すると話せる。Ctrl-C で終了`,
  chatHere: "まずは /start。/exit で終了",
  alreadyRuns: ({ holder, home }) =>
    `Kurisu はもう動いている（${holder}、データフォルダ ${home}）。\n  話すには：${kurisuCommand} chat\n  起動し直すならそれを止める。もう一つ動かすなら KURISU_HOME を別のフォルダにする。`,
  processNamed: ({ id, purpose }) => `プロセス ${id}、kurisu ${purpose}`,
  processUnnamed: "別のプロセス",
  ownerCode: "コード",
  ownerRemedy: "ペアリングコード。最初に個人チャットでボットへ送った人が管理者になる",
  console: "コンソール",
  consoleCode: (way: { readonly code: string }) => `開いて、コード ${way.code} でログイン（10 分以内、1 回だけ）`,
  consolePassword: "開いて、KURISU_CONSOLE_PASSWORD でログイン",
  consoleOpen: "ブラウザで開いて、このコードでログインしてください（10 分以内、1 回だけ）：",
  consoleNotRunning: (start: { readonly command: string }) =>
    `ここで動いている Kurisu はいません。起動してから、もう一度実行してください：${start.command}`,
  hung: "固まったまま戻れないので、自分で終了します。もう一度起動してください。原因のメッセージは脇に置き、ほかには続けて答えます。",
  stopping: "終了中。やりかけを片付けている……",
  prompt: "あなた> ",
  questionPrompt: "承認 / キャンセル [キャンセル]> ",
  preparing: ({ call }) => `準備中：${call}`,
  you: "あなた",
  folded: ({ left, path }) => `… あと ${left} 行。全文は ${path}`,
};
