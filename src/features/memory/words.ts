import type { Language } from "../../core/conversation.ts";
import { dropFullStop } from "../../core/drop-full-stop.ts";
import type { Translated } from "../../core/words/dictionary.ts";
import { preferenceWords } from "./preferences/words.ts";

const zh = {
  menus: {
    memory: {
      menu: "我记着你的什么",
      help: "/memory  看我记着你的什么；why 编号 为什么记得，search 词，pin 编号",
    },
    remember: { menu: "让我记住一件事：我喜欢猫", help: "/remember  让我记住一件事：/remember 我对花生过敏" },
    forget: {
      menu: "让我忘掉：编号、几个词、all",
      help: "/forget  让我忘掉：/forget 编号，或几个词；all 是关于你的一切",
    },
    preferences: {
      menu: "我记下的你的习惯",
      help: "/preferences  看我记下的你的习惯（add 加，edit 编号 改，forget 编号 删）",
    },
  },
  forgetAll: "把关于你的一切都忘掉：记住的事、聊天记录里你的话和它们的索引。找不回来。",
  none: "关于你，我还什么都没记。说「记住我喜欢猫」，或者 /remember 我喜欢猫。",
  heading: (count: number) => `我记着的（${count}）：`,
  item: (one: {
    readonly id: number;
    readonly day: string;
    readonly pinned: boolean;
    readonly foreign: boolean;
    readonly text: string;
  }) => `#${one.id} ${one.text}（${one.day}${one.pinned ? "，常记" : ""}${one.foreign ? "，不全是你自己的话" : ""}）`,
  kept: (one: { readonly id: number; readonly text: string }) => `记住了：「${dropFullStop(one.text)}」（#${one.id}）`,
  changed: (one: { readonly id: number; readonly text: string }) =>
    `改成「${dropFullStop(one.text)}」了（#${one.id}）。原来的在 /memory history ${one.id}`,
  known: (one: { readonly id: number; readonly text: string }) =>
    `这个早就记着了：「${dropFullStop(one.text)}」（#${one.id}）`,
  refused: {
    empty: "要记什么？/remember 我喜欢猫",
    "too-long": "太长了，用一句话说：/remember 我喜欢猫",
    "too-many": "记得太多了，先忘掉一些：/forget 编号",
    secret: "这看着像密码或密钥，我不记。放进密码管理器。",
  },
  unknown: (which: string) => `没有 ${which} 这一条，/memory 看编号。`,
  nothingLike: (words: string) => `按字面没找到和「${words}」有关的。换个说法，或者看 /memory。`,
  which: "是哪一条？/forget 加编号：",
  forgotten: (count: number) => (count > 1 ? `忘掉了，连旧的说法一共 ${count} 条。` : "忘掉了。"),
  /** 忘掉的卡片：连旧的说法一起。 */
  withOlder: ({ memory, older }: { readonly memory: string; readonly older: readonly string[] }) =>
    `${memory}（连同旧的说法：${older.join("；")}）`,
  pinned: (text: string) => `一直记在心上：${text}`,
  unpinned: (text: string) => `不特别记了：${text}`,
  origin: {
    said: "你聊天时自己说的，我记下了。",
    tool: "聊天时我觉得该记，就记下了。",
    extracted: "聊完以后我从你的话里整理的。",
    command: "你让我记的。",
  },
  quote: (one: { readonly when: string; readonly text: string }) => `原话（${one.when}）：「${one.text}」`,
  before: (one: { readonly until: string; readonly text: string }) => `之前是：${one.text}（到 ${one.until}）`,
  events: {
    remembered: "记下",
    confirmed: "又说了一次",
    superseded: "被新的代替",
    pinned: "设为常记",
    unpinned: "取消常记",
    forgotten: "忘掉",
  },
  usage:
    "用法：/memory，/memory why 编号，/memory search 词，/memory pin 编号，/memory unpin 编号，/memory history 编号。",
  rememberUsage: "这样写：/remember 我对花生过敏",
  forgetUsage: "用法：/forget 编号，/forget 几个词，/forget all（关于你的一切）。编号看 /memory。",
  orderForgetAll: "把关于我的一切都忘掉",
  preferences: preferenceWords.zh,
};

