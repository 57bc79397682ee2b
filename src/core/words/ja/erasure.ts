import type { Words } from "../dictionary.ts";

const kinds: Words["memory"]["erasure"]["kinds"] = {
  talk: "チャットでの発言",
  memories: "覚えていたこと",
  summaries: "要約と抜き書き",
  reminders: "リマインダー",
  questions: "確認した件と実行の記録",
  files: "ファイル",
  settings: "設定と好み",
  traces: "その他の痕跡",
};

export const erasure: Words["memory"]["erasure"] = {
  begun: "この返事が終わったら始める。終わったら一覧を渡すから。",
  kinds,
  receipt: ({ counts, isWhole }) => {
    const lines = Object.entries(kinds).flatMap(([kind, name]) => {
      const count = counts?.[kind as keyof typeof kinds] ?? 0;
      return count > 0 ? [`${name}：${count}`] : [];
    });
    const list = lines.length > 0 ? `消したもの：\n${lines.join("\n")}` : "消すものは何もなかった。";
    const again = isWhole ? "ここは最初から。……はじめまして、かしら？" : "";
    return `終わったわ。約束どおり、あなたのことは覚えていない。${counts ? list : ""}\n監査に残るのは「何かがあった」ことだけで、中身はない。前に取ったバックアップ、ログ、ほかの人自身の発言、グループで共有しているファイルには手が届かない。あなたの立場（オーナー、メンバー）は変わらない。${again}`;
  },
};
