import { editor } from "../editor/ja.ts";
import type { PersonaWords } from "./zh.ts";

export const persona: PersonaWords = {
  list: "ペルソナ",
  usual: "既定",
  broken: "エラーあり",
  unsaved: "未保存",
  shipped: "付属",
  shippedHow: "Kurisu に付属のものです。最初の保存で config/personas に複製し、以後はその複製を変更します。",
  copied: "config/personas に複製しました。以後はこの複製を変更します。",
  readOnly:
    "Kurisu はこのフォルダーに書き込めないため、閲覧のみです。実行ユーザーが config/personas に書けるようにしてから、開き直してください。",
  gone: "このペルソナはありません",
  goneHow: "削除されたか、名前が変わったばかりかもしれません。ほかを見る",
  count: (count) => `${count} 件の会話が選択`,
  files: "ペルソナのファイル",
  languages: { zh: "中国語", en: "英語", ja: "日本語" },
  tokens: "毎ターン",
  draftTokens: "保存後",
  use: "すべての会話で使う",
  used: "次のメッセージから、選択のない会話はすべてこれを使います。",
  refused: (reason) => `変更できませんでした: ${reason}`,
  failed: "うまくいきませんでした。もう一度試してください。",
  export: "キャラクターカードに書き出す",
  usualHow: "選択のない会話はすべてこれを使います。",
  nobody: "これを選んだ会話はありません。",
  chats: "これを選んだ会話：",
  more: (count) => `ほか ${count} 件`,
  editor: {
    ...editor,
    masked:
      "ファイルに秘密の値（ここでは伏せています）があるか、リンクか文字でない内容のため、ここでは変更できません。マシン上で変更してください。",
    states: {
      ...editor.states,
      "in-force": "次のメッセージから有効です",
      "saved-refused": "保存しましたが、ほかの場所にエラーがあるため、以前のまま動いています",
      secret: "秘密の値が含まれるため、保存していません。取り除いてください",
    },
  },
};