const en: Translated<typeof zh> = {
  menus: {
    memory: {
      menu: "What I remember of you",
      help: "/memory  what I remember of you; why NUMBER, search WORDS, pin NUMBER",
    },
    remember: {
      menu: "Have me remember something: I like cats",
      help: "/remember  have me remember something: /remember I am allergic to peanuts",
    },
    forget: {
      menu: "Have me forget: a number, some words, all",
      help: "/forget  have me forget: /forget NUMBER, or some words; all is everything about you",
    },
    preferences: {
      menu: "What I noted of your habits",
      help: "/preferences  what I noted of how you like things (add, edit NUMBER, forget NUMBER)",
    },
  },
  forgetAll:
    "Forget everything about you: what was remembered, your words in the chat log, and their index. It cannot be brought back.",
  none: "I remember nothing of you yet. Say “remember that I like cats”, or /remember I like cats.",
  heading: (count) => `What I remember (${count}):`,
  item: ({ day, foreign, id, pinned, text }) =>
    `#${id} ${text} (${day}${pinned ? ", pinned" : ""}${foreign ? ", not only your own words" : ""})`,
  kept: ({ id, text }) => `I will remember: “${dropFullStop(text)}” (#${id})`,
  changed: ({ id, text }) => `Changed to: “${dropFullStop(text)}” (#${id}). What it was before: /memory history ${id}`,
  known: ({ id, text }) => `I knew that: “${dropFullStop(text)}” (#${id})`,
  refused: {
    empty: "Remember what? /remember I like cats",
    "too-long": "That is too long; one sentence, please: /remember I like cats",
    "too-many": "I remember too much of you; let me forget some first: /forget NUMBER",
    secret: "That looks like a password or a key, and I do not keep those. Use a password manager.",
  },
  unknown: (which) => `There is no ${which}; /memory shows the numbers.`,
  nothingLike: (words) => `Nothing about “${words}” was found by words. Try other words, or see /memory.`,
  which: "Which one? /forget with its number:",
  forgotten: (count) => (count > 1 ? `Forgotten, with its older versions: ${count}.` : "Forgotten."),
  withOlder: ({ memory, older }) => `${memory} (with its older versions: ${older.join("; ")})`,
  pinned: (text) => `Always in mind: ${text}`,
  unpinned: (text) => `No longer pinned: ${text}`,
  origin: {
    said: "You said it in a talk, and I kept it.",
    tool: "I thought that it mattered when we talked, and kept it.",
    extracted: "I gathered it from your words after a talk.",
    command: "You told me to remember it.",
  },
  quote: ({ text, when }) => `Your words (${when}): “${text}”`,
  before: ({ text, until }) => `Before that: ${text} (until ${until})`,
  events: {
    remembered: "remembered",
    confirmed: "said again",
    superseded: "replaced by a newer one",
    pinned: "pinned",
    unpinned: "unpinned",
    forgotten: "forgotten",
  },
  usage:
    "Use: /memory, /memory why NUMBER, /memory search WORDS, /memory pin NUMBER, /memory unpin NUMBER, /memory history NUMBER.",
  rememberUsage: "Like this: /remember I am allergic to peanuts",
  forgetUsage:
    "Use: /forget NUMBER, /forget some words, /forget all (everything about you). /memory shows the numbers.",
  orderForgetAll: "Forget everything about me",
  preferences: preferenceWords.en,
};

const ja: Translated<typeof zh> = {
  menus: {
    memory: {
      menu: "あなたについて覚えていること",
      help: "/memory  覚えていること。why 番号 で理由、search 言葉、pin 番号",
    },
    remember: { menu: "覚えさせる：私は猫が好き", help: "/remember  覚えさせる：/remember 私はピーナッツアレルギー" },
    forget: {
      menu: "忘れさせる：番号、言葉、all",
      help: "/forget  忘れさせる：/forget 番号、または言葉。all はすべて",
    },
    preferences: {
      menu: "覚えた好み",
      help: "/preferences  あなたの好みの覚え書き（add で追加、edit 番号 で変更、forget 番号 で削除）",
    },
  },
  forgetAll: "あなたに関するすべてを忘れる：覚えたこと、チャット記録の中のあなたの言葉とその索引。元には戻せない。",
  none: "まだ何も覚えていない。「私は猫が好きって覚えておいて」か、/remember 私は猫が好き。",
  heading: (count) => `覚えていること（${count}）：`,
  item: ({ day, foreign, id, pinned, text }) =>
    `#${id} ${text}（${day}${pinned ? "、固定" : ""}${foreign ? "、あなたの言葉だけではない" : ""}）`,
  kept: ({ id, text }) => `覚えた：「${dropFullStop(text)}」（#${id}）`,
  changed: ({ id, text }) => `「${dropFullStop(text)}」に直した（#${id}）。前のは /memory history ${id}`,
  known: ({ id, text }) => `それはもう覚えている：「${dropFullStop(text)}」（#${id}）`,
  refused: {
    empty: "何を覚える？ /remember 私は猫が好き",
    "too-long": "長すぎる。一文で：/remember 私は猫が好き",
    "too-many": "覚えていることが多すぎる。先にいくつか忘れさせて：/forget 番号",
    secret: "パスワードか鍵に見えるので覚えない。パスワード管理ソフトに入れて。",
  },
  unknown: (which) => `${which} はない。番号は /memory で。`,
  nothingLike: (words) => `「${words}」は言葉では見つからない。言い方を変えるか、/memory を見て。`,
  which: "どれのこと？ /forget と番号で：",
  forgotten: (count) => (count > 1 ? `忘れた。前のものも含めて ${count} 件。` : "忘れた。"),
  withOlder: ({ memory, older }) => `${memory}（前のもの：${older.join("；")} も一緒に）`,
  pinned: (text) => `いつも覚えておく：${text}`,
  unpinned: (text) => `固定をやめた：${text}`,
  origin: {
    said: "話の中であなたが言ったので覚えた。",
    tool: "話の中で大事だと思って覚えた。",
    extracted: "話のあとで、あなたの言葉からまとめた。",
    command: "覚えるように言われた。",
  },
  quote: ({ text, when }) => `元の言葉（${when}）：「${text}」`,
  before: ({ text, until }) => `その前：${text}（${until} まで）`,
  events: {
    remembered: "覚えた",
    confirmed: "もう一度言われた",
    superseded: "新しいものに替わった",
    pinned: "固定した",
    unpinned: "固定をやめた",
    forgotten: "忘れた",
  },
  usage:
    "使い方：/memory、/memory why 番号、/memory search 言葉、/memory pin 番号、/memory unpin 番号、/memory history 番号。",
  rememberUsage: "こう書く：/remember 私はピーナッツアレルギー",
  forgetUsage: "使い方：/forget 番号、/forget 言葉、/forget all（あなたのすべて）。番号は /memory で。",
  orderForgetAll: "私のことを全部忘れて",
  preferences: preferenceWords.ja,
};

export type MemoryWords = Translated<typeof zh>;

export const memoryWords: Readonly<Record<Language, MemoryWords>> = { zh, en, ja };
