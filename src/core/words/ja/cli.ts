import type { Words } from "../dictionary.ts";

export const cli: Words["cli"] = {
  commands: {
    start: "Kurisu を起動する",
    setup: "必要なことを聞いて試し、.env に書く",
    chat: "端末で Kurisu と話す。スクリプトから一言だけも",
    acp: "エディタから Kurisu と話す（Agent Client Protocol）",
    doctor: "何が揃っているかを調べ、残りをどうするか言う",
    tools: "ツールの一覧と、それぞれに許されること",
    skills: "スキルの一覧、照合、導入、更新、削除、検証",
    mcp: "MCP サーバーの一覧、ログイン、変わったツールの判断、自分のツールの提供",
    approvals: "答えを待っている質問の一覧と回答",
    reminders: "待っているリマインダーの一覧と取り消し",
    memory: "ある人について覚えていることの表示、検索、忘却",
    chatlog: "会話を検索できる記録に取り込み、検索し、数える",
    audit: "決まったこと、実行したことを表示し、改ざんがないか検証する",
    persona: "ペルソナの一覧、選択、取り込み、書き出し、検査",
    "engine-guard": "コンテナにサンドボックスのためだけにエンジンを使わせる",
  },
  more: (kurisu) => `詳しくは ${kurisu} COMMAND --help（英語）。`,
  unknownCommand: (name) => `${name} というコマンドはない。`,
};
