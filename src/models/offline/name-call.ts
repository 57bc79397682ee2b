import type { Language } from "../../core/conversation.ts";
import type { ToolReport } from "./read-conversation.ts";

/** The name of a call in a sentence; `*` is its file, command, address or words. */
const names: Readonly<Record<Language, Readonly<Record<string, string>>>> = {
  zh: {
    shell: "运行 `*` ",
    file_read: "读 * ",
    file_write: "写 * ",
    file_edit: "改 * ",
    file_patch: "改 * ",
    file_delete: "删 * ",
    send_file: "发 * ",
    glob: "找文件",
    grep: "在文件里找「*」",
    fetch: "打开 * ",
    screenshot: "给 * 截图",
    web_search: "搜「*」",
    todo: "改待办",
    remind: "定提醒",
    list_reminders: "看提醒",
    cancel_reminder: "取消提醒",
    list_missed: "看错过的话",
    remember: "记住",
    forget: "忘掉",
    time: "看时间",
  },
  en: {
    shell: "running `*`",
    file_read: "reading *",
    file_write: "writing *",
    file_edit: "changing *",
    file_patch: "changing *",
    file_delete: "deleting *",
    send_file: "sending *",
    glob: "finding files",
    grep: "looking for “*”",
    fetch: "opening *",
    screenshot: "the picture of *",
    web_search: "searching for “*”",
    todo: "the to-do list",
    remind: "the reminder",
    list_reminders: "the reminders",
    cancel_reminder: "cancelling the reminder",
    list_missed: "what was missed",
    remember: "remembering",
    forget: "forgetting",
    time: "the clock",
  },
  ja: {
    shell: "`*` の実行",
    file_read: "* を読むの",
    file_write: "* への書き込み",
    file_edit: "* の書き換え",
    file_patch: "* の書き換え",
    file_delete: "* の削除",
    send_file: "* の送信",
    glob: "ファイル探し",
    grep: "「*」の検索",
    fetch: "* を開くの",
    screenshot: "* の撮影",
    web_search: "「*」の検索",
    todo: "やることの変更",
    remind: "リマインダーの設定",
    list_reminders: "リマインダーの一覧",
    cancel_reminder: "リマインダーの取り消し",
    list_missed: "見逃した話の確認",
    remember: "覚えるの",
    forget: "忘れるの",
    time: "時刻の確認",
  },
};
const keyArguments = ["command", "path", "query", "url", "pattern"];

/** 「删 a.txt」, "deleting a.txt": the call in the person's words. English begins with a capital where a sentence does. */
export function nameCall(report: ToolReport, language: Language): string {
  const key = keyArguments.map((name) => report.arguments[name]).find((value) => typeof value === "string") ?? "";
  const shown = key.replaceAll(/[\s`]{1,40}/g, " ").slice(0, 80);
  const name = names[language][report.tool] ?? `\`${report.tool}\``;
  // Behind a clause of Chinese or Japanese there is a space only between a Latin word and a sign.
  return name.replace("*", () => shown);
}

/** The beginning of a sentence. */
export const beginSentence = (text: string): string => text.replace(/^[a-z]/, (letter) => letter.toUpperCase());
