import type { Words } from "../dictionary.ts";

export const commandMenu: Words["commandMenu"] = {
  help: { menu: "使い方とコマンド", help: "/help    この説明" },
  status: { menu: "今の状態と、返事を待っていること", help: "/status  いまの状態と、返事待ちの件" },
  stop: { menu: "今していることを止める", help: "/stop    動いているものを止める（返事待ちも無効になります）" },
  new: { menu: "話題を変えて、最初から", help: "/new     これまでの話を脇に置いて、最初から" },
  undo: { menu: "さっき消したファイルを戻す", help: "/undo    最後に消したファイルを戻す（/undo 番号 で指定も可）" },
  todo: { menu: "やることリスト", help: "/todo    ToDo リスト" },
  busy: { menu: "作業中に話しかけたとき", help: "/busy    作業中の言葉：queue 順番、steer 割り込み、interrupt 中断" },
  lang: { menu: "言語：zh、en、ja、auto", help: "/lang    ここで使う言語（zh、en、ja。auto は合わせる）" },
  model: { menu: "ここで最初に聞くモデル", help: "/model   モデルの一覧とここで答えるもの。管理者は名前で選べる" },
  persona: {
    menu: "ここで話すのは誰か",
    help: "/persona ペルソナの一覧とここで話すもの。名前で選び、why で設定を見る",
  },
  plan: {
    menu: "計画モード：見るだけで動かさない",
    help: "/plan    計画モード：見るだけ（/plan フォルダー：そこだけ変える）",
  },
  act: { menu: "計画モードを終える", help: "/act     計画モードを終える" },
  grants: { menu: "出してある許可", help: "/grants  今の許可を見る。/revoke 番号 で取り消す" },
  revoke: { menu: "許可を取り消す" },
  pair: { menu: "コードで人を入れる", help: "/pair    コードで人を入れる" },
  trust: { menu: "人を信頼する（管理者）", help: "/trust   人を信頼する（管理者）、/untrust で取り消し" },
  untrust: { menu: "信頼を取り消す（管理者）" },
  resume: { menu: "全停止のあと再開する（管理者）", help: "/stop all  管理者：全員分を停止（/resume で再開）" },
};

export const welcome: Words["welcome"] = {
  how: "したいことをそのまま言って。実際に手を動かすことは、先に内容を見せる。「承認」と返事があれば実行、「キャンセル」ならやめる。",
  tryOne: "何を言えばいいかわからない？ まずはこれから:",
  helpLine: "よく使うコマンドは /help。",
  examples: { clock: "今何時？", files: "ワークスペースのファイルを一覧して", command: "uname -a を実行して" },
};
