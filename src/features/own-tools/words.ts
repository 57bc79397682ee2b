import type { Language } from "../../core/conversation.ts";
import type { Translated } from "../../core/words/dictionary.ts";

const zh = {
  ownTool:
    "这是主人自己写的工具，第一次用。它在一个没有文件、没有网络的进程里跑；同意的是下面这份代码，改一个字都要重新问。全文：",
};

const en: Translated<typeof zh> = {
  ownTool:
    "A tool that the owner has written, used for the first time. It runs in a process without files and network. The yes is for exactly this code; a change is asked for again. All of it:",
};

const ja: Translated<typeof zh> = {
  ownTool:
    "オーナーが書いたツールで、使うのは初めて。ファイルもネットワークもないプロセスで動く。承認するのはこのコードだけで、一文字でも変われば聞き直す。全文：",
};

export type OwnToolWords = Translated<typeof zh>;

export const ownToolWords: Readonly<Record<Language, OwnToolWords>> = { zh, en, ja };
