import type { Words } from "../dictionary.ts";

export const commandMenu: Words["commandMenu"] = {
  help: { menu: "使い方とコマンド", help: "/help    この説明" },
  status: { menu: "今の状態と、返事を待っていること", help: "/status  いまの状態と、返事待ちの件" },
  stop: { menu: "今していることを止める", help: "/stop    動いているものを止める（返事待ちも無効になります）" },
  new: { menu: "話題を変えて、最初から", help: "/new     これまでの話を脇に置いて、最初から" },
  undo: { menu: "さっき消したファイルを戻す", help: "/undo    最後に消したファイルを戻す（/undo 番号 で指定も可）" },
  todo: { menu: "やることリスト", help: "/todo    ToDo リスト" },
  skills: { menu: "スキルの一覧、オンとオフ", help: "/skills  スキルの一覧。このチャットでのオン・オフ" },
  reminders: {
    menu: "待っているリマインダー",
    help: "/reminders  待っているリマインダー。cancel 番号 で取り消し、zone で時計の場所",
  },
  remind: { menu: "リマインダー：明日の朝8時 会議", help: "/remind  リマインダー：/remind 明日の朝8時 会議" },
  memory: {
    menu: "あなたについて覚えていること",
    help: "/memory  覚えていること。why 番号 で理由、search 言葉、pin 番号",
  },
  remember: { menu: "覚えさせる：私は猫が好き", help: "/remember  覚えさせる：/remember 私はピーナッツアレルギー" },
  forget: { menu: "忘れさせる：番号、言葉、all", help: "/forget  忘れさせる：/forget 番号、または言葉。all はすべて" },
  quiet: {
    menu: "静かな時間：繰り返すものは後で",
    help: "/quiet   静かな時間：/quiet 23:00-07:00、/quiet off で解除",
  },
  busy: { menu: "作業中に話しかけたとき", help: "/busy    作業中の言葉：queue 順番、steer 割り込み、interrupt 中断" },
  missed: { menu: "このグループで見逃した話", help: "/missed  前に話してからの話。/missed 3 は直近 3 時間" },
  lang: { menu: "言語：zh、en、ja、auto", help: "/lang    ここで使う言語（zh、en、ja。auto は合わせる）" },
  model: { menu: "ここで最初に聞くモデル", help: "/model   モデルの一覧とここで答えるもの。管理者は名前で選べる" },
  persona: {
    menu: "ここで話すのは誰か",
    help: "/persona ペルソナの一覧とここで話すもの。名前で選び、why で設定を見る",
  },
  export: {
    menu: "ここの会話をファイルに",
    help: "/export  ここの会話をファイルに書き出す（/export json）。グループでは管理者かグループの管理者。/export me はあなたについてのすべて",
  },
  plan: {
    menu: "計画モード：見るだけで動かさない",
    help: "/plan    計画モード：見るだけ（/plan フォルダー：そこだけ変える）",
  },
  act: { menu: "計画モードを終える", help: "/act     計画モードを終える" },
  grants: { menu: "出してある許可", help: "/grants  今の許可を見る。/revoke 番号 で取り消す" },
  revoke: { menu: "許可を取り消す" },
  preferences: {
    menu: "覚えた好み",
    help: "/preferences  あなたの好みの覚え書き（add で追加、edit 番号 で変更、forget 番号 で削除）",
  },
  usage: { menu: "今日使った量", help: "/usage   今日の使用量" },
  proof: { menu: "前の答えの根拠", help: "/proof   直前の回答の裏付け" },
  mcp: { menu: "MCP サーバー", help: "/mcp     MCP サーバー：状態、ツール、リソース、プロンプト" },
  pair: { menu: "コードで人を入れる", help: "/pair    コードで人を入れる" },
  link: { menu: "別のアカウントと連携", help: "/link   別のアカウントと連携、/unlink で解除、/whoami で自分の確認" },
  unlink: { menu: "アカウントの連携を解除" },
  whoami: { menu: "自分が誰として扱われているか" },
  trust: { menu: "人を信頼する（管理者）", help: "/trust   人を信頼する（管理者）、/untrust で取り消し" },
  requests: { menu: "友達とグループの申請（管理者）", help: "/requests  待っている友達とグループの申請（管理者）" },
  untrust: { menu: "信頼を取り消す（管理者）" },
  resume: { menu: "全停止のあと再開する（管理者）", help: "/stop all  管理者：全員分を停止（/resume で再開）" },
};

export const welcome: Words["welcome"] = {
  how: "したいことをそのまま言って。実際に手を動かすことは、先に内容を見せる。「承認」と返事があれば実行、「キャンセル」ならやめる。",
  tryOne: "何を言えばいいかわからない？ まずはこれから:",
  helpLine: "よく使うコマンドは /help。",
  examples: { clock: "今何時？", files: "ワークスペースのファイルを一覧して", command: "uname -a を実行して" },
};
