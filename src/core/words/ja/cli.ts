import type { Words } from "../dictionary.ts";

export const cli: Words["cli"] = {
  commands: {
    start: "Kurisu を起動する",
    setup: "必要なことを聞いて試し、.env に書く",
    chat: "端末で Kurisu と話す。スクリプトから一言だけも",
    acp: "エディタから Kurisu と話す（Agent Client Protocol）",
    doctor: "何が揃っているかを調べ、残りをどうするか言う",
    tools: "ツールの一覧と、それぞれに許されること",
    approvals: "答えを待っている質問の一覧と回答",
    audit: "決まったこと、実行したことを表示し、改ざんがないか検証する",
    "migrate-store": "SQLite のデータベースを Postgres に移し、両方を照合する",
    restore: "バックアップを復元する（空の場所へ、または --replace で）",
    console: "ウェブコンソールのアドレスと新しいログインコードを表示する",
    persona: "ペルソナの一覧、選択、取り込み、書き出し、検査",
    "engine-guard": "コンテナにサンドボックスのためだけにエンジンを使わせる",
  },
  more: (kurisu) => `詳しくは ${kurisu} COMMAND --help（英語）。`,
  faultWhileRunning: (fault) =>
    `設定に誤りがある。動作中の Kurisu は前の正しい設定のまま、このコマンドもそう。次の起動はここで止まる：\n${fault}\n`,
  unknownCommand: (name) => `${name} というコマンドはない。`,
};

export const editor: Words["editor"] = {
  place: (cwd) => `（エディタが開いているのは ${cwd}。私のファイルツールはそこでは動かない。自分の作業場所だけ。）`,
  serversLeftOut: (names) =>
    `（エディタの MCP サーバーはつないでいない：${names.join("、")}。使うなら私の mcp.json に書いて。）`,
  allow: "承認、今回だけ",
  reject: "キャンセル",
  you: "あなた",
  several: (count) => `${count} 件まとめて`,
  leftOut: (count) => `（これより前の ${count} 件は省略。）`,
  stopped: "Kurisu が止まった。言ったことは残っていて、次の起動のあとで答える。",
  modes: {
    act: { name: "実行", description: "見て、やる。影響のあることは先に聞く" },
    plan: { name: "計画", description: "見るだけ、何も変えない" },
  },
};
