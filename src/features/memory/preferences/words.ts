import type { Language } from "../../../core/conversation.ts";
import type { Translated } from "../../../core/words/dictionary.ts";
import { countOf } from "../../../core/words/count-of.ts";

const zh = {
  heading: (count: number) => `我记下的你的习惯（${count} 条，只影响我怎么做，不改权限）：`,
  none: "还没有记下你的习惯。可以说「以后都用简体」，或者 /preferences add 内容。",
  item: (what: { number: number; text: string; origin: string }) => `${what.number}. ${what.text}（${what.origin}）`,
  said: "你说的",
  added: "你加的",
  learned: "看出来的",
  keeps: (tool: string) => `通常会同意 ${tool}`,
  refuses: (tool: string) => `多次拒绝了 ${tool}，先想别的办法`,
  option: (what: { tool: string; option: string; value: string }) =>
    `${what.tool} 的 ${what.option} 通常用 ${what.value}`,
  /** A choice that the person put right in their own words. */
  choices: {
    folder: (what: { tool: string; value: string }) => `${what.tool}：写到 ${what.value}`,
    ending: (what: { tool: string; value: string }) => `${what.tool}：存成 ${what.value}`,
    language: (what: { tool: string; value: string }) => `${what.tool}：用${what.value}写`,
    format: (what: { tool: string; value: string }) => `${what.tool}：用 ${what.value} 格式`,
  },
  changes: (what: { tool: string; option: string }) => `${what.tool} 的 ${what.option} 常要改，拿不准先问`,
  noted: (text: string) => `记下了：${text}`,
  edited: (what: { before: string; after: string }) => `改好了：${what.before} → ${what.after}`,
  unfit: {
    permission: "这是权限的事，不是习惯：我照样每次问你，不记。",
    secret: "看着像密码或密钥，我不记这种东西。",
  },
  full: (most: number) => `最多记 ${most} 条，先用 /preferences forget 编号 删一条。`,
  tooLong: (most: number) => `一条最多 ${most} 个字。`,
  forgotten: (text: string) => `忘掉了：${text}`,
  forgotAll: (count: number) => `${count} 条都忘掉了。`,
  unknown: (number: string) => `没有第 ${number} 条。发 /preferences 看编号。`,
  privateOnly: "这是你自己的事，别人会看到。私聊里发 /preferences；在群里只能 add 和 forget all。",
  usage: "用法：/preferences，/preferences add 内容，/preferences edit 编号 新内容，/preferences forget 编号（或 all）",
};

const en: Translated<typeof zh> = {
  heading: (count) => `What I noted of how you like things (${count}; it changes what I do, never what I may):`,
  none: 'Nothing noted yet. Say "from now on …", or /preferences add TEXT.',
  item: (what) => `${what.number}. ${what.text} (${what.origin})`,
  said: "you said so",
  added: "you added it",
  learned: "seen",
  keeps: (tool) => `usually agrees to ${tool}`,
  refuses: (tool) => `has refused ${tool} several times; think of another way first`,
  option: (what) => `usually wants ${what.option} ${what.value} of ${what.tool}`,
  choices: {
    folder: (what) => `${what.tool}: into ${what.value}`,
    ending: (what) => `${what.tool}: as ${what.value}`,
    language: (what) => `${what.tool}: in ${what.value}`,
    format: (what) => `${what.tool}: as ${what.value}`,
  },
  changes: (what) => `often puts ${what.option} of ${what.tool} right; ask first when in doubt`,
  noted: (text) => `Noted: ${text}`,
  edited: (what) => `Changed: ${what.before} → ${what.after}`,
  unfit: {
    permission: "That is about what I may do, which no note changes: I go on asking you. It is not noted.",
    secret: "That looks like a password or a key; I note nothing of the kind.",
  },
  full: (most) => `${countOf(most, "note is", "notes are")} the most; drop one with /preferences forget NUMBER first.`,
  tooLong: (most) => `A note has ${countOf(most, "character")} at most.`,
  forgotten: (text) => `Forgotten: ${text}`,
  forgotAll: (count) => `All ${count} forgotten.`,
  unknown: (number) => `There is no number ${number}. /preferences shows them.`,
  privateOnly:
    "Everybody here would read it: send me /preferences in private. In a group only add and forget all work.",
  usage:
    "Usage: /preferences, /preferences add TEXT, /preferences edit NUMBER TEXT, /preferences forget NUMBER (or all)",
};

const ja: Translated<typeof zh> = {
  heading: (count) => `あなたの好みの覚え書き（${count} 件。やり方が変わるだけで、権限は変わらない）：`,
  none: "覚え書きはまだない。「今後は簡潔に」のように言うか、/preferences add 内容 で。",
  item: (what) => `${what.number}. ${what.text}（${what.origin}）`,
  said: "言われた",
  added: "追加された",
  learned: "見ていて分かった",
  keeps: (tool) => `${tool} にはたいてい同意する`,
  refuses: (tool) => `${tool} を何度も断った。まず別の方法を考える`,
  option: (what) => `${what.tool} の ${what.option} はたいてい ${what.value}`,
  choices: {
    folder: (what) => `${what.tool}：${what.value} に書く`,
    ending: (what) => `${what.tool}：${what.value} で保存`,
    language: (what) => `${what.tool}：${what.value}で書く`,
    format: (what) => `${what.tool}：${what.value} 形式`,
  },
  changes: (what) => `${what.tool} の ${what.option} をよく直す。迷ったら先に聞く`,
  noted: (text) => `覚えた：${text}`,
  edited: (what) => `直した：${what.before} → ${what.after}`,
  unfit: {
    permission: "それは権限の話で、好みじゃない。これからも毎回確認する。覚え書きにはしない。",
    secret: "パスワードか鍵に見える。そういうものは覚えない。",
  },
  full: (most) => `覚え書きは ${most} 件まで。先に /preferences forget 番号 でひとつ消して。`,
  tooLong: (most) => `ひとつ ${most} 文字まで。`,
  forgotten: (text) => `忘れた：${text}`,
  forgotAll: (count) => `${count} 件とも忘れた。`,
  unknown: (number) => `${number} 番はない。/preferences で番号を見て。`,
  privateOnly: "ここではみんなに見える。/preferences は個別のチャットで。グループでは add と forget all だけ。",
  usage:
    "使い方：/preferences、/preferences add 内容、/preferences edit 番号 新しい内容、/preferences forget 番号（または all）",
};

export type PreferenceWords = Translated<typeof zh>;

export const preferenceWords: Readonly<Record<Language, PreferenceWords>> = { zh, en, ja };
