import type { Words } from "../dictionary.ts";

export const commandMenu: Words["commandMenu"] = {
  help: "使い方と全コマンド",
  status: "今の状態と、返事を待っていること",
  stop: "今していることを止める",
  new: "話題を変えて、最初から",
  undo: "さっき消したファイルを戻す",
  todo: "やることリスト",
  skills: "スキルの一覧、オンとオフ",
  plan: "計画モード：見るだけで動かさない",
  act: "計画モードを終える",
  worldline: "世界線：戻れる地点",
  dmail: "ある地点に戻って、言い直す",
  grants: "出してある許可",
  revoke: "許可を取り消す",
  preferences: "覚えた好み",
  usage: "今日使った量",
  proof: "前の答えの根拠",
  mcp: "MCP サーバー",
  pair: "コードで人を入れる",
  trust: "人を信頼する（管理者）",
  untrust: "信頼を取り消す（管理者）",
  resume: "全停止のあと再開する（管理者）",
};

export const welcome: Words["welcome"] = {
  how: "したいことをそのまま言って。実際に手を動かすことは、先に内容を見せる。「承認」と返事があれば実行、「キャンセル」ならやめる。",
  tryOne: "何を言えばいいかわからない？ まずはこれから:",
  helpLine: "コマンドの一覧は /help。",
  examples: { clock: "今何時？", files: "ワークスペースのファイルを一覧して", command: "uname -a を実行して" },
};
