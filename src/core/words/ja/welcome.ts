import type { Words } from "../dictionary.ts";

export const welcome: Words["welcome"] = {
  how: "したいことをそのまま言って。実際に手を動かすことは、先に内容を見せる。「承認」と返事があれば実行、「キャンセル」ならやめる。",
  tryOne: "何を言えばいいかわからない？ まずはこれから:",
  helpLine: "コマンドの一覧は /help。",
  examples: { clock: "今何時？", files: "ワークスペースのファイルを一覧して", command: "uname -a を実行して" },
};
