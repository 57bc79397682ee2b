import type { Language } from "../../core/conversation.ts";
import type { Translated } from "../../core/words/dictionary.ts";

const kindsInChinese = {
  talk: "聊天里的话",
  memories: "记住的事",
  summaries: "摘要和摘出来的句子",
  reminders: "提醒",
  questions: "问过你的事和执行记录",
  files: "文件",
  settings: "设置和偏好",
  traces: "其他痕迹",
} as const;

const kindsInEnglish: Readonly<Record<keyof typeof kindsInChinese, string>> = {
  talk: "what was said",
  memories: "memories",
  summaries: "summaries and sentences kept from them",
  reminders: "reminders",
  questions: "questions to you and records of what ran",
  files: "files",
  settings: "settings and preferences",
  traces: "other traces",
};

const kindsInJapanese: Readonly<Record<keyof typeof kindsInChinese, string>> = {
  talk: "チャットでの発言",
  memories: "覚えていたこと",
  summaries: "要約と抜き書き",
  reminders: "リマインダー",
  questions: "確認した件と実行の記録",
  files: "ファイル",
  settings: "設定と好み",
  traces: "その他の痕跡",
};

const zh = {
  begun: "这条说完我就动手，删完给你一张清单。",
  kinds: kindsInChinese,
  receipt: (done: {
    readonly counts?: Readonly<Partial<Record<keyof typeof kindsInChinese, number>>>;
    readonly isWhole: boolean;
  }) => {
    const lines = Object.entries(kindsInChinese).flatMap(([kind, name]) => {
      const count = done.counts?.[kind as keyof typeof kindsInChinese] ?? 0;
      return count > 0 ? [`${name}：${count}`] : [];
    });
    const list = lines.length > 0 ? `删掉的：\n${lines.join("\n")}` : "本来就没有什么可删的。";
    return `好了。说到做到，我不记得你了。${done.counts ? list : ""}\n审计只留下「有过这件事」，没有内容。以前做的备份、日志、别人自己的话和群里共用的文件我动不到；你的身份（主人、成员）不变。${done.isWhole ? "这里从头开始。……初次见面？" : ""}`;
  },
};

const en: Translated<typeof zh> = {
  begun: "I'll begin as soon as this is said, and give you the list when it's done.",
  kinds: kindsInEnglish,
  receipt: ({ counts, isWhole }) => {
    const lines = Object.entries(kindsInEnglish).flatMap(([kind, name]) => {
      const count = counts?.[kind as keyof typeof kindsInEnglish] ?? 0;
      return count > 0 ? [`${name}: ${count}`] : [];
    });
    const list = lines.length > 0 ? `Erased:\n${lines.join("\n")}` : "There was nothing to erase.";
    const again = isWhole ? " This chat starts over. ...Nice to meet you, I suppose?" : "";
    return `Done, as promised: I don't remember you. ${counts ? list : ""}\nThe audit keeps that something happened, not what. Backups from before, logs, other people's own words and files shared in groups are out of my reach; your role (owner, member) stays.${again}`;
  },
};

const ja: Translated<typeof zh> = {
  begun: "この返事が終わったら始める。終わったら一覧を渡すから。",
  kinds: kindsInJapanese,
  receipt: ({ counts, isWhole }) => {
    const lines = Object.entries(kindsInJapanese).flatMap(([kind, name]) => {
      const count = counts?.[kind as keyof typeof kindsInJapanese] ?? 0;
      return count > 0 ? [`${name}：${count}`] : [];
    });
    const list = lines.length > 0 ? `消したもの：\n${lines.join("\n")}` : "消すものは何もなかった。";
    const again = isWhole ? "ここは最初から。……はじめまして、かしら？" : "";
    return `終わったわ。約束どおり、あなたのことは覚えていない。${counts ? list : ""}\n監査に残るのは「何かがあった」ことだけで、中身はない。前に取ったバックアップ、ログ、ほかの人自身の発言、グループで共有しているファイルには手が届かない。あなたの立場（オーナー、メンバー）は変わらない。${again}`;
  },
};

export type EraseWords = Translated<typeof zh>;

export const eraseWords: Readonly<Record<Language, EraseWords>> = { zh, en, ja };
