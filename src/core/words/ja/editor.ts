import type { Words } from "../dictionary.ts";

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
