import type { Language } from "../../core/conversation.ts";
import type { Translated } from "../../core/words/dictionary.ts";
import { countOf } from "../../core/words/count-of.ts";

const zh = {
  becomes: (what: { name: string; version: number; id: string }) =>
    `角色卡「${what.name}」（V${what.version}）会成为人格 ${what.id}。之后用 /persona ${what.id} 选它，下一句就生效。`,
  kept: (parts: readonly string[]) => `留下：${parts.join("、")}。`,
  description: (characters: number) => `设定 ${characters} 字`,
  greetings: (count: number) => `开场白 ${count} 句`,
  entries: (count: number) => `世界书 ${count} 条`,
  picture: "头像",
  files: (count: number) => `附带的文件 ${count} 个`,
  stored: "其余的字段原样存着，不进提示词，导出时都在。",
  instructionsLeft: "不带：它自己的 system_prompt 和 post_history_instructions。要不要带，是单独的一项。",
  bookLeft: (problem: string) => `不带：它的世界书，读不了（${problem}）。`,
  replaces: (id: string) =>
    `角色卡自己的指令会排在人格 ${id} 的提示词最前和最后。我的规矩、工具、审批都照旧。同意这一项，人格就连这些一起做。全文：`,
  alwaysOn: (count: number) => `世界书里有 ${count} 条一直生效，每一轮都进提示词：`,
  grantsNothing: "卡片是别人写的，改不了权限、工具和管理员。设定的开头：",
  digest: (digest: string) => `SHA-256：${digest}`,
};

const en: Translated<typeof zh> = {
  becomes: (what) =>
    `The character card "${what.name}" (V${what.version}) becomes the persona ${what.id}; to use it, write /persona ${what.id}.`,
  kept: (parts) => `Kept: ${parts.join(", ")}.`,
  description: (characters) => `a description of ${countOf(characters, "character")}`,
  greetings: (count) => countOf(count, "greeting"),
  entries: (count) => `a lorebook of ${countOf(count, "entry", "entries")}`,
  picture: "the picture",
  files: (count) => countOf(count, "further file"),
  stored: "Its other fields are stored as they are, never in the prompt, and come out again with an export.",
  instructionsLeft: "Left out: its own system_prompt and post_history_instructions, which are an item of their own.",
  bookLeft: (problem) => `Left out: its lorebook, which ${problem}.`,
  replaces: (id) =>
    `The card's own instructions come first and last in the prompt of the persona ${id}. My rules, tools and approvals stay as they are. A yes to this item makes the persona with them. All of it:`,
  alwaysOn: (count) =>
    `${countOf(count, "entry", "entries")} of the lorebook ${count === 1 ? "is" : "are"} always on and in every prompt:`,
  grantsNothing:
    "Somebody else wrote the card; it changes no permissions, tools or owners. The description begins with:",
  digest: (digest) => `SHA-256: ${digest}`,
};

const ja: Translated<typeof zh> = {
  becomes: (what) =>
    `キャラクターカード「${what.name}」（V${what.version}）がペルソナ ${what.id} になる。あとは /persona ${what.id} で選べば、次の発言から使われる。`,
  kept: (parts) => `残すもの：${parts.join("、")}。`,
  description: (characters) => `設定 ${characters} 文字`,
  greetings: (count) => `挨拶 ${count} つ`,
  entries: (count) => `ロアブック ${count} 件`,
  picture: "画像",
  files: (count) => `付属ファイル ${count} 個`,
  stored: "ほかの項目はそのまま保存し、プロンプトには入れない。書き出すとすべて戻る。",
  instructionsLeft: "入れないもの：カード自身の system_prompt と post_history_instructions。これは別の項目で聞く。",
  bookLeft: (problem) => `入れないもの：ロアブック。読めない（${problem}）。`,
  replaces: (id) =>
    `カード自身の指示が、ペルソナ ${id} のプロンプトの最初と最後に入る。わたしの規則、ツール、承認はそのまま。この項目を承認すると、指示も含めてペルソナを作る。全文：`,
  alwaysOn: (count) => `ロアブックのうち ${count} 件は常に有効で、毎回プロンプトに入る：`,
  grantsNothing: "カードは他人が書いたもので、権限、ツール、管理者は変えられない。設定の冒頭：",
  digest: (digest) => `SHA-256：${digest}`,
};

export type CardWords = Translated<typeof zh>;

export const cardWords: Readonly<Record<Language, CardWords>> = { zh, en, ja };
