import type { Language } from "../../core/conversation.ts";
import type { Translated } from "../../core/words/dictionary.ts";
import { countOf } from "../../core/words/count-of.ts";

const zh = {
  site: "网站",
  title: "标题",
  /** Follows the path of a file, in brackets: the kind of change. */
  change: {
    written: (size: { readonly lines: number; readonly bytes: number }) =>
      `整个写入，${size.lines} 行，${size.bytes} 字节`,
    appended: (size: { readonly lines: number; readonly bytes: number }) =>
      `加在末尾，${size.lines} 行，${size.bytes} 字节`,
    once: "只改一处",
    everywhere: "每一处都改",
  },
  toGroup: "→ 本群",
  toChat: "→ 这个聊天",
};

const en: Translated<typeof zh> = {
  site: "Site",
  title: "Title",
  change: {
    written: (size) => `written whole, ${countOf(size.lines, "line")}, ${countOf(size.bytes, "byte")}`,
    appended: (size) => `added at its end, ${countOf(size.lines, "line")}, ${countOf(size.bytes, "byte")}`,
    once: "one place",
    everywhere: "every occurrence",
  },
  toGroup: "→ this group",
  toChat: "→ this chat",
};

const ja: Translated<typeof zh> = {
  site: "サイト",
  title: "タイトル",
  change: {
    written: (size) => `全体を書き込み、${size.lines} 行、${size.bytes} バイト`,
    appended: (size) => `末尾に追加、${size.lines} 行、${size.bytes} バイト`,
    once: "一か所だけ",
    everywhere: "すべての箇所",
  },
  toGroup: "→ このグループ",
  toChat: "→ このチャット",
};

export type WorkToolWords = Translated<typeof zh>;

export const workToolWords: Readonly<Record<Language, WorkToolWords>> = { zh, en, ja };
