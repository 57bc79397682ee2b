import type { deletion as zhDeletion, keyboard as zhKeyboard, notices as zhNotices } from "./zh.ts";

export const keyboard: typeof zhKeyboard = {
  open: "キーボード",
  title: "キーボードショートカット",
  on: "一文字のキーを使う",
  keys: [
    [["g", "t"], "「今日」へ"],
    [["g", "c"], "「会話」へ"],
    [["g", "h"], "「彼女」へ"],
    [["g", "a"], "「能力」へ"],
    [["g", "s"], "「システム」へ"],
    [["j", "k"], "次の行、前の行"],
    [["y", "n"], "選んだカードで：承認、取り消し"],
    [["p"], "選んだカードで：先に試す"],
    [["/"], "会話を検索"],
    [["Ctrl", "S"], "開いているファイルを保存"],
    [["Esc"], "閉じる"],
    [["?"], "この一覧"],
  ],
};

export const notices: typeof zhNotices = {
  on: "デスクトップ通知：オン",
  off: "デスクトップ通知：オフ",
  refused: "デスクトップ通知：ブラウザーが拒否",
};

export const deletion: typeof zhDeletion = {
  open: "この会話を削除…",
  what: "ここで話したこと、経過、ファイルがすべて消え、元に戻せません。会話そのものは空のまま残ります。記憶とリマインダーは残ります。",
  typeName: (name) => `削除するには名前を入力：${name}`,
  yes: "削除する",
  no: "やめる",
  busy: "ここではまだ作業中です。先にターンを止めるか、質問に答えてください。",
  failed: "できませんでした。もう一度どうぞ。",
};
